package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Worked out on paper from m × 2/2ⁿ ≤ 0.05.
func TestTheScenesThatAFamilyNeeds(t *testing.T) {
	for m, want := range map[int]int{1: 6, 2: 7, 3: 7, 4: 8, 6: 8, 7: 9, 12: 9, 13: 10, 15: 10, 25: 10, 26: 11, 87: 12, 30_000: 20} {
		if got := ScenesNeeded(m); got != want {
			t.Errorf("%d comparisons: got %d scenes, want %d", m, got, want)
		}
	}
}

// The smallest p are 2/2ⁿ of the scenes given.
func TestOnlyComparisonsThatCanBeDecidedAreTested(t *testing.T) {
	for _, test := range []struct {
		scenes []int
		want   []bool
	}{
		{[]int{6}, []bool{true}},                            // 1/32 ≤ 0.05
		{[]int{5}, []bool{false}},                           // 1/16
		{[]int{6, 6}, []bool{false, false}},                 // two at 1/32, but 1/64 is wanted
		{[]int{7, 7}, []bool{true, true}},                   // 1/64 ≤ 0.025
		{[]int{12, 6, 6}, []bool{true, false, false}},       // 6 scenes would cost the 12
		{[]int{5, 3, 2}, []bool{false, false, false}},       // five scenes
		{[]int{116, 59, 57}, []bool{true, true, true}},      // all of HPatches, random flips
		{[]int{7, 6, 0}, []bool{true, false, false}},        // 1/64 ≤ 0.05/2; 1/32 is not
		{[]int{8, 8, 8, 8}, []bool{true, true, true, true}}, // 1/128 ≤ 0.05/4
		{slices.Repeat([]int{9}, 13), make([]bool, 13)},     // 13/256 = 0.0508
	} {
		smallest := make([]float64, len(test.scenes))
		for i, n := range test.scenes {
			smallest[i] = SmallestP(n)
		}
		if got := Decidable(smallest); !slices.Equal(got, test.want) {
			t.Errorf("%v scenes: got %v, want %v", test.scenes, got, test.want)
		}
	}
}

func TestEveryMemberOfAFamilyCanBeSignificant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var smallest []float64
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 40), 0, 60).Draw(t, "scenes") {
			smallest = append(smallest, SmallestP(n))
		}
		in := Decidable(smallest)
		family := 0
		for _, x := range in {
			if x {
				family++
			}
		}
		for i, x := range in {
			if x && float64(family)*smallest[i] > 0.05 {
				t.Fatalf("%v: %v in a family of %d", smallest, smallest[i], family)
			}
			together := 0 // with those of the same p and all smaller ones
			for _, p := range smallest {
				if p <= smallest[i] {
					together++
				}
			}
			if !x && float64(together)*smallest[i] <= 0.05 {
				t.Fatalf("%v: %v would fit into a family of %d", smallest, smallest[i], together)
			}
		}
	})
}

// Twelve comparisons over few scenes, none of which differs but by chance: at most
// 5 % of such families have any significant result, with a margin for 500 of them.
func TestFalseClaimsStayBelowFivePerCent(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const families = 500
	claimed := 0
	for range families {
		var p, smallest []float64
		for i := range 12 {
			n := []int{6, 8, 10}[i%3]
			differences := make([]float64, n)
			for s := range n {
				differences[s] = rng.NormFloat64()
			}
			exact, _ := signFlips(1, differences)
			p, smallest = append(p, exact), append(smallest, SmallestP(n))
		}
		for i, in := range Decidable(smallest) {
			if !in {
				p[i] = math.NaN()
			}
		}
		if slices.ContainsFunc(Holm(p), func(v float64) bool { return v <= 0.05 }) {
			claimed++
		}
	}
	if share := float64(claimed) / families; share > 0.05+3*math.Sqrt(0.05*0.95/families) {
		t.Errorf("%.3f of the families have a false claim", share)
	}
}
