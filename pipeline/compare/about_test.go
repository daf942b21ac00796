package compare

import (
	"testing"

	"descbench/eval/catalogue"
)

func TestTheThresholdIsThatOfTheEstimatorsWhoseNamesHaveNone(t *testing.T) {
	l := Legend{names: []string{"a"}, matchers: []string{"mutual nearest neighbours"}}
	const matches = "Matches: mutual nearest neighbours"
	for _, test := range []struct {
		metrics []string
		want    string
	}{
		{[]string{"ransac_homography_auc@3", "magsac_homography_auc@3"}, matches + "; homographies with an inlier threshold of 3 px"},
		{[]string{"ransac_1px_homography_auc@3"}, matches},
		{[]string{"ransac_1px_homography_auc@3", "ransac_homography_auc@3", "ransac_homography_auc@5"}, matches + "; homographies by ransac with an inlier threshold of 3 px"},
		{[]string{"dlt_homography_auc@3", "mma@3"}, matches},
		{[]string{"coverage"}, ""},
	} {
		if got := l.Matches(catalogue.OfAll(test.metrics)...); got != test.want {
			t.Errorf("%q: got %q, want %q", test.metrics, got, test.want)
		}
	}
}
