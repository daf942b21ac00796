package binary

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	"descbench/eval/internal/radix"
	"descbench/eval/text"
)

const (
	maxLine = 1 << 16 // bytes
	form    = "want distance,label"
)

// A Line is one line of a file of distances.
type Line struct {
	Number   int // from 1
	Distance float64
	Label    int // 1 for a positive, 0 for a negative, NoLabel without a label
}

// NoLabel is the label of a line without a label.
const NoLabel = -1

// A LineError reports which line of a file is invalid and why.
type LineError struct {
	Line int // from 1; 0 for the file as a whole
	Err  error
}

func (e *LineError) Error() string {
	if e.Line == 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("line %d: %v", e.Line, e.Err)
}

func (e *LineError) Unwrap() error { return e.Err }

// Read reads lines of the form distance,label; see Lines. Errors start with the
// line number.
func Read(r io.Reader) (*Samples, error) {
	s := &Samples{}
	for line, err := range Lines(r, true) {
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
// LineError. A file without lines is an error too.
func Lines(r io.Reader, labelled bool) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		lines := bufio.NewReaderSize(r, maxLine)
		read, empty := 0, 0 // number of lines read; number of the first empty line
		for number := 1; ; number++ {
			b, end := lines.ReadSlice('\n')
			line := Line{Number: number, Label: NoLabel}
			var err error
			switch b = text.Trim(bytes.TrimSuffix(b, []byte{'\n'})); {
			case errors.Is(end, bufio.ErrBufferFull):
				err = fmt.Errorf("more than %d bytes, %s", maxLine-1, form)
			case end != nil && !errors.Is(end, io.EOF):
				err = end
			case len(b) > 0 && empty > 0:
				number, err = empty, errors.New("empty, "+form)
			case len(b) > 0:
				read++
				err = line.parse(b, labelled)
			case empty == 0:
				empty = number
			}
			if err != nil {
				yield(Line{}, &LineError{number, err})
				return
			}
			if len(b) > 0 && !yield(line, nil) {
				return
			}
			if end != nil {
				break
			}
		}
		if read == 0 {
			yield(Line{}, &LineError{0, errors.New("no lines, " + form)})
		}
	}
}

func (l *Line) parse(b []byte, labelled bool) error {
	distance, label := b, []byte(nil)
	if comma := bytes.IndexByte(b, ','); comma >= 0 {
		distance, label = b[:comma], text.Trim(b[comma+1:])
		if bytes.IndexByte(label, ',') >= 0 {
			return fmt.Errorf("found %s, %s", text.Quote(b), form)
		}
		labelled = true
	} else if labelled {
		return fmt.Errorf("found %s, %s", text.Quote(b), form)
	}
	distance = text.Trim(distance)
	var ok bool
	if l.Distance, ok = text.Number(string(distance), 64); !ok || math.IsNaN(l.Distance) || math.IsInf(l.Distance, 0) {
		if string(distance) == "distance" {
			return errors.New("found a header, want lines of numbers only; remove it")
		}
		return fmt.Errorf("distance %s, want a finite number", text.Quote(distance))
	}
	switch {
	case !labelled:
	case len(label) == 1 && (label[0] == '0' || label[0] == '1'):
		l.Label = int(label[0] - '0')
	default:
		return fmt.Errorf("label %s, want 0 or 1", text.Quote(label))
	}
	return nil
}
