package patches

import (
	"bufio"
	"io"
	"math"
	"strconv"

	"descbench/descriptors"
	"descbench/files/npz"
)

// WriteCSV writes a descriptor file: one line per patch, with numbers separated by
// commas and with enough digits to read them back exactly. Rows of bits are written
// as zeros and ones or, if packed is set, as bytes. Rows that represent L2-normalised
// descriptors are written in normalised form. Invalid rows are written as zeros.
func WriteCSV(w io.Writer, m *descriptors.Matrix, packed bool) error {
	b := bufio.NewWriter(w)
	var line []byte
	for i := range m.Rows {
		line = line[:0]
		for j, v := range rowNumbers(m, i, packed) {
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

// WriteNPZ writes the same numbers as an archive with one array named descriptors.
// Its type is uint8 if the rows are integers from 0 to 255, else float32.
func WriteNPZ(w io.Writer, m *descriptors.Matrix, packed bool) error {
	var all []float32
	for i := range m.Rows {
		all = append(all, rowNumbers(m, i, packed)...)
	}
	columns := len(all) / max(m.Rows, 1)
	array := npz.Of(all, m.Rows, columns)
	if m.Type != descriptors.Float32 && !m.UnitNorm {
		bytes := make([]uint8, len(all))
		for i, v := range all {
			bytes[i] = uint8(v)
		}
		array = npz.Of(bytes, m.Rows, columns)
	}
	return npz.WriteArchive(w, []npz.Member{array.Member("descriptors")}, "")
}

// AsWritten returns the rows that reading a file written by WriteCSV without packing
// would give.
func AsWritten(m *descriptors.Matrix) *descriptors.Matrix {
	values := make([]float32, 0, m.Rows*m.Dim)
	for i := range m.Rows {
		values = append(values, rowNumbers(m, i, false)...)
	}
	return compact(m.Rows, m.Dim, values)
}

// rowNumbers returns the numbers of a row as they are written.
func rowNumbers(m *descriptors.Matrix, i int, packed bool) []float32 {
	stride := m.Stride()
	if m.Type == descriptors.Bits && packed || m.IsInvalid(i) {
		out := make([]float32, stride)
		if m.Type == descriptors.Bits && !packed {
			out = make([]float32, m.Dim)
		}
		if !m.IsInvalid(i) {
			for j, v := range m.Uint8[i*stride : (i+1)*stride] {
				out[j] = float32(v)
			}
		}
		return out
	}
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
