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
	step := func(short string) config.Step { return config.Step{Short: short, Paper: "in a paper " + short} }
	border := step("border 40 px")
	l := Legend{
		{Descriptor: config.Descriptor{Name: "a"}, recipe: []config.Step{step("detect sift"), border}},
		{Descriptor: config.Descriptor{Name: "b"}, recipe: []config.Step{step("detect surf"), border}, settings: []config.Step{step("root: l1")}},
		{Descriptor: config.Descriptor{Name: "c"}, recipe: []config.Step{step("detect sift"), border}},
	}
	if got, want := l.Setup(), []string{
		"Keypoints: a, c (in a paper detect sift, in a paper border 40 px), b (in a paper detect surf, in a paper border 40 px)", "Settings: b (in a paper root: l1)",
	}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	facts := l.Facts()
	if want := fact.New(fact.OtherSets).Naming("sets", "detect sift", "detect surf").Naming("detect sift", "a", "c").Naming("detect surf", "b"); len(facts) != 1 || !reflect.DeepEqual(facts[0], want) {
		t.Errorf("got %v, want %v, without the step that all have", facts, want)
	}
	if got, want := l[:1].Setup(), []string{"Keypoints: in a paper detect sift, in a paper border 40 px"}; !slices.Equal(got, want) {
		t.Errorf("of one: got %q, want %q", got, want)
	}
	if facts := l[:1].Facts(); facts != nil {
		t.Errorf("of one: %v", facts)
	}
	l[1].recipe = nil // matches only
	if facts := l.Facts(); len(facts) != 1 || !slices.Equal(facts[0].Names["sets"], []string{"detect sift, border 40 px", "matches only"}) {
		t.Errorf("of matches: %v", facts)
	}
}
