package y2017

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/patches"
)

// smallSet has the sequences i_a (3 patches), v_b (2) and x_c (2).
func smallSet(t testing.TB) *patches.Set {
	t.Helper()
	all := map[string]map[string]*descriptors.Matrix{}
	for sequence, n := range map[string]int{"i_a": 3, "v_b": 2, "x_c": 2} {
		all[sequence] = map[string]*descriptors.Matrix{}
		for k, image := range patches.Images(Noises()...) {
			m := &descriptors.Matrix{Rows: n, Dim: 2, Type: descriptors.Uint8, Uint8: make([]uint8, 2*n)}
			for i := range m.Uint8 {
				m.Uint8[i] = uint8(16*i + k)
			}
			all[sequence][image] = m
		}
	}
	return must.Get(patches.NewSet("small", all))(t)
}

func smallSequences(t testing.TB) []Sequence {
	t.Helper()
	return must.Get(newSequences(smallSet(t), []string{"i_a", "v_b"}))(t)
}

func TestFaultyPairsAreRefusedWithTheirLine(t *testing.T) {
	const header = "s1,t1,idx1,s2,t2,idx2\n"
	for file, want := range map[string]string{
		"":                             "f: line 1: end of file, want the header s1,t1,idx1,s2,t2,idx2",
		header:                         "f: no lines below the header",
		"i_a,0,2,v_b,5,1\n":            `f: line 1: header "i_a,0,2,v_b,5,1", want s1,t1,idx1,s2,t2,idx2`,
		"s1,idx1,t1,s2,idx2,t2\nx\n":   `f: line 1: header "s1,idx1,t1,s2,idx2,t2", want s1,t1,idx1,s2,t2,idx2`,
		header + "i_a,0,2,v_b,5\n":     "f: line 2: 5 fields, want 6: s1,t1,idx1,s2,t2,idx2",
		header + "i_a,0,2,v_b,5,1,1\n": "f: line 2: 7 fields, want 6: s1,t1,idx1,s2,t2,idx2",
		header + "i_a,0,2,v_b,5,1\nx_c,0,0,v_b,5,1\n": `f: line 3: sequence "x_c" is not one of the split's 2 test sequences`,
		header + "i_a,0,2,v_x,5,1\n":                  `f: line 2: sequence "v_x" is not one of the split's 2 test sequences`,
		header + "i_a,6,2,v_b,5,1\n":                  `f: line 2: t1 is "6", want 0 to 5`,
		header + "i_a,0,2,v_b,-1,1\n":                 `f: line 2: t2 is "-1", want 0 to 5`,
		header + "i_a,e1,2,v_b,1,1\n":                 `f: line 2: t1 is "e1", want 0 to 5`,
		header + "i_a,0,3,v_b,5,1\n":                  `f: line 2: index "3", want 0 to 2 for the patches of i_a`,
		header + "i_a,0,2,v_b,5,-1\n":                 `f: line 2: index "-1", want 0 to 1 for the patches of v_b`,
		header + "i_a,0,2.0,v_b,5,1\n":                `f: line 2: index "2.0", want 0 to 2 for the patches of i_a`,
		header + "i_a,0,2,v_b,5,1\n\ni_a,0,2,v_b,5,1": "f: line 3: empty line",
		header + "\xff,0,2,v_b,5,1\n":                 "f: line 2: byte 0xff, want ASCII",
	} {
		_, err := readPairs(interFile, "f", strings.NewReader(file), smallSequences(t))
		must.Fail(t, err, want)
	}
}

