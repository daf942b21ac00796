package y2016

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/eval/patches"
)

// refuses runs a reader on faulty files.
func refuses(t *testing.T, read func(file string) error, faults map[string]string) {
	t.Helper()
	for file, want := range faults {
		must.Fail(t, read(file), want)
	}
}

func TestPairsAreReadWithTheirClass(t *testing.T) {
	p := must.Get(ReadPairs("f", strings.NewReader("v_a.e1.3,v_a.ref.7,0\n v_b.h2.0 , v_a.ref.7 , 0 \n")))(t)
	want := []Pair{
		{patches.Signature{Sequence: "v_a", Image: "e1", Index: 3}, patches.Signature{Sequence: "v_a", Image: "ref", Index: 7}},
		{patches.Signature{Sequence: "v_b", Image: "h2", Index: 0}, patches.Signature{Sequence: "v_a", Image: "ref", Index: 7}},
	}
	if !slices.Equal(p.List, want) || p.Positive {
		t.Errorf("got %v, want %v", p, want)
	}
	w := patches.Wanted{}
	p.Want(w)
	if !slices.Equal(w["v_a"], []string{"e1", "ref"}) || !slices.Equal(w["v_b"], []string{"h2"}) {
		t.Errorf("wanted %v", w)
	}
}

func TestFaultyPairsAreRefused(t *testing.T) {
	refuses(t, func(file string) error { _, err := ReadPairs("f", strings.NewReader(file)); return err }, map[string]string{
		"":                              "f: no pairs",
		"a.b.1\n":                       "f: line 1: 1 fields, want patch_a,patch_b,label",
		"a.b.1,a.b.2,1,1\n":             "f: line 1: 4 fields, want patch_a,patch_b,label",
		"a.b.1,a.c.1,1\na.b.1,a.b.2\n":  "f: line 2: a pair without label" + ofV2 + "patch_a,patch_b,label",
		"a_pos.pairs\na_neg.pairs\n":    "f: line 1: a benchmark that names .pairs files" + ofV2 + "patches classify --pairs with labels in these files",
		"1\n0\n":                        "f: line 1: a label alone" + ofV2 + "the label at the end of the line of its pair or distance",
		"a.b.1,a.b.2,2\n":               `f: line 1: label "2", want 0 or 1`,
		"a.b.1,a.b.2,\n":                `f: line 1: label "", want 0 or 1`,
		"a.b.1,a.b.2,1 # First pair\n":  `f: line 1: label "1 # First pair", want 0 or 1`,
		"a.b.1.4,a.b.2,1\n":             `f: line 1: signature "a.b.1.4" has 4 parts, want sequence.image.index`,
		"a.b.1,a.b.x,1\n":               `f: line 1: signature "a.b.x" has index "x", want a number from 0`,
		"a.b.1,a.c.1,1\na.b.-1,a.b.2,1": `f: line 2: signature "a.b.-1" has index "-1", want a number from 0`,
		"a.b.1,a.b,1\n":                 `f: line 1: signature "a.b" has 2 parts, want sequence.image.index`,
		"a.b.1,a.b.1,1\n":               "f: line 1: a.b.1 is paired with itself",
		"a.b.1,a.b.01,1\n":              "f: line 1: a.b.1 is paired with itself",
		"a.b.1,a.c.1,1\na.b.1,a.c.2,1":  "f: line 2: a.b.1,a.c.2: want the same sequence and index for both patches of a positive pair",
		"a.b.1,d.c.1,1\n":               "f: line 1: a.b.1,d.c.1: want the same sequence and index for both patches of a positive pair",
		"a.b.1,a.c.1,0\n":               "f: line 1: a.b.1,a.c.1: want another sequence or index for the second patch of a negative pair, because these show the same place",
		"a.b.1,a.c.1,1\n\na.b.1,a.b.2":  "f: line 2: empty line",
		"ä.b.1,a.b.2,1\n":               "f: line 1: byte 0xc3, want ASCII",
		"a.b.1,a.c.1,1\na.b.2,a.c.3,0":  "f: line 2: label 0, want 1 as in line 1: a file has positive or negative pairs",
		"a.b.1,a.c.2,0\na.b.2,a.c.2,1":  "f: line 2: label 1, want 0 as in line 1: a file has positive or negative pairs",
	})
}

