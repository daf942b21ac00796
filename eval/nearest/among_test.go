package nearest_test

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"
	"pgregory.net/rapid"

	"descbench/descriptors"
	"descbench/eval/nearest"
)

// others returns a sample of all candidates but the truth.
func others(truth []int32, n int) func(q int, out []int32) []int32 {
	return func(q int, out []int32) []int32 {
		for j := range int32(n) {
			if j != truth[q] {
				out = append(out, j)
			}
		}
		return out
	}
}

func TestAmongAllCandidatesIsTheRankOfASearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		queries, candidates, truth := pairOfMatrices(t)
		for _, kernel := range nearest.Kernels() {
			opt := nearest.Options{Kernel: kernel, Workers: rapid.IntRange(0, 3).Draw(t, "workers")}
			found, err := nearest.Search(t.Context(), queries, candidates, truth, opt)
			if err != nil {
				t.Fatal(err)
			}
			less, equal, err := nearest.Among(t.Context(), queries, candidates, truth, others(truth, candidates.Rows), opt)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(less, found.Less) || !slices.Equal(equal, found.Equal) {
				t.Fatalf("kernel %s: less %v, equal %v, of the search %v and %v", kernel, less, equal, found.Less, found.Equal)
			}
		}
	})
}

func TestAmongASampleIsCountedAsBySorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		queries, candidates, truth := pairOfMatrices(t)
		samples := make([][]int32, queries.Rows)
		for q := range samples {
			if candidates.Rows > 0 && rapid.IntRange(0, 4).Draw(t, "empty") > 0 {
				samples[q] = rapid.SliceOfNDistinct(rapid.Int32Range(0, int32(candidates.Rows)-1), 0, 30, rapid.ID[int32]).Draw(t, "sample")
				samples[q] = slices.DeleteFunc(samples[q], func(j int32) bool { return j == truth[q] })
			}
		}
		for _, kernel := range nearest.Kernels() {
			opt := nearest.Options{Kernel: kernel, Workers: rapid.IntRange(0, 3).Draw(t, "workers")}
			less, equal, err := nearest.Among(t.Context(), queries, candidates, truth, func(q int, out []int32) []int32 {
				if len(out) != 0 {
					t.Errorf("query %d: out holds %d rows, want none", q, len(out))
				}
				if samples[q] == nil {
					return nil
				}
				return append(out, samples[q]...)
			}, opt)
			if err != nil {
				t.Fatal(err)
			}
			for q, sample := range samples {
				wantLess, wantEqual := sortedCounts(queries, q, candidates, truth[q], sample)
				if less[q] != wantLess || equal[q] != wantEqual {
					t.Fatalf("kernel %s, query %d, truth %d among %v: less %d, equal %d, want %d, %d",
						kernel, q, truth[q], sample, less[q], equal[q], wantLess, wantEqual)
				}
			}
		}
	})
}

// sortedCounts reads the counts off the sorted keys of the valid ones of a
// sample.
func sortedCounts(queries *descriptors.Matrix, q int, candidates *descriptors.Matrix, truth int32, sample []int32) (less, equal int32) {
	switch {
	case truth < 0:
		return 0, 0
	case queries.IsInvalid(q) || candidates.IsInvalid(int(truth)):
		return int32(len(sample)), 0
	}
	var keys []float64
	for _, j := range sample {
		if !candidates.IsInvalid(int(j)) {
			keys = append(keys, farness(queries, q, candidates, int(j)))
		}
	}
	sort.Float64s(keys)
	at := farness(queries, q, candidates, int(truth))
	first := sort.SearchFloat64s(keys, at)
	last := sort.Search(len(keys), func(k int) bool { return keys[k] > at })
	return int32(first), int32(last - first)
}

// Candidates at 1, 3, 5, 5, 9 and an invalid one at 4; queries at 4, 8, 4 and
// 0, which is invalid. The truths are 5 (row 3), 9, the invalid one and 1.
func TestAmongOnALineIsAsOnPaper(t *testing.T) {
	candidates := bytesOf(1, []uint8{1}, []uint8{3}, []uint8{5}, []uint8{5}, []uint8{9}, []uint8{4})
	candidates.Mark(5)
	queries := bytesOf(1, []uint8{4}, []uint8{8}, []uint8{4}, []uint8{0}, []uint8{4}, []uint8{4})
	queries.MarkEmpty()
	truth := []int32{3, 4, 5, 0, 0, -1}
	samples := [][]int32{{0, 1, 2, 5}, {0, 3, 5}, {0, 4}, {5, 4}, nil, {1, 2}}
	for _, kernel := range nearest.Kernels() {
		less, equal, err := nearest.Among(t.Context(), queries, candidates, truth,
			func(q int, _ []int32) []int32 { return samples[q] }, nearest.Options{Kernel: kernel})
		if err != nil {
			t.Fatal(err)
		}
		wantLess, wantEqual := []int32{0, 0, 2, 2, 0, 0}, []int32{2, 0, 0, 0, 0, 0}
		if !slices.Equal(less, wantLess) || !slices.Equal(equal, wantEqual) {
			t.Errorf("kernel %s: less %v, equal %v, want %v, %v", kernel, less, equal, wantLess, wantEqual)
		}
	}
}

func TestAmongRefusesRowsThatASampleMayNotHave(t *testing.T) {
	m := floatsOf(1, []float32{1}, []float32{2}, []float32{3})
	for _, c := range []struct {
		sample []int32
		want   string
	}{
		{[]int32{0, 3}, "sample of query 0 contains row 3, want rows of the 3 candidates other than its truth 1"},
		{[]int32{-1}, "sample of query 0 contains row -1"},
		{[]int32{2, 1}, "sample of query 0 contains row 1"},
	} {
		_, _, err := nearest.Among(t.Context(), m, m, []int32{1, -1, -1}, func(int, []int32) []int32 { return c.sample }, nearest.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	none := func(int, []int32) []int32 { return nil }
	if _, _, err := nearest.Among(t.Context(), m, m, []int32{1}, none, nearest.Options{}); err == nil || !strings.Contains(err.Error(), "1 truths for 3 queries") {
		t.Errorf("error %v, want one about the number of truths", err)
	}
	if _, _, err := nearest.Among(t.Context(), m, m, []int32{1, 1, 1}, none, nearest.Options{Kernel: "abacus"}); err == nil || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("error %v, want one about the kernel", err)
	}
}

func TestAmongHoldsASlotOnlyWhileItWorksAndStopsWhenCancelled(t *testing.T) {
	m := floatsOf(1, []float32{1}, []float32{2})
	truth := []int32{0, 1}
	slots := semaphore.NewWeighted(1)
	opt := nearest.Options{Slots: slots, Workers: 2}
	held := func(q int, out []int32) []int32 {
		if slots.TryAcquire(1) {
			t.Error("no slot is held while a sample is drawn")
			slots.Release(1)
		}
		return append(out, 1-truth[q])
	}
	if _, _, err := nearest.Among(t.Context(), m, m, truth, held, opt); err != nil {
		t.Fatal(err)
	}
	if !slots.TryAcquire(1) {
		t.Fatal("the slot is still held afterwards")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, _, err := nearest.Among(ctx, m, m, truth, others(truth, 2), opt); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a free slot: error %v, want the deadline's", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if _, _, err := nearest.Among(ctx, m, m, truth, others(truth, 2), nearest.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
