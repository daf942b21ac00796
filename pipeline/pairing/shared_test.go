package pairing

import (
	"math/rand/v2"
	"slices"
	"testing"

	"descbench/eval/record"
	"descbench/keypoints"
	"descbench/pipeline/config"
)

// In Key.Net's region, positions are rounded to pixels, of ties the even one, and their
// projections to 1/32 px; the mask of the other image has to be 0.75 there.
func TestKeynetsRegionLeavesOutBordersOfBothImages(t *testing.T) {
	image := view{width: 100, height: 80}
	moved := func(dx, dy float64) keypoints.Homography { return keypoints.Homography{1, 0, dx, 0, 1, dy, 0, 0, 1} }
	for _, c := range []struct {
		x, y float32
		h    keypoints.Homography
		want bool
	}{
		{14.5, 40, moved(5, 0), false}, {14.6, 40, moved(5, 0), true}, {84.5, 40, moved(-5, 0), true}, {84.6, 40, moved(-5, 0), false},
		{40, 14.4, moved(0, 5), false}, {40, 15.4, moved(0, 5), true}, {40, 64.5, moved(0, -5), true}, {40, 65, moved(0, -5), false},
		{20, 40, moved(-5.25, 0), true}, {20, 40, moved(-5.26, 0), true}, {20, 40, moved(-5.27, 0), false}, // x = 14.75
		{80, 40, moved(4.25, 0), true}, {80, 40, moved(4.27, 0), false},
		{20, 20, moved(-5.125, -5.125), true}, {20, 20, moved(-5.15, -5.15), false}, // a corner: 0.875² and 0.844²
		{-3, 40, moved(30, 0), false}, {40, 40, moved(200, 0), false}, {40, 40, keypoints.Homography{1, 0, 0, 0, 1, 0, 1, 0, -40}, false},
	} {
		if got := sharedByKeynet(keypoints.Keypoint{X: c.x, Y: c.y}, mappingOf(c.h, image, image), image, image); got != c.want {
			t.Errorf("(%v, %v) by %v: %v, want %v", c.x, c.y, c.h, got, c.want)
		}
	}
}

// TestSelectedKeypointsAreEvaluatedAsIfThereWereNoOthers compares the records of a pair
// with those of the pair from which the other keypoints were removed by hand.
func TestSelectedKeypointsAreEvaluatedAsIfThereWereNoOthers(t *testing.T) {
	const n = 12
	rng := rand.New(rand.NewPCG(3, 4))
	h := keypoints.Homography{1, 0, 60, 0, 1, -20, 0, 0, 1} // image 1 shows 140×130 px of image K
	first, other := randomView(rng, 60, 200, 150), randomView(rng, 80, 200, 150)
	for _, v := range []view{first, other} {
		for i := range v.set.Keypoints {
			v.set.Keypoints[i].Response = float32(rng.IntN(20)) // with ties
		}
	}
	// The last column of image K belongs to the region: x is below its width.
	first.set.Keypoints[7] = keypoints.Keypoint{X: 139.5, Y: 60, Size: 3, Response: 99}
	first.set.Keypoints[8] = keypoints.Keypoint{X: 140, Y: 60, Size: 3, Response: 99} // beyond
	for i := range 30 {                                                               // projections of queries
		other.set.Keypoints[i].X, other.set.Keypoints[i].Y = first.set.Keypoints[i].X+60, first.set.Keypoints[i].Y-20
	}
	chosen := func(v view, dx, dy float32) []int {
		var rows []int
		for r := 99; r >= 0; r-- {
			for row, k := range v.set.Keypoints {
				x, y := k.X+dx, k.Y+dy
				if int(k.Response) == r && x >= 0 && x < 200 && y >= 0 && y < 150 {
					rows = append(rows, row)
				}
			}
		}
		rows = rows[:n]
		slices.Sort(rows)
		return rows
	}
	rows1, rowsK := chosen(first, 60, -20), chosen(other, -60, 20)
	if !slices.Contains(rows1, 7) || slices.Contains(rows1, 8) {
		t.Fatalf("selected %v", rows1)
	}
	_, want := evaluated(t, pairing{first: first.only(rows1), other: other.only(rowsK), mapping: mappingOf(h, first, other), scene: "v_a", k: 2})
	pair, queries := evaluated(t, pairing{first: first, other: other, mapping: mappingOf(h, first, other), scene: "v_a", k: 2, evaluation: config.Evaluation{SharedTopK: n}})
	if pair.Keypoints1 != 60 || pair.KeypointsK != 80 || pair.Shared1 != n || pair.SharedK != n || len(queries) != 60 {
		t.Errorf("pair is %+v", pair)
	}
	if _, err := record.NewRecords(pair, queries); err != nil {
		t.Error(err)
	}
	matched := 0
	for row, q := range queries {
		i := slices.Index(rows1, row)
		if i < 0 {
			if q.Nearest >= 0 || q.Truth >= 0 || q.Mutual || q.Shared {
				t.Errorf("query %d, not selected: %+v", row, q)
			}
			continue
		}
		w := want[i]
		for _, r := range []*int32{&w.Truth, &w.Nearest, &w.Second} {
			if *r >= 0 {
				*r = int32(rowsK[*r])
			}
		}
		w.Row, w.Shared = int32(row), true
		if q.Nearest >= 0 {
			matched++
			if k := other.set.Keypoints[q.Nearest]; k.X != q.NearestX || k.Y != q.NearestY {
				t.Errorf("query %d: nearest row %d at (%v, %v)", row, q.Nearest, q.NearestX, q.NearestY)
			}
		}
		if got, is := [...]any{q.Row, q.Truth, q.Nearest, q.Second, q.Less, q.Equal, q.Mutual, q.Shared, q.Candidates, q.X}, [...]any{w.Row, w.Truth, w.Nearest, w.Second, w.Less, w.Equal, w.Mutual, w.Shared, w.Candidates, w.X}; got != is {
			t.Errorf("query %d: got %v, want %v", row, got, is)
		}
	}
	if matched == 0 {
		t.Error("no query has a nearest neighbour")
	}
}
