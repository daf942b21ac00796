package matching

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"descbench/eval/must"
	"descbench/eval/record"
	"descbench/keypoints"
)

// testdata/partners.py drew the keypoints and found their partners.
func TestPartnersAreThoseOfTheWholeMatrixOfDistances(t *testing.T) {
	var drawn struct {
		A, B     [][2]float32
		Partners []int32
	}
	must.Do(t, json.Unmarshal(must.Get(os.ReadFile("testdata/partners.json"))(t), &drawn))
	set := func(points [][2]float32) (list []keypoints.Keypoint) {
		for _, p := range points {
			list = append(list, keypoints.Keypoint{X: p[0], Y: p[1]})
		}
		return list
	}
	a, b := set(drawn.A), set(drawn.B)
	m := must.Get(keypoints.Plane(keypoints.Homography{0.9, -0.2, 20, 0.15, 1.1, -10, 2e-4, -1e-4, 1}, [2]int{100, 100}, [2]int{100, 100}))(t)
	if got := Partners(a, b, m.Places(a), m.Inverse().Places(b)); len(got) != 60 || !slices.Equal(got, drawn.Partners) {
		t.Errorf("got  %v\nwant %v", got, drawn.Partners)
	}
	if got := Partners(a[:1], nil, m.Places(a[:1]), nil); got[0] != NoPartner {
		t.Errorf("without other keypoints %v", got)
	}
	unknown := []keypoints.Place{{X: math.NaN(), Y: math.NaN(), State: keypoints.Unknown}}
	if got := Partners(a[:1], b, unknown, m.Inverse().Places(b)); got[0] != UnknownPartner {
		t.Errorf("of an unknown place %v", got)
	}
}

// Of four queries, the first is matched with its partner, the second with another keypoint, the third
// is right to be alone but matched, the fourth says nothing: recall 1/3 of those with a partner
// (the fifth is not matched), precision 1/3.
func TestPartnersCountForRecallAndPrecision(t *testing.T) {
	queries := []record.Query{{Partner: 4, Nearest: 4}, {Partner: 5, Nearest: 4}, {Partner: NoPartner, Nearest: 1}, {Partner: UnknownPartner, Nearest: 2}, {Partner: 7, Nearest: 7}}
	if got, want := countPartners(queries, []int32{0, 1, 2, 3}), (partnerCount{partners: 3, judged: 3, correct: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
