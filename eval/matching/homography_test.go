package matching

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"descbench/eval/scope"
)

func TestAccuracyAndAreaOfCornerErrorsWorkedByHand(t *testing.T) {
	// The curve of the first: (0, 0) (0.5, 0.2) (1, 0.4) (2.5, 0.6) (4, 0.8).
	// To 1, exclusive:  0.5·0.1 + 0.5·0.2                               = 0.15
	// to 3: 0.5·0.1 + 0.5·0.3 + 1.5·0.5 + 0.5·0.6                       = 1.25
	// to 5: 0.5·0.1 + 0.5·0.3 + 1.5·0.5 + 1.5·0.7 + 1·0.8               = 2.8
	for _, c := range []struct {
		errors         []float64
		limit          float64
		accuracy, area float64
	}{
		{[]float64{2.5, none, 0.5, 4, 1}, 1, 2. / 5, 0.15},
		{[]float64{2.5, none, 0.5, 4, 1}, 3, 3. / 5, 1.25 / 3},
		{[]float64{2.5, none, 0.5, 4, 1}, 5, 4. / 5, 2.8 / 5},
		{[]float64{3, 1}, 5, 1, 0.75}, // 1·0.25 + 2·0.75 + 2·1 = 3.75
		{[]float64{0, 0, 0}, 3, 1, 1},
		{[]float64{none, none}, 5, 0, 0},
		{[]float64{5}, 5, 1, 0}, // correct, but reached only at the limit
	} {
		list := &scope.List{}
		figures{scope.Of(scenesWith(c.errors))[0], list, Mutual, false}.homographies(homographyLimitsPx[:])
		got := make(map[string]float64)
		for _, m := range list.Metrics {
			got[m.Name] = m.Value
		}
		if got := got[fmt.Sprintf("e_homography_accuracy@%g", c.limit)]; got != c.accuracy {
			t.Errorf("accuracy of %v at %v: %v, want %v", c.errors, c.limit, got, c.accuracy)
		}
		if got := got[fmt.Sprintf("e_homography_auc@%g", c.limit)]; math.Abs(got-c.area) > 1e-15 {
			t.Errorf("area of %v to %v: %v, want %v", c.errors, c.limit, got, c.area)
		}
	}
	if got := NewPairValues(nil).AUC(nil, 3); !math.IsNaN(got) {
		t.Errorf("area of nothing: %v", got)
	}
}

// All estimates of a draw count, as in Parskatt/dad's hpatches.py; draws have a mean and a
// standard deviation.
func TestRepetitionsArePooledAndDrawsAveraged(t *testing.T) {
	scenes := scenesWith([]float64{1, 2})
	for i, px := range [][3]float64{{1, none, 4}, {2, 2, 2}} {
		p := scenes[i].Parts[0].Tally
		p.estimates = []EstimateError{{Estimator: "dlt", Px: 9}}
		for _, name := range []string{"magsac_3x", "ransac"} {
			for _, px := range px {
				p.estimates = append(p.estimates, EstimateError{Estimator: name, Px: px})
			}
		}
	}
	list := &scope.List{}
	figures{scope.Of(scenes)[0], list, Mutual, false}.homographies(homographyLimitsPx[:])
	want := map[string]float64{
		"magsac_3x_homography_accuracy@3": 4. / 6, "dlt_homography_accuracy@10": 1, "dlt_homography_auc@7": 0,
		// Recall is 1/6 from 1 px, 4/6 from 2 px, 5/6 from 4 px.
		"magsac_3x_homography_auc@5": (1./6/2 + (1./6+2./6)/2 + (4./6 + 5./6) + 5./6) / 5,
		// The draws are 1 and 2 px, infinite and 2 px, 4 and 2 px.
		"ransac_homography_accuracy@3": 4. / 6, "ransac_homography_accuracy@3_std": math.Sqrt((4 + 1 + 1) / 36. / 2),
		"ransac_homography_auc@5": (.8 + .4 + .6) / 3, "ransac_homography_auc@5_std": .2,
	}
	for _, m := range list.Metrics {
		if value, ok := want[m.Name]; ok && (math.Abs(m.Value-value) > 1e-15 || m.N != 2) {
			t.Errorf("%s is %v of %d, want %v", m.Name, m.Value, m.N, value)
		}
		if strings.HasSuffix(m.Name, "_std") && !strings.HasPrefix(m.Name, "ransac_") {
			t.Errorf("%s of one draw", m.Name)
		}
		delete(want, m.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

// scenesWith returns a scene for each corner error of the estimator "e".
func scenesWith(errors []float64) []sceneTally {
	var out []sceneTally
	for i, px := range errors {
		p := &pairTally{estimates: []EstimateError{{Estimator: "e", Px: px}}}
		out = append(out, sceneTally{Name: fmt.Sprint("v_", i), Parts: []scope.Part[*pairTally]{{K: 2, Tally: p}}})
	}
	return out
}
