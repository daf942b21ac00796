package pipeline_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/config"
)

// TestPresetsPrintWhatTheirAuthorsScriptsPrint compares the metrics of each preset with
// those of testdata/reference/presets.py, which follows the authors' scripts, for the same
// features. Images are not resized here.
func TestPresetsPrintWhatTheirAuthorsScriptsPrint(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/reference/presets.json"))(t)
	var expected map[string]map[string]map[string]map[string]float64
	must.Do(t, json.Unmarshal(text, &expected))
	cache := t.TempDir()
	for _, p := range config.Presets() {
		if p.Pairs > 0 { // with cameras
			continue
		}
		for _, group := range []string{p.Name, p.Name + "/ratio", p.Name + "/few"} {
			want, found := expected[group]
			if !found {
				if group == p.Name {
					t.Errorf("presets.py has no preset %s", p.Name)
				}
				continue
			}
			descriptors := map[string]referenceFigures{}
			for name := range want {
				descriptors[name] = referenceFigures{}
			}
			set := []string{"evaluation.preset=" + p.Name, "dataset.resize.factor=1", "dataset.subset=all"}
			if strings.HasSuffix(group, "/ratio") {
				set = append(set, "evaluation.matcher.ratio=0.7")
			}
			if strings.HasSuffix(group, "/few") {
				set = append(set, "evaluation.shared_top_k=25")
			}
			run := runReference(t, referenceRunConfig(t, descriptors, set), cache)
			for name, scopes := range want {
				got := run.figures(t, name)
				for scope, metrics := range scopes {
					for _, m := range p.Metrics {
						if _, there := metrics[m.Name]; !there {
							t.Errorf("presets.py has no %s of %s", m.Name, group)
						}
					}
					for metric, value := range metrics {
						if is, ok := got.scopes[scope][metric]; !ok || !near(is.value, value) {
							t.Errorf("%s, %s, %s of %s: got %v, want %v", group, name, metric, scope, is.value, value)
						}
					}
				}
			}
		}
	}
}
