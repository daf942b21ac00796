package compare

import (
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/config"
)

// Set-ups have no paths of files and no parts of fusions, so what depends on them is
// never the same method by its set-up alone.
func TestSettingsOfAMethodDifferInTheMatcherAlone(t *testing.T) {
	c, err := config.Parse("best.yaml", []byte(`
experiment: {name: best}
dataset: {root: /data}
keypoint_sets:
  - {name: strong, detect: {type: sift}, border: 0, top: {by: response, per_image: 100}}
  - {name: strong-too, detect: {type: sift}, border: 0, top: {by: response, per_image: 100}}
  - {name: weak, detect: {type: sift}, border: 0, top: {by: response, per_image: 50}}
  - {name: sparse, detect: {type: sift}, border: 0, spatial: {min_distance_px: 5}, top: {by: response, per_image: 100}}
  - {name: sparser, detect: {type: sift}, border: 0, spatial: {min_distance_px: 6}, top: {by: response, per_image: 100}}
  - {name: old, import: {path: "/old/{scene}/{image}.csv"}}
  - {name: new, import: {path: "/new/{scene}/{image}.csv"}}
  - {name: new-border, from: new, border: 20}
  - {name: old-border, from: old, border: 20}
descriptors:
  - {name: a, type: sift, keypoints: strong, matcher: {ratio: 0.8}}
  - {name: b, type: sift, keypoints: strong-too, matcher: {ratio: 0.7}}
  - {name: c, type: sift, keypoints: weak, matcher: {ratio: 0.8}}
  - {name: d, type: sift, keypoints: old, matcher: {ratio: 0.8}}
  - {name: e, type: sift, keypoints: old, matcher: {ratio: 0.7}}
  - {name: f, type: sift, keypoints: new, matcher: {ratio: 0.7}}
  - {name: g, type: sift, keypoints: old-border}
  - {name: h, type: sift, keypoints: new-border}
  - {name: i, type: sift, keypoints: sparse}
  - {name: j, type: sift, keypoints: sparser}
`))
	must.Do(t, err)
	for pair, want := range map[string]bool{"ab": true, "ac": false, "de": true, "df": false, "gh": false, "gg": true, "ai": false, "ij": false} {
		a, b := c.Descriptors[pair[0]-'a'], c.Descriptors[pair[1]-'a']
		if got := sameMethod(c, a, b); got != want || sameMethod(c, b, a) != want {
			t.Errorf("%s and %s: the same method %v, want %v", a.Name, b.Name, got, want)
		}
	}
}