// The benchmark's own files hold pairs of their kind alone, except that the second
// sequence of a pair between sequences is drawn among all of them; positive pairs are
// drawn repeatedly (hpatches-benchmark, python/utils/tasks.py, gen_verif).
func TestPairsThatContradictTheirFileAreRefusedWithTheirLine(t *testing.T) {
	known := smallSequences(t)
	for _, c := range []struct{ kind, line, want string }{
		{positiveFile, "i_a,0,1,i_a,2,1\ni_a,0,1,i_a,2,1", ""},
		{interFile, "i_a,0,1,v_b,2,1\ni_a,0,1,i_a,2,1", ""},
		{intraFile, "i_a,0,1,i_a,2,0\ni_a,0,1,i_a,0,0", ""},
		{positiveFile, "i_a,0,1,i_a,2,2", "f: line 3: i_a,0,1 and i_a,2,2: want the same sequence and index for both patches of a positive pair"},
		{positiveFile, "i_a,0,1,v_b,2,1", "f: line 3: i_a,0,1 and v_b,2,1: want the same sequence and index for both patches of a positive pair"},
		{positiveFile, "i_a,0,1,i_a,0,1", "f: line 3: i_a,0,1 and i_a,0,1: a patch is paired with itself"},
		{interFile, "i_a,0,1,i_a,0,1", "f: line 3: i_a,0,1 and i_a,0,1: a patch is paired with itself"},
		{intraFile, "i_a,0,1,v_b,2,0", "f: line 3: i_a,0,1 and v_b,2,0: want the same sequence for both patches of a negative pair within a sequence"},
		{intraFile, "i_a,0,1,i_a,2,1", "f: line 3: i_a,0,1 and i_a,2,1: want different indexes for the patches of a negative pair, because equal indexes show the same place"},
	} {
		good := map[string]string{positiveFile: "i_a,0,0,i_a,1,0", interFile: "i_a,0,0,v_b,1,0", intraFile: "i_a,0,0,i_a,1,1"}[c.kind]
		_, err := readPairs(c.kind, "f", strings.NewReader("s1,t1,idx1,s2,t2,idx2\n"+good+"\n"+c.line+"\n"), known)
		if err == nil && c.want != "" || err != nil && err.Error() != c.want {
			t.Errorf("%s %q: got %v, want %q", c.kind, c.line, err, c.want)
		}
	}
}

func TestPatchesListedTwiceForRetrievalAreRefused(t *testing.T) {
	known := smallSequences(t)
	for _, c := range []struct{ queries, distractors, want string }{
		{"i_a,0\nv_b,0\n", "i_a,1\nv_b,1\n", ""},
		{"i_a,0\nv_b,0\ni_a,0\n", "i_a,1\n", "q: line 4: i_a,0,0 is listed twice, first in q, line 2; want each query and distractor once"},
		{"i_a,0\n", "i_a,1\ni_a,1\n", "d: line 3: i_a,0,1 is listed twice, first in d, line 2; want each query and distractor once"},
		{"i_a,0\n", "v_b,1\ni_a,0\n", "d: line 3: i_a,0,0 is listed twice, first in q, line 2; want each query and distractor once"},
	} {
		in := &Input{Sequences: known}
		var err error
		for _, f := range []struct {
			text string
			list *[]Patch
		}{{c.queries, &in.Queries}, {c.distractors, &in.Distractors}} {
			if *f.list, err = readPatches("f", strings.NewReader("s,idx\n"+f.text), known); err != nil {
				t.Fatal(err)
			}
		}
		if err = in.checkRetrieval("q", "d"); err == nil && c.want != "" || err != nil && err.Error() != c.want {
			t.Errorf("%q, %q: got %v, want %q", c.queries, c.distractors, err, c.want)
		}
	}
}

