package patches

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
)

// OpenCV's AKAZE fills bytes from the lowest bit, so 486 bits leave the two
// highest of the last byte empty.
func TestEveryBitOfARowIsWritten(t *testing.T) {
	const dim, stride = 486, 61
	m := descriptors.New(dim, dim, descriptors.Bits)
	for i := range dim {
		m.Uint8[i*stride+i/8] = 1 << (i % 8)
	}
	var file bytes.Buffer
	must.Do(t, WriteCSV(&file, m))
	written := parse(t, file.String())
	seen := make(map[int]bool)
	for i := range dim {
		row := written.Uint8[i*dim : (i+1)*dim]
		at := slices.Index(row, 1)
		if at < 0 || slices.Contains(row[at+1:], 1) || seen[at] {
			t.Fatalf("bit %d: column %d", i, at)
		}
		seen[at] = true
	}
}

func TestPaddingOfBitsReadFromColumnsIsZero(t *testing.T) {
	nan := strings.Repeat(",NaN", 11)[1:] // an invalid row does not make bits numbers
	s, err := NewSet("b", map[string]map[string]*descriptors.Matrix{"v": {"1": parse(t, "1,1,1,1,1,1,1,1,1,0,1\n"+nan+"\n")}})
	must.Do(t, err)
	m := s.Image("v", "1")
	if row := m.Uint8; m.Type != descriptors.Bits || len(row) != 4 || row[1]>>3 != 0 || bits.OnesCount8(row[1]) != 2 || !slices.Equal(m.Valid(), []bool{true, false}) {
		t.Errorf("%s %b, valid %v", m.Type, row, m.Valid())
	}
}