func TestFaultyClassificationResultsAreRefused(t *testing.T) {
	refuses(t, func(file string) error { _, err := ReadResults("f", strings.NewReader(file)); return err }, map[string]string{
		"":             "f: no lines, want distance,label",
		"1.2,0,1\n":    `f: line 1: found "1.2,0,1", want distance,label`,
		"1.2,0\n0.3\n": "f: line 2: a distance without label" + ofV2 + "distance,label",
		"1.2;0\n":      `f: line 1: distance "1.2;0", want a finite number`,
		"a,0\n":        `f: line 1: distance "a", want a finite number`,
		"nan,0\n":      `f: line 1: distance "nan", want a finite number`,
		"inf,0\n":      `f: line 1: distance "inf", want a finite number`,
		"-0.5,0\n":     "f: line 1: distance -0.5, want at least 0",
		"0.5,7\n":      `f: line 1: label "7", want 0 or 1`,
		"1,1\n2,0\n":   "f: line 2: label 0, want 1 as in line 1: a file has positive or negative pairs",
		"1,0\n2,1\n":   "f: line 2: label 1, want 0 as in line 1: a file has positive or negative pairs",
	})
}

func TestWithoutLabelsEqualIndexesOfASequenceAreACluster(t *testing.T) {
	b := must.Get(ReadRetrievalBenchmark("b", strings.NewReader("v_x.ref,v_y.ref,v_x.e1\nv_x.e1.3\n")))(t)
	if got := fmt.Sprint(b.SamePlace()); got != "[[v_x.ref.3 v_x.e1.3]]" {
		t.Errorf("got %s", got)
	}
}

func TestThePlaceOfResultsTellsTheDescriptor(t *testing.T) {
	path := ResultsPath("results", Matching, "sift", "b/test_easy_illum.benchmark")
	if want := filepath.FromSlash("results/matching/sift/test_easy_illum.results"); path != want {
		t.Errorf("got %s, want %s", path, want)
	}
	if got, err := DescriptorOf(path); got != "sift" || err != nil {
		t.Errorf("%s: got %q, %v", path, got, err)
	}
	refuses(t, func(path string) error { _, err := DescriptorOf(path); return err }, map[string]string{
		"results/sift/matching/a.results": "results/sift/matching/a.results: <descriptor>/<task>/<file>" + ofV2 + "<task>/<descriptor>/<file>, or --name",
	})
}

func matchingBenchmark(t testing.TB, file string) *MatchingBenchmark {
	t.Helper()
	return must.Get(ReadMatchingBenchmark("b", strings.NewReader(file)))(t)
}