func TestSplitsAreReadAndTheirFaultsRefused(t *testing.T) {
	s, err := ReadSplits("f", strings.NewReader(`{"a": {"name": "a", "test": ["i_a"], "train": ["v_b"]}, "full": {"name": "full", "test": ["i_a", "v_b"]}}`))
	if err != nil || !slices.Equal(s["a"].Test, []string{"i_a"}) || !slices.Equal(s["a"].Train, []string{"v_b"}) || s["full"].Train != nil {
		t.Errorf("got %v, %v", s, err)
	}
	for file, want := range map[string]string{
		"{\n\"a\":\n": `f: line 3: the file ends too early; want splits such as {"a": {"name": "a", "test": ["v_wall"], "train": ["i_ski"]}}`,
		"{\"a\":\n{\"name\": \"a\", \"test\": \"i_a\"}}":          `f: line 2: test is a string; want splits such as {"a": {"name": "a", "test": ["v_wall"], "train": ["i_ski"]}}`,
		`{"a": {"name": "b", "test": ["i_a"]}}`:                   `f: split "a" has the name "b", want the same name as its key`,
		`{"a": {"name": "a", "test": []}}`:                        `f: split "a" has no test sequences`,
		`{"a": {"name": "a", "test": ["i_a", "i_a"]}}`:            `f: split "a" lists the sequence i_a twice`,
		`{"a": {"name": "a", "test": ["i_a"], "train": ["i_a"]}}`: `f: split "a" lists the sequence i_a twice`,
		`{"a": {"name": "a", "test": ["../etc"]}}`:                `f: split "a" has a sequence "../etc", want a name of printable characters other than . , / \ ; =`,
		`{"a": {"name": "a", "test": ["i_a"], "train": [""]}}`:    `f: split "a" has a sequence "", want a name of printable characters other than . , / \ ; =`,
	} {
		_, err := ReadSplits("f", strings.NewReader(file))
		must.Fail(t, err, want)
	}
}

// The definition files that the benchmark ships.
func TestTheBenchmarksOwnFilesAreRead(t *testing.T) {
	dir := os.Getenv("DESCBENCH_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared")
	}
	dir = filepath.Join(dir, "data", "hpatches-benchmark")
	f, err := os.Open(filepath.Join(dir, "splits.json"))
	if err != nil {
		t.Skipf("no files of the benchmark: %v (DESCBENCH_SHARED names the folder above data)", err)
	}
	defer f.Close()
	splits := must.Get(ReadSplits("splits.json", f))(t)
	for name, want := range map[string][2]int{"a": {40, 76}, "b": {40, 76}, "c": {40, 76}, "illum": {57, 0}, "view": {59, 0}, "full": {116, 0}} {
		if s := splits[name]; len(s.Test) != want[0] || len(s.Train) != want[1] {
			t.Errorf("split %s: %d test and %d training sequences, want %v", name, len(s.Test), len(s.Train), want)
		}
	}
	var known []Sequence
	for _, name := range splits["a"].Test {
		known = append(known, Sequence{name, 2000})
	}
	for _, file := range []string{"retr_queries_split-a.head500.csv", "retr_distractors_split-a.head500.csv"} {
		f := must.Get(os.Open(filepath.Join(dir, file)))(t)
		defer f.Close()
		list, err := readPatches(file, f, known)
		if err != nil || len(list) < 499 {
			t.Errorf("%s: %d patches, %v", file, len(list), err)
		}
	}
}

func FuzzPairs(f *testing.F) {
	f.Add([]byte("s1,t1,idx1,s2,t2,idx2\ni_a,0,2,v_b,5,1\n"))
	f.Add([]byte("s1,t1,idx1,s2,t2,idx2\n\n\n"))
	known := smallSequences(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var pairs []Pair
		var err error
		must.BoundMemory(t, len(data), 200, func() { pairs, err = readPairs(interFile, "f", strings.NewReader(string(data)), known) })
		if err != nil {
			return
		}
		for _, p := range pairs {
			for _, s := range []Patch{p.A, p.B} {
				if int(s.Index) >= known[s.Sequence].Patches || s.Image > 5 {
					t.Fatalf("got %v", p)
				}
			}
		}
	})
}

func FuzzSplits(f *testing.F) {
	f.Add([]byte(`{"a": {"name": "a", "test": ["i_a"], "train": ["v_b"]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var splits map[string]Split
		var err error
		must.BoundMemory(t, len(data), 1000, func() { splits, err = ReadSplits("f", strings.NewReader(string(data))) })
		if err != nil {
			return
		}
		for key, s := range splits {
			if s.Name != key || len(s.Test) == 0 {
				t.Fatalf("got %v", splits)
			}
		}
	})
}
