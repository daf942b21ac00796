package y2017

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"descbench/eval/must"
	"descbench/eval/patches"
)

// sequences returns those with these numbers of patches.
func sequences(textured func(sequence, index int) bool, counts ...int) (list []patches.StripSequence) {
	for s, n := range counts {
		list = append(list, patches.StripSequence{Name: []string{"i_a", "v_b", "v_c", "i_d"}[s], Textured: make([]bool, n)})
		for i := range n {
			list[s].Textured[i] = textured(s, i)
		}
	}
	return list
}

func TestDrawnTasksKeepTheRulesOfTheBenchmark(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts, total := rapid.SliceOfN(rapid.IntRange(2, 30), 2, 4).Draw(t, "patches"), 0
		for _, n := range counts {
			total += n
		}
		d := Drawing{
			Pairs: rapid.IntRange(1, 40*total).Draw(t, "pairs"), Queries: rapid.IntRange(1, 50).Draw(t, "queries"),
			Distractors: rapid.IntRange(1, 100).Draw(t, "distractors"), Seed: rapid.Uint64().Draw(t, "seed"),
		}
		textured := func(sequence, index int) bool { return (sequence+index)%3 > 0 }
		got, err := Draw("x", sequences(textured, counts...), d)
		must.Do(t, err)
		if n := min(d.Pairs, 15*total); len(got.Positive) != n || len(got.Intra) != n || len(got.Inter) != n {
			t.Fatalf("%d, %d and %d pairs, want %d of %d patches", len(got.Positive), len(got.Intra), len(got.Inter), n, total)
		}
		type images struct {
			sequence uint16
			index    int32
			low, up  uint8
		}
		seen := map[images]bool{}
		for i, p := range got.Positive {
			intra, inter := got.Intra[i], got.Inter[i]
			if p.A != intra.A || p.A != inter.A || p.B.Image != intra.B.Image || p.B.Image != inter.B.Image {
				t.Fatalf("line %d: %v, %v and %v do not share a patch and an image", i, p, intra, inter)
			}
			if p.A.Sequence != p.B.Sequence || p.A.Index != p.B.Index || p.A.Image == p.B.Image || max(p.A.Image, p.B.Image) > 5 {
				t.Fatalf("line %d: %v is no positive of two images", i, p)
			}
			if intra.B.Sequence != p.A.Sequence || intra.B.Index == p.A.Index || inter.B.Sequence == p.A.Sequence {
				t.Fatalf("line %d: %v, %v are no negatives of the same and of another sequence", i, intra, inter)
			}
			key := images{p.A.Sequence, p.A.Index, min(p.A.Image, p.B.Image), max(p.A.Image, p.B.Image)}
			if seen[key] {
				t.Fatalf("line %d: %v was drawn before", i, p)
			}
			seen[key] = true
		}
		if len(got.Queries) == 0 || len(got.Distractors) == 0 || len(got.Queries) > max(d.Queries, 1) || len(got.Distractors) > d.Distractors {
			t.Fatalf("%d queries and %d distractors, want 1 to %d and 1 to %d", len(got.Queries), len(got.Distractors), d.Queries, d.Distractors)
		}
		list := slices.Concat(got.Queries, got.Distractors)
		for i, p := range list {
			if p.Image != 0 || !textured(int(p.Sequence), int(p.Index)) || slices.Contains(list[:i], p) {
				t.Fatalf("%v is not of a reference, has no texture, or is there twice", p)
			}
		}

		// What is written is what is read.
		again := &Drawn{}
		for i, f := range got.Files() {
			var b bytes.Buffer
			must.Do(t, f.Write(&b))
			if i < 3 {
				*[]*[]Pair{&again.Positive, &again.Inter, &again.Intra}[i], err = readPairs([]string{positiveFile, interFile, intraFile}[i], f.Name, &b, got.Sequences)
			} else {
				*[]*[]Patch{&again.Queries, &again.Distractors}[i-3], err = readPatches(f.Name, &b, got.Sequences)
			}
			must.Do(t, err)
		}
		if !slices.Equal(again.Positive, got.Positive) || !slices.Equal(again.Intra, got.Intra) || !slices.Equal(again.Inter, got.Inter) ||
			!slices.Equal(again.Queries, got.Queries) || !slices.Equal(again.Distractors, got.Distractors) {
			t.Fatal("the files say something else")
		}
	})
}

// Of many draws each image and each other patch has its share.
func TestWhatIsDrawnIsEquallyLikely(t *testing.T) {
	all := func(int, int) bool { return true }
	got, err := Draw("x", sequences(all, 2000, 1000, 500), Drawing{Pairs: 30000, Queries: 1000, Distractors: 2000, Seed: 3})
	must.Do(t, err)
	var first, second [6]int
	var of, other [3]int
	for i, p := range got.Positive {
		first[p.A.Image]++
		second[p.B.Image]++
		of[p.A.Sequence]++
		if p.A.Sequence == 0 {
			other[got.Inter[i].B.Sequence]++
		}
	}
	near := func(what string, n int, want float64) {
		t.Helper()
		if float64(n) < 0.94*want || float64(n) > 1.06*want { // 4 standard deviations
			t.Errorf("%s: drawn %d times, want about %.0f", what, n, want)
		}
	}
	for k := range first {
		near("first image", first[k], 5000)
		near("second image", second[k], 5000)
	}
	near("sequence of 2000 patches", of[0], 30000*2000.0/3500)
	near("sequence of 500 patches", of[2], 30000*500.0/3500)
	near("negative of 1000 patches", other[1], float64(of[0])*2/3)
	queries := [3]int{}
	for _, p := range got.Queries {
		queries[p.Sequence]++
	}
	if len(got.Queries) != 1000 || len(got.Distractors) != 2000 || queries[0] < 500 || queries[0] > 645 {
		t.Errorf("%d queries, %d of them of 2000 of 3500 patches, and %d distractors", len(got.Queries), queries[0], len(got.Distractors))
	}
}

func TestTooFewPatchesAreRefused(t *testing.T) {
	all, none := func(int, int) bool { return true }, func(int, int) bool { return false }
	d := Drawing{Pairs: 10, Queries: 2, Distractors: 4}
	for _, c := range []struct {
		counts   []int
		textured func(int, int) bool
		want     string
	}{
		{[]int{9}, all, "split x: 1 sequence, want at least 2 to draw negatives from another sequence"},
		{[]int{9, 1}, all, "sequence v_b: 1 patch, want at least 2 to draw negatives from the same sequence"},
		{[]int{9, 9}, none, "split x: 0 patches with texture, want at least 2: a query and a distractor"},
	} {
		_, err := Draw("x", sequences(c.textured, c.counts...), d)
		must.Fail(t, err, c.want)
	}
}

func TestSplitsAreWrittenAsTheyAreRead(t *testing.T) {
	var b bytes.Buffer
	list := []Split{{Name: "full", Test: []string{"i_a", "v_b"}}, {Name: "a", Test: []string{"i_a"}, Train: []string{"v_b"}}}
	must.Do(t, WriteSplits(&b, list))
	got, err := ReadSplits("splits.json", &b)
	if err != nil || len(got) != 2 || !slices.Equal(got["full"].Test, list[0].Test) || got["full"].Train != nil || !slices.Equal(got["a"].Train, list[1].Train) {
		t.Errorf("read %v (%v), want %v", got, err, list)
	}
	if err := WriteSplits(&b, []Split{{Name: "full", Test: []string{"i.a"}}}); err == nil {
		t.Error("a sequence with a point in its name was written")
	}
}
