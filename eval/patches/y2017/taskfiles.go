package y2017

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"descbench/eval/patches"
	"descbench/eval/text"
)

// Kinds of task files, which are the first parts of their names.
const (
	positiveFile    = "verif_pos"
	interFile       = "verif_neg_inter"
	intraFile       = "verif_neg_intra"
	queriesFile     = "retr_queries"
	distractorsFile = "retr_distractors"
)

// taskFile returns the name of the task file of a kind for a split.
func taskFile(kind, split string) string { return kind + "_split-" + split + ".csv" }

// Files returns the five task files of the split.
func (d *Drawn) Files() []patches.File {
	file := func(kind, header string, n int, appendEntry func(line []byte, i int) []byte) patches.File {
		return patches.NewFile(taskFile(kind, d.Split), 1+n, func(line []byte, i int) []byte {
			if i == 0 {
				return append(line, header...)
			}
			return appendEntry(line, i-1)
		})
	}
	pairs := func(kind string, list []Pair) patches.File {
		return file(kind, pairsHeader, len(list), func(line []byte, i int) []byte {
			line = append(appendPatch(line, d.Sequences, list[i].A, true), ',')
			return appendPatch(line, d.Sequences, list[i].B, true)
		})
	}
	single := func(kind string, list []Patch) patches.File {
		return file(kind, patchesHeader, len(list), func(line []byte, i int) []byte {
			return appendPatch(line, d.Sequences, list[i], false)
		})
	}
	return []patches.File{
		pairs(positiveFile, d.Positive), pairs(interFile, d.Inter), pairs(intraFile, d.Intra),
		single(queriesFile, d.Queries), single(distractorsFile, d.Distractors),
	}
}

// appendPatch appends sequence and index, with the image between them if image is
// set.
func appendPatch(line []byte, sequences []Sequence, p Patch, image bool) []byte {
	line = append(append(line, sequences[p.Sequence].Name...), ',')
	if image {
		line = append(strconv.AppendUint(line, uint64(p.Image), 10), ',')
	}
	return strconv.AppendInt(line, int64(p.Index), 10)
}

// patchName returns a patch as in task files.
func patchName(sequences []Sequence, p Patch) []byte { return appendPatch(nil, sequences, p, true) }

// A Sequence is one of the test sequences of a split, which its task files may name.
type Sequence struct {
	Name    string
	Patches int // number in each image
}

// newSequences returns the sequences with their numbers of patches in the set, which has them.
func newSequences(set *patches.Set, names []string) (sequences []Sequence, err error) {
	for _, name := range names {
		sequences = append(sequences, Sequence{name, set.Patches(name)})
	}
	return sequences, checkNumber(len(names))
}

// checkNumber returns an error if there are more sequences than a Patch can number.
func checkNumber(sequences int) error {
	if sequences > math.MaxUint16 {
		return fmt.Errorf("%d sequences, want at most %d", sequences, math.MaxUint16)
	}
	return nil
}

// PatchCounts returns the numbers of patches of sequences.
func PatchCounts(sequences []Sequence) (counts []int) {
	for _, s := range sequences {
		counts = append(counts, s.Patches)
	}
	return counts
}

// A Patch is a patch of a sequence. Image 0 is the reference; image k means ek, hk or
// tk.
type Patch struct {
	Index    int32
	Sequence uint16 // index in the list of sequences
	Image    uint8
}

// A Pair is two patches to compare.
type Pair struct {
	A, B Patch
}

// Headers of the task files.
const (
	pairsHeader   = "s1,t1,idx1,s2,t2,idx2"
	patchesHeader = "s,idx"
)

// readPairs reads a file of verification pairs of a kind: the header s1,t1,idx1,s2,t2,idx2
// and one pair per line. name is the file name in faults.
func readPairs(kind, name string, r io.Reader, known []Sequence) ([]Pair, error) {
	return readList(name, r, known, pairsHeader, func(t *taskTable, fields [][]byte) (p Pair, err error) {
		if p.A, err = t.patch(fields[0], fields[2]); err != nil {
			return p, err
		}
		if p.B, err = t.patch(fields[3], fields[5]); err != nil {
			return p, err
		}
		if p.A.Image, err = t.image("t1", fields[1]); err != nil {
			return p, err
		}
		if p.B.Image, err = t.image("t2", fields[4]); err != nil {
			return p, err
		}
		if reason := p.fault(kind); reason != "" {
			return p, t.lines.Faultf("%s and %s: %s", patchName(known, p.A), patchName(known, p.B), reason)
		}
		return p, nil
	})
}

