package binary

import (
	"bytes"
	"io"
	"iter"
	"math"

	"descbench/eval/internal/radix"
	"descbench/eval/text"
)

const form = "want distance,label"

// A Line is one line of a file of distances.
type Line struct {
	Number   int // from 1
	Distance float64
	Label    int // 1 for a positive, 0 for a negative, NoLabel without a label
}

// NoLabel is the label of a line without a label.
const NoLabel = -1

// Read reads lines of the form distance,label; see Lines. name is the file name in faults.
func Read(name string, r io.Reader) (*Samples, error) {
	s := &Samples{}
	for line, err := range Lines(name, r, true) {
		if err != nil {
			return nil, err
		}
		if line.Label == 1 {
			s.positives = append(s.positives, radix.KeyOf(line.Distance))
		} else {
			s.negatives = append(s.negatives, radix.KeyOf(line.Distance))
		}
	}
	return s, nil
}

// Lines yields lines of the form distance,label. If labelled is false it also
// accepts lines with a distance only. A distance is a finite decimal number; a
// label is 1 for a positive or 0 for a negative. Surrounding blanks, CRLF and
// empty lines at the end are accepted. It stops after the first error, a
// text.Fault. A file without lines is an error too.
func Lines(name string, r io.Reader, labelled bool) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		lines := text.Read(name, r)
		for b, err := range lines.All() {
			line := Line{Number: lines.Line, Label: NoLabel}
			if err == nil {
				err = line.parse(lines, b, labelled)
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
		if lines.Line == 0 {
			yield(Line{}, &text.Fault{File: name, Reason: "no lines, " + form})
		}
	}
}

func (l *Line) parse(lines *text.Lines, b []byte, labelled bool) error {
	distance, label := b, []byte(nil)
	if comma := bytes.IndexByte(b, ','); comma >= 0 {
		distance, label = b[:comma], text.Trim(b[comma+1:])
		if bytes.IndexByte(label, ',') >= 0 {
			return lines.Faultf("found %s, %s", text.Quote(b), form)
		}
		labelled = true
	} else if labelled {
		return lines.Faultf("found %s, %s", text.Quote(b), form)
	}
	distance = text.Trim(distance)
	var ok bool
	if l.Distance, ok = text.Number(string(distance), 64); !ok || math.IsNaN(l.Distance) || math.IsInf(l.Distance, 0) {
		if string(distance) == "distance" {
			return lines.Faultf("found a header, want lines of numbers only; remove it")
		}
		return lines.Faultf("distance %s, want a finite number", text.Quote(distance))
	}
	switch {
	case !labelled:
	case len(label) == 1 && (label[0] == '0' || label[0] == '1'):
		l.Label = int(label[0] - '0')
	default:
		return lines.Faultf("label %s, want 0 or 1", text.Quote(label))
	}
	return nil
}
