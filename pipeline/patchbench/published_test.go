package patchbench

import (
	"math"
	"slices"
	"strings"
	"testing"

	"descbench/eval/catalogue"
	"descbench/eval/patches"
	"descbench/eval/patches/y2017"
	"descbench/pipeline/dataset"
	"descbench/pipeline/report"
)

func resultOn(split string, protocol y2017.Protocol, sequences ...string) *y2017.Result {
	r := &y2017.Result{Split: split, Protocol: protocol, Distance: patches.L2}
	for _, name := range sequences {
		r.Sequences = append(r.Sequences, y2017.Sequence{Name: name})
	}
	return r
}

// The rates, in per cent, are those that the sources print.
func TestPublishedResultsAreThoseOfTheSplitWithWhatDiffers(t *testing.T) {
	names := dataset.HPatchesNames()
	full, a := resultOn("full", y2017.P17, names...), resultOn("a", y2017.P17, names[:40]...)
	full.Tasks = y2017.Tasks()
	whitened := resultOn("full", y2017.P17, names...)
	whitened.PCAPowerLaw = true
	l1 := resultOn("a", y2017.Grouped, names[:40]...)
	l1.Distance = patches.L1
	nan := math.NaN()
	for _, c := range []struct {
		name, source                      string
		result                            *y2017.Result
		verification, matching, retrieval float64
	}{
		{"SIFT", "iago-suarez/hpatches-benchmark, commit e13464a, python/results", full, 65.12, 25.47, nan},
		{"OpenCV SIFT", "ducha-aiki/pytorch-sift, commit 00e726f, README.md", full, nan, 26.15, nan},
		{"SOSNet", "iago-suarez/hpatches-benchmark, commit e13464a, python/results; normalised descriptors here", whitened, 88.48, 53.75, nan},
		{"HardNet+", "DagnyT/hardnet, commit 59697ca, img/hardnet_hpatches.png; protocol: ours p17, published m17; the source does not state the pool of retrieval", full, nan, 52.76, 69.66},
		{"SIFT", "hpatches/hpatches-benchmark, commit cf5f43e, python/hpatches_results.pdf", a, 63.35, 24.42, 42.10},
		{"BRIEF", "iago-suarez/hpatches-benchmark, commit e13464a, python/hpatches_results.pdf; protocol: ours grouped, published p17; distance: ours L1, published L2", l1, 56.56, 9.21, 24.96},
	} {
		got, reason := Published(c.result, "")
		i := slices.IndexFunc(got, func(p report.PublishedRow) bool {
			return p.Method == c.name && p.Source.String() == c.source
		})
		if i < 0 || reason != "" {
			t.Errorf("%s of %s, split %s: not among %d, %q", c.name, c.source, c.result.Split, len(got), reason)
			continue
		}
		for task, want := range map[string]float64{"verification": c.verification, "matching": c.matching, "retrieval": c.retrieval} {
			v, has := got[i].Metrics[catalogue.TaskMetrics[task]]
			if has == math.IsNaN(want) || has && math.Abs(100*v-want) > 1e-9 {
				t.Errorf("%s of %s: %s is %v (%v), want %v", c.name, c.source, task, 100*v, has, want)
			}
		}
	}
}

func TestAllReasonsSayWhyNoPublishedResultsAreShown(t *testing.T) {
	names := dataset.HPatchesNames()
	for _, c := range []struct {
		result *y2017.Result
		want   string
	}{
		{resultOn("full", y2017.P17, "i_ski", "v_here"), "they are of HPatches, which has no sequence v_here; of 116 sequences (split full has 2 here)"},
		{resultOn("illum", y2017.P17, names[:57]...), "no published results: they are on the splits full and a, not illum"},
		{resultOn("a", y2017.P17, names[:4]...), "they are of 40 sequences (split a has 4 here)"},
	} {
		if got, reason := Published(c.result, ""); got != nil || !strings.Contains(reason, c.want) {
			t.Errorf("%v, %q, want %q", got, reason, c.want)
		}
	}
}