// fault describes why a pair contradicts its file, or returns "". Negative pairs between
// sequences may be in one sequence, even at the same place, because the benchmark's own
// files contain such pairs. Pairs may be listed repeatedly, as there.
func (p Pair) fault(kind string) string {
	switch sequence, place := p.A.Sequence == p.B.Sequence, p.A.Index == p.B.Index; {
	case p.A == p.B:
		return "a patch is paired with itself"
	case kind == positiveFile && !(sequence && place):
		return "want the same sequence and index for both patches of a positive pair"
	case kind == intraFile && !sequence:
		return "want the same sequence for both patches of a negative pair within a sequence"
	case kind == intraFile && place:
		return "want different indexes for the patches of a negative pair, because equal indexes show the same place"
	}
	return ""
}

// readPatches reads a file of retrieval queries or distractors: the header s,idx and
// one patch of a reference image per line. name is the file name in faults.
func readPatches(name string, r io.Reader, known []Sequence) ([]Patch, error) {
	return readList(name, r, known, patchesHeader, func(t *taskTable, fields [][]byte) (Patch, error) {
		return t.patch(fields[0], fields[1])
	})
}

// readList reads a task file: its header, and an entry from the fields of each line, of which
// there is at least one.
func readList[T any](name string, r io.Reader, known []Sequence, header string, entry func(*taskTable, [][]byte) (T, error)) ([]T, error) {
	lines := text.Read(name, r)
	line, err := lines.Want("the header " + header)
	if err != nil {
		return nil, err
	}
	columns := strings.Split(header, ",")
	fields := text.Fields(nil, line)
	if !slices.EqualFunc(fields, columns, func(f []byte, column string) bool { return string(f) == column }) {
		return nil, lines.Faultf("header %s, want %s", text.Quote(line), header)
	}
	t := &taskTable{lines, known, make(map[string]int, len(known))}
	for i, s := range known {
		t.index[s.Name] = i
	}
	var list []T
	for line, err := range lines.All() {
		if err != nil {
			return nil, err
		}
		if fields = text.Fields(fields[:0], line); len(fields) != len(columns) {
			return nil, lines.Faultf("%d fields, want %d: %s", len(fields), len(columns), header)
		}
		e, err := entry(t, fields)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	if list == nil {
		return nil, &patches.Fault{File: name, Reason: "no lines below the header"}
	}
	return list, nil
}

// A taskTable is a task file that is being read.
type taskTable struct {
	lines *text.Lines
	known []Sequence
	index map[string]int // in known, by name
}

func (t *taskTable) patch(sequence, index []byte) (Patch, error) {
	s, ok := t.index[string(sequence)]
	if !ok {
		return Patch{}, t.lines.Faultf("sequence %s is not one of the split's %d test sequences", text.Quote(sequence), len(t.known))
	}
	i, ok := text.Index(index)
	if !ok || i >= t.known[s].Patches {
		return Patch{}, t.lines.Faultf("index %s, want 0 to %d for the patches of %s", text.Quote(index), t.known[s].Patches-1, sequence)
	}
	return Patch{Index: int32(i), Sequence: uint16(s)}, nil
}

func (t *taskTable) image(what string, field []byte) (uint8, error) {
	i, ok := text.Index(field)
	if !ok || i > patches.ImagesPerNoise {
		return 0, t.lines.Faultf("%s is %s, want 0 to %d", what, text.Quote(field), patches.ImagesPerNoise)
	}
	return uint8(i), nil
}

// checkRetrieval returns an error for the first patch that is listed twice among the
// queries and distractors: it would count twice, or answer itself.
func (in *Input) checkRetrieval(queries, distractors string) error {
	seen := make(map[Patch]string, len(in.Queries)+len(in.Distractors)) // where
	check := func(file string, list []Patch) error {
		for i, p := range list {
			line := i + 2 // below the header
			if first, twice := seen[p]; twice {
				return &patches.Fault{File: file, Line: line, Reason: fmt.Sprintf("%s is listed twice, first in %s; want each query and distractor once", patchName(in.Sequences, p), first)}
			}
			seen[p] = fmt.Sprintf("%s, line %d", file, line)
		}
		return nil
	}
	return cmp.Or(check(queries, in.Queries), check(distractors, in.Distractors))
}
