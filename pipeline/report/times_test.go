package report

import (
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// Two scenes of 3 images, 4 pairs: 0.6 s for 6 images are 100 ms each, 0.1 s for 4 pairs are 25 ms each. Waiting counts where the time was measured in this run.
func TestRatesAndLoadAreThoseOfAllScenes(t *testing.T) {
	timing := func(scene, stage string, seconds, waited float64, cached int) store.Timing {
		return store.Timing{Descriptor: "mine", Scene: scene, Stage: stage, Seconds: seconds, Images: 3, Cached: cached, Keypoints: 10, Waited: waited}
	}
	for _, c := range []struct {
		waited float64
		cached int
		marked bool
	}{{.1, 0, false}, {.5, 0, true}, {.5, 3, false}} {
		r := &fold.Run{Config: &config.Config{}, Systems: []*fold.System{{Descriptor: "mine", Own: "mine"}}, Timings: []store.Timing{
			timing("a", store.DescribeStage, .4, c.waited, c.cached), timing("b", store.DescribeStage, .2, c.waited, c.cached),
			timing("a", store.SearchStage, .06, 0, 0), timing("b", store.SearchStage, .04, 0, 0),
		}}
		var out strings.Builder
		must.Do(t, TimesTable(r).Write(&out, table.Markdown, 0))
		want := "| mine | 100.00 | 25.00 | 30000.00 |"
		if c.marked {
			want = "| mine | 100.00 (under load) | 25.00 (under load) | 30000.00 |"
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%+v: got\n%s\nwant %s", c, out.String(), want)
		}
	}
}
