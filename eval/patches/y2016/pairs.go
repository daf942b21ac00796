package y2016

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/internal/text"
	"descbench/eval/patches"
)

// A Label states whether two patches show the same place.
type Label int8

// The labels. In variant v2, pairs have no labels; they are in the .labels file. A file of
// which both classes are wanted is Unlabelled, too.
const (
	Negative   Label = 0
	Positive   Label = 1
	Unlabelled Label = -1
)

// LabelOf returns the label of all pairs in a .pairs or .results file by its name:
// test_pos_easy contains positives, test_neg_sameseq negatives.
func LabelOf(path string) Label {
	base := filepath.Base(path)
	for _, part := range strings.FieldsFunc(base, func(r rune) bool { return r == '_' || r == '.' || r == '-' }) {
		switch part {
		case "pos":
			return Positive
		case "neg":
			return Negative
		}
	}
	return Unlabelled
}

// parse parses a label in a file of label l.
func (l Label) parse(lines *text.Lines, field []byte) (Label, error) {
	if len(field) != 1 || field[0] != '0' && field[0] != '1' {
		return 0, lines.Faultf("label %s, want 0 or 1", text.Quote(field))
	}
	label := Label(field[0] - '0')
	if reason := l.refuses(label); reason != "" {
		return 0, lines.Faultf("%s", reason)
	}
	return label, nil
}

// refuses returns the reason why a file of label l cannot contain a label, or "" if it
// can.
func (l Label) refuses(label Label) string {
	switch {
	case l == Positive && label != Positive:
		return "label 0 in a file of positives, want 1"
	case l == Negative && label != Negative:
		return "label 1 in a file of negatives, want 0"
	}
	return ""
}

// A Pair is two patches to classify as same or different place.
type Pair struct {
	A, B  patches.Signature
	Label Label
}

// Pairs is a .pairs file. Line i+1 is pair i.
type Pairs struct {
	File string
	Of   Label // of all pairs, by the name of the file
	List []Pair
}

// ReadPairs reads a .pairs file with lines patch_a,patch_b,label or patch_a,patch_b.
// name is the file name in faults.
func ReadPairs(name string, r io.Reader, of Label) (*Pairs, error) {
	l, err := text.Read(name, r)
	if err != nil {
		return nil, err
	}
	p := &Pairs{File: name, Of: of}
	var fields [][]byte
	columns := 0
	for line, err := range l.All() {
		if err != nil {
			return nil, err
		}
		fields = text.Fields(fields[:0], line)
		switch {
		case len(fields) != 2 && len(fields) != 3:
			return nil, l.Faultf("%d fields, want patch_a,patch_b,label or patch_a,patch_b", len(fields))
		case columns == 0:
			columns = len(fields)
		case len(fields) != columns:
			return nil, l.Faultf("%d fields, want %d as in line 1", len(fields), columns)
		}
		pair := Pair{Label: Unlabelled}
		if pair.A, err = patches.ParsePatch(fields[0]); err != nil {
			return nil, l.Faultf("%v", err)
		}
		if pair.B, err = patches.ParsePatch(fields[1]); err != nil {
			return nil, l.Faultf("%v", err)
		}
		if pair.A == pair.B {
			return nil, l.Faultf("%s is paired with itself", pair.A)
		}
		if columns == 3 {
			if pair.Label, err = of.parse(l, fields[2]); err != nil {
				return nil, err
			}
		}
		if reason := pair.fault(of); reason != "" {
			return nil, l.Faultf("%s,%s: %s", pair.A, pair.B, reason)
		}
		p.List = append(p.List, pair)
	}
	if len(p.List) == 0 {
		return nil, &patches.Fault{File: name, Reason: "no pairs"}
	}
	return p, nil
}

// fault describes why a pair contradicts its label or, without a label, that of its
// file, or returns "". Patches with the same index show the same place in all
// images of a sequence.
func (p Pair) fault(of Label) string {
	same := p.A.Sequence == p.B.Sequence && p.A.Index == p.B.Index
	if p.Label != Unlabelled {
		of = p.Label
	}
	switch {
	case of == Positive && !same:
		return "want the same sequence and index for both patches of a positive pair"
	case of == Negative && same:
		return "want another sequence or index for the second patch of a negative pair, because these show the same place"
	}
	return ""
}

