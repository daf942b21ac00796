package y2016

import (
	"fmt"
	"io"

	"descbench/eval/patches"
	"descbench/eval/text"
)

// A Pair is two patches to classify as same or different place, or two images to match.
type Pair struct{ A, B patches.Signature }

// String returns the pair in the form used in files.
func (p Pair) String() string { return p.A.String() + "," + p.B.String() }

// Pairs is a .pairs file. Line i+1 is pair i.
type Pairs struct {
	File     string
	Positive bool // all pairs have the label 1, else 0
	List     []Pair
}

// ReadPairs reads a .pairs file with lines patch_a,patch_b,label. name is the file name
// in faults.
func ReadPairs(name string, r io.Reader) (*Pairs, error) {
	l := text.Read(name, r)
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
		label := string(fields[2])
		if label != "0" && label != "1" {
			return nil, l.Faultf("label %s, want 0 or 1", text.Quote(fields[2]))
		}
		if len(p.List) == 0 {
			p.Positive = label == "1"
		}
		if reason := otherClass(p.Positive, label == "1"); reason != "" {
			return nil, l.Faultf("%s", reason)
		}
		if reason := pair.fault(p.Positive); reason != "" {
			return nil, l.Faultf("%s: %s", pair, reason)
		}
		p.List = append(p.List, pair)
	}
	if len(p.List) == 0 {
		return nil, &patches.Fault{File: name, Reason: "no pairs"}
	}
	return p, nil
}

// otherClass returns the reason why a file whose first pair has a class cannot have a pair, or "" if
// it can.
func otherClass(first, positive bool) string {
	if first == positive {
		return ""
	}
	return fmt.Sprintf("label %d, want %d as in line 1: a file has positive or negative pairs", labelOf(positive), labelOf(first))
}

// labelOf returns 1 for positive pairs, 0 for negative ones.
func labelOf(positive bool) int {
	if positive {
		return 1
	}
	return 0
}

// fault describes why a pair contradicts its class, or returns "". Patches with the same
// index show the same place in all images of a sequence.
func (p Pair) fault(positive bool) string {
	same := p.A.Sequence == p.B.Sequence && p.A.Index == p.B.Index
	switch {
	case positive && !same:
		return "want the same sequence and index for both patches of a positive pair"
	case !positive && same:
		return "want another sequence or index for the second patch of a negative pair, because these show the same place"
	}
	return ""
}

// Want adds the images of the pairs to the images to load.
func (p *Pairs) Want(w patches.Wanted) { want(w, p.List) }

// want adds the images of pairs to the images to load.
func want(w patches.Wanted, pairs []Pair) {
	for _, pair := range pairs {
		w.Add(pair.A.Sequence, pair.A.Image)
		w.Add(pair.B.Sequence, pair.B.Image)
	}
}
