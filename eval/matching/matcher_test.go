package matching

import (
	"math"
	"slices"
	"testing"

	"descbench/eval/record"
)

// Worked out by hand: row 0 has ratio 0.5 and is mutual, row 1 has ratio 0.8 and is
// not, row 2 has no neighbour, row 3 has one candidate only, row 4 has ratio 1 (both
// distances 0), row 5 ties row 0's distance.
func sixQueries() []record.Query {
	q := []record.Query{
		{Nearest: 4, Second: 1, NearestDistance: 0.25, SecondDistance: 0.5, Mutual: true},
		{Nearest: 4, Second: 2, NearestDistance: 0.4, SecondDistance: 0.5},
		{Nearest: -1, Second: -1, NearestDistance: math.NaN(), SecondDistance: math.NaN()},
		{Nearest: 0, Second: -1, NearestDistance: 0.1, SecondDistance: math.NaN(), Mutual: true},
		{Nearest: 1, Second: 2, NearestDistance: 0, SecondDistance: 0, Mutual: true},
		{Nearest: 2, Second: 1, NearestDistance: 0.25, SecondDistance: 1, Mutual: true},
	}
	for i := range q {
		q[i].Row = int32(i)
	}
	return q
}

func TestAMatcherAcceptsWhatPassesAllItsTests(t *testing.T) {
	for _, c := range []struct {
		matcher Matcher
		text    string
		want    []int32
	}{
		{Matcher{}, "nearest neighbours", []int32{0, 1, 3, 4, 5}},
		{Mutual, "mutual nearest neighbours", []int32{0, 3, 4, 5}},
		{Matcher{Ratio: 0.8}, "nearest neighbours, ratio 0.8", []int32{0, 1, 5}},
		{Matcher{CrossCheck: true, Ratio: 0.8}, "mutual nearest neighbours, ratio 0.8", []int32{0, 5}},
		{Matcher{Ratio: 1}, "nearest neighbours, ratio 1", []int32{0, 1, 4, 5}},
		{Matcher{MaxDistance: 0.25}, "nearest neighbours, distance 0.25", []int32{0, 3, 4, 5}},
		{Matcher{CrossCheck: true, TopK: 3}, "mutual nearest neighbours, top 3", []int32{0, 3, 4}},
		{Matcher{TopK: 9}, "nearest neighbours, top 9", []int32{0, 1, 3, 4, 5}},
		{Matcher{true, 0.5, 0.25, 1}, "mutual nearest neighbours, ratio 0.5, distance 0.25, top 1", []int32{0}},
	} {
		if got := c.matcher.Match(sixQueries()); !slices.Equal(got, c.want) {
			t.Errorf("%v: matches %v, want %v", c.matcher, got, c.want)
		}
		if got := c.matcher.String(); got != c.text {
			t.Errorf("found %q, want %q", got, c.text)
		}
	}
}

func TestEachEstimatorHasOneName(t *testing.T) {
	for _, c := range []struct {
		name, method string
		px           float64
	}{{"dlt", "dlt", 3}, {"ransac", "ransac", 3}, {"magsac", "magsac", 3}, {"ransac_0.5px", "ransac", 0.5}, {"magsac_10px", "magsac", 10}} {
		if method, px, err := ParseEstimator(c.name); method != c.method || px != c.px || err != nil {
			t.Errorf("%s: %s, %v px, %v", c.name, method, px, err)
		}
	}
	for name, want := range map[string]string{
		"ransak":     "want dlt, ransac or magsac, or the latter two with an inlier threshold, such as ransac_0.5px (did you mean ransac?)",
		"dlt_1px":    "want dlt, ransac or magsac, or the latter two with an inlier threshold, such as ransac_0.5px (did you mean dlt?)",
		"ransac_3px": "want ransac, whose threshold is 3 px", "ransac_01px": "want the threshold as a plain decimal with px, such as ransac_0.5px",
		"magsac_1": "want the threshold as a plain decimal with px, such as magsac_0.5px", "ransac_0px": "want a threshold above 0 and up to 100 px",
		"ransac_101px": "want a threshold above 0 and up to 100 px", "ransac_NaNpx": "want a threshold above 0 and up to 100 px",
	} {
		if _, _, err := ParseEstimator(name); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

func TestCornerErrorsOfAllEstimatorsAreReadAsEntered(t *testing.T) {
	want := []CornerError{{"dlt", 2.5}, {"magsac", math.Inf(1)}, {"ransac", 1}, {"ransac_0.5px", math.Inf(1)}, {"ransac_1px", 0}}
	var p record.Pair
	EnterCornerErrors(&p, want)
	if got := CornerErrors(&p); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if want := `{"dlt":2.5,"ransac_0.5px":null,"ransac_1px":0}`; p.CornerErrors != want {
		t.Errorf("%s, want %s", p.CornerErrors, want)
	}
}
