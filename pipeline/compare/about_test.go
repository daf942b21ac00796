package compare

import (
	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/pipeline/config"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestTheThresholdIsThatOfTheEstimatorsWhoseNamesHaveNone(t *testing.T) {
	l := Legend{{Descriptor: config.Descriptor{Name: "a"}, matcher: "mutual nearest neighbours"}}
	const matches = "Matches: mutual nearest neighbours"
	for _, test := range []struct {
		metrics []string
		want    string
	}{
		{[]string{"ransac_homography_auc@3", "magsac_homography_auc@3"}, matches + "; Homographies with an inlier threshold of 3 px"},
		{[]string{"ransac_1px_homography_auc@3"}, matches},
		{[]string{"ransac_1px_homography_auc@3", "ransac_homography_auc@3", "ransac_homography_auc@5"}, matches + "; Homographies by ransac with an inlier threshold of 3 px"},
		{[]string{"dlt_homography_auc@3", "mma@3"}, matches},
		{[]string{"coverage"}, ""},
	} {
		if got := strings.Join(l.Matches(catalogue.OfAll(test.metrics)...), "; "); got != test.want {
			t.Errorf("%q: got %q, want %q", test.metrics, got, test.want)
		}
	}
}

func TestDifferentKeypointsAndSettingsAreDescribed(t *testing.T) {
	l := Legend{
		{Descriptor: config.Descriptor{Name: "a"}, recipe: []string{"SIFT detector", "a margin of 40 px"}},
		{Descriptor: config.Descriptor{Name: "b"}, recipe: []string{"SURF detector", "a margin of 40 px"}, settings: []string{"square roots"}},
		{Descriptor: config.Descriptor{Name: "c"}, recipe: []string{"SIFT detector", "a margin of 40 px"}},
	}
	if got, want := l.Setup(), []string{
		"Keypoints: a, c (SIFT detector, a margin of 40 px), b (SURF detector, a margin of 40 px)", "Settings: b (square roots)",
	}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	facts := l.Facts()
	if want := fact.New(fact.OtherSets).Naming("sets", "SIFT detector", "SURF detector").Naming("SIFT detector", "a", "c").Naming("SURF detector", "b"); len(facts) != 1 || !reflect.DeepEqual(facts[0], want) {
		t.Errorf("got %v, want %v, without the step that all have", facts, want)
	}
	if got, want := l[:1].Setup(), []string{"Keypoints: SIFT detector, a margin of 40 px"}; !slices.Equal(got, want) {
		t.Errorf("of one: got %q, want %q", got, want)
	}
	if facts := l[:1].Facts(); facts != nil {
		t.Errorf("of one: %v", facts)
	}
	l[1].recipe = nil // matches only
	if facts := l.Facts(); len(facts) != 1 || !slices.Equal(facts[0].Names["sets"], []string{"SIFT detector, a margin of 40 px", "matches only"}) {
		t.Errorf("of matches: %v", facts)
	}
}