func TestFaultyMatchingFilesAreRefused(t *testing.T) {
	refuses(t, func(file string) error {
		_, err := ReadMatchingBenchmark("b", strings.NewReader(file))
		return err
	}, map[string]string{
		"":                                     "b: no image pairs",
		"a.ref\n":                              "b: line 1: 1 fields, want im_a,im_b",
		"a_pos.pairs\na_neg.pairs\n":           "b: line 1: a benchmark that names .pairs files" + ofV2 + "patches classify --pairs with labels in these files",
		"a.ref,a.e1,a.e2\n":                    "b: line 1: 3 fields, want im_a,im_b",
		"a.ref,a.ref\n":                        "b: line 1: a.ref is paired with itself, want two images",
		"a.ref,a.e1\na.ref,a.e2\na.ref,a.e1\n": "b: line 3: a.ref,a.e1 is listed twice, first in line 1, want each image pair once",
		"a.ref,a.e1.3\n":                       `b: line 1: signature "a.e1.3" has 3 parts, want sequence.image`,
	})
	b := matchingBenchmark(t, "a.ref,a.e1\na.ref,a.e2\n")
	const first = "a.ref,a.e1\n0,1,2\n0,1,2\n"
	refuses(t, func(file string) error {
		_, err := ReadMatchingLabels("f", strings.NewReader(file), b)
		return err
	}, map[string]string{
		first:                              "f: line 4: end of file, want image pair a.ref,a.e2",
		first + "a.ref,a.e2\n0\n0\nx\n":    "f: line 7: extra line, want 3 lines for each of 2 image pairs",
		first + "a.ref,a.e3\n0\n0\n":       "f: line 4: image pair a.ref,a.e3, want a.ref,a.e2 as in b",
		first + "a.ref,a.e2\n0,1\n0\n":     "f: line 6: 1 indexes, want 2",
		first + "a.ref,a.e2\n0,2\n0,1\n":   `f: line 5: index "2", want 0 to 1`,
		first + "a.ref,a.e2\n1,1\n0,1\n":   "f: line 5: index 1 is listed twice, want each patch of a.ref once",
		first + "a.ref,a.e2\n0,1\n0,-1\n":  `f: line 6: index "-1", want 0 to 1`,
		first + "a.ref,a.e2\n0,1\n0,1.0\n": `f: line 6: index "1.0", want 0 to 1`,
		"a.ref,a.e1\n0,1,2\n":              "f: line 3: end of file, want indexes of a.e1",
	})

	labels := must.Get(ReadMatchingLabels("l", strings.NewReader(first+"a.ref,a.e2\n0,1\n0,1\n"), b))(t)
	good := "a.ref,a.e1\n0,1,2\n1,1,1\n1,2,0\n2,2,1\n"
	read := func(labels *MatchingLabels) func(string) error {
		return func(file string) error {
			_, err := ReadMatches("f", strings.NewReader(file), b, labels)
			return err
		}
	}
	must.Do(t, read(labels)(good+"a.ref,a.e2\n1,0\n1, 2\n0,1\n1,2\n"))
	refuses(t, read(labels), map[string]string{
		good: "f: line 6: end of file, want image pair a.ref,a.e2",
		good + "a.ref,a.e2\n0,1\n1,2\n1,0\n1,2\nx\n": "f: line 11: extra line, want 5 lines for each of 2 image pairs",
		good + "a.ref,a.e2\n0,1\n1,2\n1,0\n":         "f: line 10: end of file, want distances of second nearest neighbours",
		good + "a.e2,a.ref\n0,1\n1,2\n1,0\n1,2\n":    "f: line 6: image pair a.e2,a.ref, want a.ref,a.e2 as in b",
		good + "a.ref,a.e2\n0,1,1\n1,2\n1,0\n1,2\n":  "f: line 7: 3 indexes, want 2",
		good + "a.ref,a.e2\n0,2\n1,2\n1,0\n1,2\n":    `f: line 7: index "2", want 0 to 1`,
		good + "a.ref,a.e2\n0,-1\n1,2\n1,0\n1,2\n":   `f: line 7: index "-1", want 0 to 1`,
		good + "a.ref,a.e2\n0,1.5\n1,2\n1,0\n1,2\n":  `f: line 7: index "1.5", want 0 to 1`,
		good + "a.ref,a.e2\n0,1\n1\n1,0\n1,2\n":      "f: line 8: 1 distances, want 2",
		good + "a.ref,a.e2\n0,1\n1,x\n1,0\n1,2\n":    `f: line 8: distance "x", want a number`,
		good + "a.ref,a.e2\n0,1\n1,nan\n1,0\n1,2\n":  "f: line 8: distance NaN, want a number",
		good + "a.ref,a.e2\n0,1\n1,-2\n1,0\n1,2\n":   "f: line 8: distance -2, want at least 0",
		good + "a.ref,a.e2\n0,1\n1,2\n1,2\n1,2\n":    `f: line 9: index "2", want 0 to 1`,
		good + "a.ref,a.e2\n0,1\n1,2\n1,1\n1,2\n":    "f: line 9: patch 1 of a.ref has 1 as both nearest and second nearest neighbour",
		good + "a.ref,a.e2\n0,1\n1,3\n1,0\n1,2\n":    "f: line 10: patch 1 of a.ref: the second nearest neighbour is at 2, nearer than the nearest at 3",
	})
	// Without labels the first line of a block says how many patches there are.
	refuses(t, read(nil), map[string]string{good + "a.ref,a.e2\n0,1\n1,2,3\n1,0\n1,2\n": "f: line 8: 3 distances, want 2"})
}

