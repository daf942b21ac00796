package binary

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	maxLine = 1 << 16 // bytes
	form    = "want distance,label"
)

// Read reads lines of the form distance,label: a finite decimal number, and 1
// for a positive or 0 for a negative. Blanks around either, CRLF, and empty
// lines at the end are accepted. Errors begin with the line.
func Read(r io.Reader) (*Samples, error) {
	s := &Samples{}
	lines := bufio.NewReaderSize(r, maxLine)
	empty := 0 // number of the first empty line
	for number := 1; ; number++ {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, fmt.Errorf("line %d: more than %d bytes, %s", number, maxLine-1, form)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		switch line = trim(line); {
		case len(line) > 0:
			if empty > 0 {
				return nil, fmt.Errorf("line %d: empty, %s", empty, form)
			}
			if err := s.addLine(line); err != nil {
				return nil, fmt.Errorf("line %d: %w", number, err)
			}
		case empty == 0:
			empty = number
		}
		if err != nil {
			break
		}
	}
	if len(s.positives)+len(s.negatives) == 0 {
		return nil, fmt.Errorf("no lines, %s", form)
	}
	return s, nil
}

func (s *Samples) addLine(line []byte) error {
	comma := bytes.IndexByte(line, ',')
	if comma < 0 || bytes.IndexByte(line[comma+1:], ',') >= 0 {
		return fmt.Errorf("found %s, %s", quoted(line), form)
	}
	distance, ok := parseFinite(trim(line[:comma]))
	if !ok {
		return fmt.Errorf("distance %s, want a finite number", quoted(trim(line[:comma])))
	}
	switch label := trim(line[comma+1:]); {
	case len(label) == 1 && label[0] == '1':
		s.positives = append(s.positives, keyOf(distance))
	case len(label) == 1 && label[0] == '0':
		s.negatives = append(s.negatives, keyOf(distance))
	default:
		return fmt.Errorf("label %s, want 0 or 1", quoted(label))
	}
	return nil
}

// trim removes blanks, tabs and line ends around b.
func trim(b []byte) []byte {
	blank := func(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
	for len(b) > 0 && blank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	for len(b) > 0 && blank(b[0]) {
		b = b[1:]
	}
	return b
}

// quoted returns b for an error, cut to fit on a line.
func quoted(b []byte) string {
	const longest = 40
	if len(b) > longest {
		return fmt.Sprintf("%q…", b[:longest])
	}
	return fmt.Sprintf("%q", b)
}
