package report

import (
	"regexp"
	"strings"
	"testing"

	"descbench/eval"
	"descbench/pipeline/store"
)

func TestTheNamesInTheHeaderAreThoseOfMetrics(t *testing.T) {
	line := row{descriptor: "d"}
	want := []string{
		"true_map_micro", "true_map_macro_by_scene", "viewpoint_map", "illumination_map", "true_map_micro_including_zeros",
		"precision_at_1", "precision_at_5", "coverage", "mean_gallery_size", "total_keypoints",
	}
	for _, name := range want {
		line.metrics = append(line.metrics, store.Figure{Name: name, Value: 0.5})
	}
	var out strings.Builder
	if err := (table{rows: []row{line}, cutoffs: []int{1, 5}}).write(&out); err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(out.String(), "\n")
	titles := regexp.MustCompile(` {2,}`).Split(header, -1)[1:] // but "descriptor"
	if len(titles) != len(want) {
		t.Fatalf("titles %q, want %d", titles, len(want))
	}
	for i, title := range titles {
		if got, _, err := eval.Resolve(title); got != want[i] || err != nil {
			t.Errorf("%s is %s, %v, want %s", title, got, err, want[i])
		}
	}
}