// retrievalBenchmark has a pool of two images.
func retrievalBenchmark(t testing.TB) *RetrievalBenchmark {
	t.Helper()
	return must.Get(ReadRetrievalBenchmark("b", strings.NewReader("a.ref,a.e1\na.ref.0\na.ref.1\n")))(t)
}

// ranking lists a query and other patches.
func ranking(query string, n int) string {
	line := query
	for i := range n - 1 {
		line += fmt.Sprintf(", a.e1.%d", i)
	}
	return line + "\n"
}

func TestFaultyRetrievalFilesAreRefused(t *testing.T) {
	refuses(t, func(file string) error {
		_, err := ReadRetrievalBenchmark("b", strings.NewReader(file))
		return err
	}, map[string]string{
		"":                                 "b: line 1: end of file, want the images of the pool",
		"a.ref,a.e1\n":                     "b: no queries",
		"a_pos.pairs\na_neg.pairs\n":       "b: line 1: a benchmark that names .pairs files" + ofV2 + "patches classify --pairs with labels in these files",
		"a.ref,a.ref\na.ref.0\n":           "b: line 1: a.ref is listed twice in the pool",
		"a.ref,a.e1\na.ref.0\na.ref.0\n":   "b: line 3: query a.ref.0 is listed twice, first in line 2, want each query once",
		"a.ref,a.e1.0\na.ref.0\n":          `b: line 1: signature "a.e1.0" has 3 parts, want sequence.image`,
		"a.ref,a.e1\na.e2.0\n":             "b: line 2: a.e2.0 is not in the pool",
		"a.ref,a.e1\na.ref.0,a.ref.1\n":    "b: line 2: 2 patches, want one query",
		"a.ref,a.e1\na.ref.0\na.ref.one\n": `b: line 3: signature "a.ref.one" has index "one", want a number from 0`,
	})
	b := retrievalBenchmark(t)
	const pool = "a.ref,a.e1\n"
	refuses(t, func(file string) error {
		_, err := ReadClusters("f", strings.NewReader(file), b, nil)
		return err
	}, map[string]string{
		"a.e1,a.ref\nx\n":                                "f: line 1: other images of the pool than in line 1 of b, want the same",
		"a.ref\nx\n":                                     "f: line 1: other images of the pool than in line 1 of b, want the same",
		pool + "a.ref.0,a.e1.0\n":                        "f: line 3: end of file, want the line of query a.ref.1",
		pool + "a.ref.0\na.ref.1\na.ref.1\n":             "f: line 4: extra line, want one line for each of 2 queries",
		pool + "a.ref.0\na.ref.0,a.e1.1\n":               "f: line 3: query a.ref.1 is missing in its own list",
		pool + "a.ref.0,a.e9.0\na.ref.1\n":               "f: line 2: a.e9.0 is not in the pool",
		pool + "a.ref.0,a.e1.0,a.e1.0\na.ref.1,a.e1.1\n": "f: line 2: a.e1.0 is listed twice",
	})
	good := pool + ranking("a.ref.0", 51)
	read := func(file string) error {
		_, err := ReadRankings("f", strings.NewReader(file), b, nil)
		return err
	}
	must.Do(t, read(good+ranking("a.ref.1", 51)))
	refuses(t, read, map[string]string{
		"a.ref,a.e2\n":                              "f: line 1: other images of the pool than in line 1 of b, want the same",
		good:                                        "f: line 3: end of file, want the line of query a.ref.1",
		good + ranking("a.ref.1", 50):               "f: line 3: 50 patches, want 51",
		good + ranking("a.ref.1", 52):               "f: line 3: 52 patches, want 51",
		good + ranking("a.ref.0", 51):               "f: line 3: the first patch is a.ref.0, want the query a.ref.1",
		good + ranking("a.e1.7", 51):                "f: line 3: a.e1.7 is listed twice",
		good + ranking("a.e3.1", 51):                "f: line 3: a.e3.1 is not in the pool",
		good + ranking("a.ref.1.1", 51):             `f: line 3: signature "a.ref.1.1" has 4 parts, want sequence.image.index`,
		good + ranking("a.ref.1", 51) + "a.ref.1\n": "f: line 4: extra line, want one line for each of 2 queries",
	})
	set := sameSize(t, 20, map[string][]string{"a": {"ref", "e1"}})
	_, err := ReadRankings("f", strings.NewReader(good), b, set)
	must.Fail(t, err, "f: line 2: a.e1.20: index 20, want 0 to 19")
}

