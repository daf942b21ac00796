package child

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
)

const (
	keptBytes  = 16 << 10 // of standard error
	shownLines = 8        // the last ones
	shownBytes = 300      // of a line
)

// A tail keeps the end of what a process writes to standard error.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write adds to the text.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	t.text = bytes.Clone(t.text[max(0, len(t.text)-keptBytes):])
	return len(b), nil
}

// String returns the last lines as one, for the end of a message; "" without any.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for line := range bytes.Lines(t.text) {
		text := strings.TrimSpace(strings.Map(func(c rune) rune {
			if !unicode.IsPrint(c) {
				return ' '
			}
			return c
		}, string(line[:min(len(line), shownBytes)])))
		if text != "" {
			lines = append(lines, text)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return "; last lines of its stderr: " + strings.Join(lines[max(0, len(lines)-shownLines):], " | ")
}
