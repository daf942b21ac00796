package config

import "descbench/eval"

// workbenchBeyondPx is the coordinate beyond which DescriptorWorkbench does not
// look for a projected keypoint.
const workbenchBeyondPx = 2000

// checkPreset fills in what the preset sets, and reports other values that are
// given for it.
func (k *checker) checkPreset(e *Evaluation) {
	if e.Preset != "workbench" {
		return
	}
	preset(k, "evaluation.ties", &e.Ties, eval.Workbench)
	preset(k, "evaluation.relevance", &e.Relevance, NearestRelevant)
	preset(k, "evaluation.exclude_invalid", &e.ExcludeInvalid, true)
	preset(k, "evaluation.exclude_beyond_px", &e.ExcludeBeyondPx, workbenchBeyondPx)
}

func preset[T comparable](k *checker, key string, to *T, value T) {
	if k.given(key) && *to != value {
		k.faultAt(key, "found %v, want %v or nothing, since evaluation.preset is workbench", *to, value)
	}
	*to = value
}

// checkRelevance sees to it that queries have a projection where their identity
// is asked for.
func (k *checker) checkRelevance() {
	if k.config.Evaluation.Relevance != IdentityRelevant {
		return
	}
	for _, x := range k.config.Descriptors {
		set := k.graph.setOf(x, func(name string) *Descriptor { return k.descriptors[name] })
		if projecting(k.graph.Chain(set)) == nil {
			k.faultAt("evaluation.relevance", "found identity, but %s, the keypoints of descriptors[%s], are not projected; want sets that project, or another relevance", set, x.Name)
			return
		}
	}
}
