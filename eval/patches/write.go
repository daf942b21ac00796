package patches

import (
	"bufio"
	"io"
	"strconv"

	"descbench/descriptors"
)

// WriteCSV writes a descriptor file: one line per patch, with numbers separated by
// commas and with enough digits to read them back exactly. Rows of bits are written
// as zeros and ones. Rows that represent L2-normalised descriptors are written in
// normalised form. Invalid rows are written as NaN.
func WriteCSV(w io.Writer, m *descriptors.Matrix) error {
	m = m.WrittenOut()
	return WriteLines(w, m.Rows, func(line []byte, i int) []byte {
		return AppendList(line, AppendRow(nil, m, i), func(line []byte, v float32) []byte {
			return strconv.AppendFloat(line, float64(v), 'g', -1, 32)
		})
	})
}

// WriteLines writes n lines. appendLine appends line i, without its end, to line.
func WriteLines(w io.Writer, n int, appendLine func(line []byte, i int) []byte) error {
	b := bufio.NewWriter(w)
	var line []byte
	for i := range n {
		line = append(appendLine(line[:0], i), '\n')
		if _, err := b.Write(line); err != nil {
			return err
		}
	}
	return b.Flush()
}

// A File is a file of the benchmark to write. Name is its path in a folder, with slashes.
type File struct {
	Name  string
	Write func(io.Writer) error
}

// NewFile returns a file of lines, as WriteLines writes them.
func NewFile(name string, lines int, appendLine func(line []byte, i int) []byte) File {
	return File{name, func(w io.Writer) error { return WriteLines(w, lines, appendLine) }}
}

// AppendList appends the items of a list, separated by commas, to a line.
func AppendList[T any](line []byte, list []T, appendItem func(line []byte, item T) []byte) []byte {
	for i, item := range list {
		if i > 0 {
			line = append(line, ',')
		}
		line = appendItem(line, item)
	}
	return line
}
