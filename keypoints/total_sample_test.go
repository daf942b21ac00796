package keypoints

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A sample of the whole keeps what sorting all random numbers at once keeps, whatever
// the order in which images are added.
func TestARandomSampleInTotalKeepsTheLargestDraws(t *testing.T) {
	type drawn struct {
		scene      string
		image, row int
		value      float64
	}
	draw := func(scene string, image, count int) []float64 {
		stream, values := rand.New(rand.NewPCG(uint64(len(scene)), uint64(image))), make([]float64, count)
		for i := range values {
			values[i] = stream.Float64()
		}
		return values
	}
	var all []drawn
	type place struct {
		scene string
		image int
	}
	sets := make(map[place]Set)
	var places []place
	for _, scene := range []string{"a", "bb", "ccc"} {
		for image := 1; image <= 4; image++ {
			p := place{scene, image}
			sets[p] = Set{Keypoints: make([]Keypoint, 10*image)}
			places = append(places, p)
			for row, v := range draw(scene, image, 10*image) {
				all = append(all, drawn{scene, image, row, v})
			}
		}
	}
	slices.SortFunc(all, func(a, b drawn) int { return cmp.Compare(b.value, a.value) })
	const n = 57
	var want []string
	for _, d := range all[:n] {
		want = append(want, fmt.Sprint(d.scene, d.image, " ", d.row))
	}
	slices.Sort(want)
	for range 3 {
		rand.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
		top := NewTotalSample(n, draw)
		for _, p := range places {
			top.Add(p.scene, p.image, sets[p])
		}
		cut := top.Cut()
		var got []string
		for _, p := range places {
			for _, row := range cut.Rows(p.scene, p.image, sets[p]) {
				got = append(got, fmt.Sprint(p.scene, p.image, " ", row))
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("kept %v, want %v", got, want)
		}
	}
}
