package matching

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"descbench/eval/record"
	"descbench/keypoints"
)

func at(x, y float32) keypoints.Keypoint { return keypoints.Keypoint{X: x, Y: y, Size: 1} }

// shift moves by 10 px to the right; exact, as is its inverse.
var shift, shiftBack = keypoints.Homography{1, 0, 10, 0, 1, 0, 0, 0, 1}, keypoints.Homography{1, 0, -10, 0, 1, 0, 0, 0, 1}

func TestRepeatabilityWorkedByHand(t *testing.T) {
	size := [2]int{100, 100}
	a := []keypoints.Keypoint{
		at(5, 5),     // to (15, 5): 3 px from b0
		at(50, 50),   // to (60, 50): 1 px from b1 and b2
		at(95, 50),   // to (105, 50), beyond image K, although b5 is 2 px away from (101, 50)
		at(20, 20),   // to (30, 20): alone
		at(0, 90),    // to (10, 90): 1 px from b4, which image 1 does not show
		at(89, 70),   // to (99, 70), the last column: alone
		at(89.5, 70), // to (99.5, 70), beyond it
	}
	b := []keypoints.Keypoint{
		at(15, 8),  // back to (5, 8): 3 px from a0, the tolerance itself
		at(60, 51), // back to (50, 51): 1 px from a1
		at(61, 50), // back to (51, 50): 1 px from a1
		at(80, 80), // back to (70, 80): alone
		at(9, 90),  // back to (-1, 90), beyond image 1
	}
	got := counted(shift, shiftBack, a, b, size, size)
	want := record.Pair{Shared1: 5, SharedK: 4, Repeated1: 2, RepeatedK: 3, RepeatedOnce: 2, RepeatErrorSum1: 3 + 1, RepeatErrorSumK: 3 + 1 + 1}
	if got.pair != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for name, f := range map[string][2]float64{
		"repeatability":            {got.repeatability(), 5. / 9},
		"one-to-one repeatability": {got.oneToOneRepeatability(), 4. / 9},
		"localization error":       {got.localizationErrorPx(), 9. / 5},
	} {
		if f[0] != f[1] {
			t.Errorf("%s: %v, want %v", name, f[0], f[1])
		}
	}
}

// mapping returns the mapping of an image to another one of these sizes.
func mapping(h keypoints.Homography, from, to [2]int) keypoints.Mapping {
	m, err := keypoints.Plane(h, from, to)
	if err != nil {
		panic(err)
	}
	return m
}

// counted returns the tally of a pair with the counts of its repeated keypoints.
func counted(h, inverse keypoints.Homography, a, b []keypoints.Keypoint, size1, sizeK [2]int) *pairTally {
	t := &pairTally{}
	EnterRepeatability(&t.pair, a, b, mapping(h, size1, sizeK).Places(a), mapping(inverse, sizeK, size1).Places(b))
	return t
}

func TestRepeatabilityOfNothingIsUndefined(t *testing.T) {
	size := [2]int{100, 100}
	far := []keypoints.Keypoint{at(95, 50), at(float32(math.NaN()), 3)}
	c := counted(shift, shiftBack, far, nil, size, size)
	if c.pair.Shared1 != 0 || !math.IsNaN(c.repeatability()) || !math.IsNaN(c.oneToOneRepeatability()) || !math.IsNaN(c.localizationErrorPx()) {
		t.Errorf("got %+v, %v, %v, %v", c.pair, c.repeatability(), c.oneToOneRepeatability(), c.localizationErrorPx())
	}
}

func TestRepeatabilityIsThatOfAllPairsOfKeypoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlanarPair(t)
		got := counted(p.h, p.inverse, p.a, p.b, p.size1, p.sizeK).pair

		want := got
		want.RepeatedOnce = 0
		nearestA, sharedA, repeatedA, errorA := allPairs(p.h, p.a, p.b, p.sizeK, p.inverse, p.size1)
		nearestB, sharedB, repeatedB, errorB := allPairs(p.inverse, p.b, p.a, p.size1, p.h, p.sizeK)
		want.Shared1, want.Repeated1, want.SharedK, want.RepeatedK = sharedA, repeatedA, sharedB, repeatedB
		for i, j := range nearestA {
			if j >= 0 && nearestB[j] == i {
				want.RepeatedOnce++
			}
		}
		if math.Abs(got.RepeatErrorSum1-errorA) > 1e-9 || math.Abs(got.RepeatErrorSumK-errorB) > 1e-9 {
			t.Fatalf("errors %v and %v, want %v and %v", got.RepeatErrorSum1, got.RepeatErrorSumK, errorA, errorB)
		}
		if got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		if 2*got.RepeatedOnce > got.Repeated1+got.RepeatedK {
			t.Fatalf("more keypoints are in pairs than repeated: %+v", got)
		}
	})
}

// allPairs compares the projection of each keypoint of a with each of b.
func allPairs(h keypoints.Homography, a, b []keypoints.Keypoint, sizeB [2]int, back keypoints.Homography, sizeA [2]int) (nearest []int, shared, repeated int32, errorSum float64) {
	within := func(x, y float64, size [2]int) bool {
		return x >= 0 && y >= 0 && x <= float64(size[0])-1 && y <= float64(size[1])-1
	}
	for _, p := range a {
		x, y := h.Apply(float64(p.X), float64(p.Y))
		best, least := -1, math.Inf(1)
		if within(x, y, sizeB) {
			shared++
			for j, q := range b {
				if bx, by := back.Apply(float64(q.X), float64(q.Y)); !within(bx, by, sizeA) {
					continue
				}
				dx, dy := float64(q.X)-x, float64(q.Y)-y
				if d := float64(dx*dx) + float64(dy*dy); math.Sqrt(d) <= 3 && d < least {
					best, least = j, d
				}
			}
		}
		if best >= 0 {
			repeated++
			errorSum += math.Sqrt(least)
		}
		nearest = append(nearest, best)
	}
	return nearest, shared, repeated, errorSum
}

// A planarPair is two images of one plane with keypoints.
type planarPair struct {
	h, inverse   keypoints.Homography
	a, b         []keypoints.Keypoint
	size1, sizeK [2]int
}

func drawPlanarPair(t *rapid.T) planarPair {
	p := planarPair{size1: [2]int{40, 30}, sizeK: [2]int{32, 48}}
	near := func(v, by float64, name string) float64 { return v + rapid.Float64Range(-by, by).Draw(t, name) }
	p.h = keypoints.Homography{
		near(1, 0.3, "h0"), near(0, 0.3, "h1"), near(0, 5, "h2"),
		near(0, 0.3, "h3"), near(1, 0.3, "h4"), near(0, 5, "h5"),
		near(0, 0.002, "h6"), near(0, 0.002, "h7"), 1,
	}
	var err error
	if p.inverse, err = p.h.Inverse(); err != nil {
		t.Fatal(err)
	}
	p.a = rapid.SliceOfN(drawKeypoint(0, 39), 0, 40).Draw(t, "a")
	p.b = rapid.SliceOfN(drawKeypoint(0, 47), 0, 40).Draw(t, "b")
	return p
}

// drawKeypoint draws keypoints, many of them at whole coordinates.
func drawKeypoint(low, high float32) *rapid.Generator[keypoints.Keypoint] {
	coordinate := rapid.OneOf(
		rapid.Float32Range(low, high),
		rapid.Map(rapid.IntRange(int(low), int(high)), func(v int) float32 { return float32(v) }))
	return rapid.Custom(func(t *rapid.T) keypoints.Keypoint { return at(coordinate.Draw(t, "x"), coordinate.Draw(t, "y")) })
}
