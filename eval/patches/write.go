package patches

import (
	"bufio"
	"io"
	"math"
	"strconv"

	"descbench/descriptors"
)

// WriteCSV writes a descriptor file: one line per patch, with numbers separated by
// commas and with enough digits to read them back exactly. Rows of bits are written
// as zeros and ones. Rows that represent L2-normalised descriptors are written in
// normalised form. Invalid rows are written as NaN.
func WriteCSV(w io.Writer, m *descriptors.Matrix) error {
	b := bufio.NewWriter(w)
	var line []byte
	for i := range m.Rows {
		line = line[:0]
		for j, v := range rowNumbers(m, i) {
			if j > 0 {
				line = append(line, ',')
			}
			line = strconv.AppendFloat(line, float64(v), 'g', -1, 32)
		}
		if _, err := b.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return b.Flush()
}

// rowNumbers returns the numbers of a row as they are written.
func rowNumbers(m *descriptors.Matrix, i int) []float32 {
	row := AppendRow(nil, m, i)
	if m.UnitNorm {
		sum := 0.0
		for _, v := range row {
			sum += float64(v) * float64(v)
		}
		for j, v := range row {
			if sum > 0 {
				row[j] = float32(float64(v) / math.Sqrt(sum))
			}
		}
	}
	return row
}