// Labels returns the label of each pair.
func (p *Pairs) Labels() []Label {
	labels := make([]Label, len(p.List))
	for i, pair := range p.List {
		labels[i] = pair.Label
	}
	return labels
}

// sequences returns the sequence of the first patch of each pair.
func (p *Pairs) sequences() []string {
	sequences := make([]string, len(p.List))
	for i, pair := range p.List {
		sequences[i] = pair.A.Sequence
	}
	return sequences
}

// Class returns the class of the pairs, by their labels or, without labels, by the name
// of the file. Unlabelled means both classes.
func (p *Pairs) Class() (Label, error) {
	labels := p.Labels()
	positive, negative := slices.Contains(labels, Positive), slices.Contains(labels, Negative)
	switch {
	case positive && negative:
		return Unlabelled, nil
	case positive:
		return Positive, nil
	case negative:
		return Negative, nil
	case p.Of == Unlabelled:
		return Unlabelled, &patches.Fault{File: p.File, Reason: "no labels, and neither pos nor neg in the file name"}
	}
	return p.Of, nil
}

// Want adds the images of the pairs to the images to load.
func (p *Pairs) Want(w patches.Wanted) {
	for _, pair := range p.List {
		w.Add(pair.A.Sequence, pair.A.Image)
		w.Add(pair.B.Sequence, pair.B.Image)
	}
}

// pairsFiles reads a .benchmark file of variant v2: the names of two .pairs files in the
// same folder, first positives, then negatives.
func pairsFiles(name string, r io.Reader) (files [2]string, err error) {
	l, err := text.Read(name, r)
	if err != nil {
		return files, err
	}
	for i, what := range []string{"the name of the file of positive pairs", "the name of the file of negative pairs"} {
		line, err := l.Want(what)
		if err != nil {
			return files, err
		}
		files[i] = string(line)
		if filepath.Ext(files[i]) != ".pairs" || strings.ContainsAny(files[i], `/\`) {
			return files, l.Faultf("%s, want the name of a .pairs file in the same folder", text.Quote(line))
		}
	}
	return files, l.End("two names")
}

// OpenClassificationBenchmark reads a .benchmark file of variant v2 and the two .pairs
// files it names. The returned pairs have labels.
func OpenClassificationBenchmark(path string) (positives, negatives *Pairs, err error) {
	files, err := patches.ReadFile(path, pairsFiles)
	if err != nil {
		return nil, nil, err
	}
	if positives, err = openPairs(filepath.Join(filepath.Dir(path), files[0]), Positive); err != nil {
		return nil, nil, err
	}
	negatives, err = openPairs(filepath.Join(filepath.Dir(path), files[1]), Negative)
	return positives, negatives, err
}

// openPairs reads a .pairs file of one class.
func openPairs(path string, label Label) (*Pairs, error) {
	p, err := patches.ReadFile(path, func(name string, r io.Reader) (*Pairs, error) { return ReadPairs(name, r, label) })
	if err != nil {
		return nil, patches.Missing(err, path, "the .pairs file that the .benchmark file names")
	}
	for i := range p.List {
		p.List[i].Label = label
	}
	return p, nil
}

// ReadLabels reads a classification .labels file of variant v2: one label per line, in
// the order of the pairs in both files.
func ReadLabels(name string, r io.Reader) ([]Label, error) {
	l, err := text.Read(name, r)
	if err != nil {
		return nil, err
	}
	var labels []Label
	for line, err := range l.All() {
		if err != nil {
			return nil, err
		}
		label, err := Unlabelled.parse(l, line)
		if err != nil {
			return nil, err
		}
		labels = append(labels, label)
	}
	if len(labels) == 0 {
		return nil, &patches.Fault{File: name, Reason: "no labels"}
	}
	return labels, nil
}