func FuzzPairsAndResults(f *testing.F) {
	for _, file := range []string{"v_a.e1.3,v_a.ref.3,1\nv_b.h2.0, v_a.ref.7, 0\n", "a.b.1,a.b.2\n", "1.2,0\n0.1, 1\n", "1\n2e5\n"} {
		f.Add([]byte(file))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var p *Pairs
		var r *Results
		var err error
		must.BoundMemory(t, len(data), 500, func() { p, err = ReadPairs("f", strings.NewReader(string(data))) })
		if err == nil && len(p.List) == 0 {
			t.Fatal("no pairs")
		}
		must.BoundMemory(t, len(data), 200, func() { r, err = ReadResults("f", strings.NewReader(string(data))) })
		if err != nil {
			return
		}
		var file strings.Builder
		must.Do(t, r.Write(&file))
		again, err := ReadResults("f", strings.NewReader(file.String()))
		if err != nil || again.Positive != r.Positive || !slices.Equal(again.Distances, r.Distances) {
			t.Fatalf("written and read again: %v", err)
		}
	})
}

func FuzzMatching(f *testing.F) {
	f.Add([]byte("a.ref,a.e1\n"), []byte("a.ref,a.e1\n0,1\n1,0\n"), []byte("a.ref,a.e1\n0,1\n1,2\n1,0\n3,inf\n"))
	f.Fuzz(func(t *testing.T, benchmark, labels, results []byte) {
		var b *MatchingBenchmark
		var err error
		must.BoundMemory(t, len(benchmark), 1000, func() { b, err = ReadMatchingBenchmark("b", strings.NewReader(string(benchmark))) })
		if err != nil {
			return
		}
		l, err := ReadMatchingLabels("l", strings.NewReader(string(labels)), b)
		if err != nil {
			l = nil
		}
		var m []Matches
		must.BoundMemory(t, len(benchmark)+len(labels)+len(results), 1000, func() { m, err = ReadMatches("f", strings.NewReader(string(results)), b, l) })
		if err != nil {
			return
		}
		must.Get(EvaluateMatching(m, l))(t)
	})
}

func FuzzRetrieval(f *testing.F) {
	f.Add([]byte("a.ref,a.e1\na.ref.0\n"), []byte("a.ref,a.e1\na.ref.0,a.e1.0\n"), []byte("a.ref,a.e1\n"+ranking("a.ref.0", 51)))
	f.Fuzz(func(t *testing.T, benchmark, labels, results []byte) {
		b, err := ReadRetrievalBenchmark("b", strings.NewReader(string(benchmark)))
		if err != nil {
			return
		}
		clusters, err := ReadClusters("l", strings.NewReader(string(labels)), b, nil)
		if err != nil {
			return
		}
		var rankings [][]patches.Signature
		must.BoundMemory(t, len(benchmark)+len(results), 1000, func() { rankings, err = ReadRankings("f", strings.NewReader(string(results)), b, nil) })
		if err != nil {
			return
		}
		must.Get(EvaluateRetrieval(b, clusters, rankings, nil))(t)
	})
}
