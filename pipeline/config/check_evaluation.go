package config

import "descbench/eval/ranking"

// workbenchBeyondPx is the coordinate beyond which DescriptorWorkbench does not
// look for a projected keypoint.
const workbenchBeyondPx = 2000

// checkPreset fills in the values of the preset workbench and reports conflicting values.
// A preset that overrides the file replaces the file's values.
func (k *checker) checkPreset(c *Config) {
	if e := &c.Evaluation; e.Preset == Workbench {
		preset(k, e, "evaluation.ties", &e.Ties, ranking.Workbench)
		preset(k, e, "evaluation.relevance", &e.Relevance, ranking.NearestRelevant)
		preset(k, e, "evaluation.exclude_invalid", &e.ExcludeInvalid, true)
		preset(k, e, "evaluation.exclude_invalid_truths", &e.ExcludeInvalidTruths, false) // DescriptorWorkbench looks at queries only
		preset(k, e, "evaluation.exclude_beyond_px", &e.ExcludeBeyondPx, workbenchBeyondPx)
	}
}

func preset[T comparable](k *checker, e *Evaluation, key string, to *T, value T) {
	if k.given(key) && *to != value && (k.inFile("evaluation.preset") || !k.inFile(key)) {
		k.faultAt(key, "found %v, want %v or nothing, since evaluation.preset is %s", *to, value, e.Preset)
	}
	*to = value
}

// inFile reports whether the value of a given key is that of the file.
func (k *checker) inFile(key string) bool { return k.origin[k.at[key]] == "" }

// checkRegion checks that keypoints are selected in the region of both images.
func (k *checker) checkRegion() {
	if e := k.config.Evaluation; e.KeynetRegion && e.SharedTopK == 0 {
		k.faultAt("evaluation.shared_region", "found keynet, but shared_top_k is 0; want the number of keypoints of this region, 1000 as in Key.Net's evaluation")
	}
}

// checkRelevance checks that keypoints are projected if relevance is identity.
func (k *checker) checkRelevance() {
	if k.config.Evaluation.Relevance != ranking.IdentityRelevant {
		return
	}
	for _, x := range k.config.Descriptors {
		if x.Matches != nil { // are not ranked
			continue
		}
		set := k.config.SetOf(x)
		if projecting(k.graph.Chain(set)) == nil {
			k.faultAt("evaluation.relevance", "found identity, but %s, the keypoints of descriptors[%s], are not projected; want projected sets, or another relevance", set, x.Name)
			return
		}
	}
}
