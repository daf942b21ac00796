package files

import (
	"fmt"
	"io"
)

// Records returns a reader of CSV text that fails within the first record of more
// than limit bytes. Parsers of CSV need about 20 times as much memory as the
// longest record, which may be the whole file if it has no line ends or a quote
// is never closed.
func Records(r io.Reader, limit int) io.Reader {
	return &records{r: r, limit: limit, line: 1}
}

type records struct {
	r      io.Reader
	limit  int
	line   int  // from 1
	length int  // of the current record, in bytes
	quoted bool // the current field is in quotes and may contain line ends
}

func (r *records) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	for _, c := range p[:n] {
		switch {
		case c == '"':
			r.quoted = !r.quoted // a doubled quote does so twice
		case c == '\n':
			r.line++
			if !r.quoted {
				r.length = 0
				continue
			}
		}
		if r.length++; r.length > r.limit {
			return 0, fmt.Errorf("line %d: more than %d bytes in one record", r.line, r.limit)
		}
	}
	return n, err
}
