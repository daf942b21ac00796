package child

import (
	"bufio"
	"io"
	"strings"
	"sync"
	"unicode"
)

const (
	keptLines = 8   // of standard error
	keptBytes = 300 // of a line
)

// A tail keeps the last lines that a process writes to standard error.
type tail struct {
	mu    sync.Mutex
	lines []string
	ended chan struct{}
}

// follow reads r to its end.
func follow(r io.ReadCloser) *tail {
	t := &tail{ended: make(chan struct{})}
	go func() {
		defer close(t.ended)
		defer r.Close()
		lines := bufio.NewReaderSize(r, 4<<10)
		for begins := true; ; {
			part, more, err := lines.ReadLine()
			if err != nil {
				return
			}
			if begins {
				t.add(part)
			}
			begins = !more
		}
	}()
	return t
}

func (t *tail) add(line []byte) {
	text := strings.TrimSpace(strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return ' '
		}
		return c
	}, string(line[:min(len(line), keptBytes)])))
	if text == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, text)
	t.lines = t.lines[max(0, len(t.lines)-keptLines):]
}

// String returns the lines as one, for the end of a message; "" without any.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.lines) == 0 {
		return ""
	}
	return "; last lines of its stderr: " + strings.Join(t.lines, " | ")
}
