package y2016

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"descbench/eval/patches"
	"descbench/eval/text"
)

// A Label states whether two patches show the same place.
type Label int8

// The labels of pairs, and that of a file which may have pairs of both.
const (
	Negative Label = 0
	Positive Label = 1
	Both     Label = -1
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
	return Both
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
	List []Pair
}

// ReadPairs reads a .pairs file with lines patch_a,patch_b,label. name is the file name
// in faults, of the label of all its pairs.
func ReadPairs(name string, r io.Reader, of Label) (*Pairs, error) {
	l, err := text.Read(name, r)
	if err != nil {
		return nil, err
	}
	p := &Pairs{File: name}
	var fields [][]byte
	for line, err := range l.All() {
		if err != nil {
			return nil, err
		}
		fields = text.Fields(fields[:0], line)
		if err := refuseV2(l, fields); err != nil {
			return nil, err
		}
		switch len(fields) {
		case 3:
		case 2:
			return nil, l.Faultf("a pair without label" + ofV2 + "patch_a,patch_b,label")
		default:
			return nil, l.Faultf("%d fields, want patch_a,patch_b,label", len(fields))
		}
		var pair Pair
		if pair.A, err = patches.ParsePatch(fields[0]); err != nil {
			return nil, l.Faultf("%v", err)
		}
		if pair.B, err = patches.ParsePatch(fields[1]); err != nil {
			return nil, l.Faultf("%v", err)
		}
		if pair.A == pair.B {
			return nil, l.Faultf("%s is paired with itself", pair.A)
		}
		if pair.Label, err = of.parse(l, fields[2]); err != nil {
			return nil, err
		}
		if reason := pair.fault(); reason != "" {
			return nil, l.Faultf("%s,%s: %s", pair.A, pair.B, reason)
		}
		p.List = append(p.List, pair)
	}
	if len(p.List) == 0 {
		return nil, &patches.Fault{File: name, Reason: "no pairs"}
	}
	return p, nil
}

// fault describes why a pair contradicts its label, or returns "". Patches with the same
// index show the same place in all images of a sequence.
func (p Pair) fault() string {
	same := p.A.Sequence == p.B.Sequence && p.A.Index == p.B.Index
	switch {
	case p.Label == Positive && !same:
		return "want the same sequence and index for both patches of a positive pair"
	case p.Label == Negative && same:
		return "want another sequence or index for the second patch of a negative pair, because these show the same place"
	}
	return ""
}

// Class returns the class of all pairs, or Both.
func (p *Pairs) Class() Label {
	for _, pair := range p.List {
		if pair.Label != p.List[0].Label {
			return Both
		}
	}
	return p.List[0].Label
}

// digest returns the digest of the pairs and their labels, in their order.
func (p *Pairs) digest() string {
	return patches.SHA256(func(w io.Writer) {
		for _, pair := range p.List {
			fmt.Fprintln(w, pair.A, pair.B, pair.Label)
		}
	})
}

// Want adds the images of the pairs to the images to load.
func (p *Pairs) Want(w patches.Wanted) {
	for _, pair := range p.List {
		w.Add(pair.A.Sequence, pair.A.Image)
		w.Add(pair.B.Sequence, pair.B.Image)
	}
}
