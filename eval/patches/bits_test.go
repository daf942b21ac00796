package patches

import (
	"bytes"
	"context"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
)

// OpenCV's AKAZE fills bytes from the lowest bit, so 486 bits leave the two
// highest of the last byte empty.
func TestEveryBitOfARowIsWritten(t *testing.T) {
	const dim, stride = 486, 61
	m := descriptors.New(dim, dim, descriptors.Bits)
	for i := range dim {
		m.Uint8[i*stride+i/8] = 1 << (i % 8)
	}
	written := AsWritten(m)
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
	s, err := NewSet("b", map[string]map[string]*descriptors.Matrix{"v": {"1": parse(t, "1,1,1,1,1,1,1,1,1,0,1\n", false)}})
	if err != nil {
		t.Fatal(err)
	}
	row := s.Image("v", "1").Uint8
	if len(row) != 2 || row[1]>>3 != 0 || bits.OnesCount8(row[1]) != 2 {
		t.Errorf("bytes %b", row)
	}
}

func TestAFolderKnowsWhetherItsBitsArePacked(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	m := &descriptors.Matrix{Rows: 2, Dim: 16, Type: descriptors.Bits, Uint8: []uint8{1, 255, 7, 9}}
	var file bytes.Buffer
	if err := WriteCSV(&file, m, true); err != nil {
		t.Fatal(err)
	}
	put("v_a/ref.csv", file.String())
	load := func(packed bool) (*Set, error) {
		return Load(context.Background(), dir, Wanted{"v_a": {"ref"}}, CSV{Packed: packed})
	}
	for settings, want := range map[string]descriptors.ElementType{
		`{"packed": true}`: descriptors.Bits, `{"packed": false}`: descriptors.Uint8, `{"of": "others"}`: descriptors.Uint8,
	} {
		put("settings.json", settings)
		if s, err := load(false); err != nil || s.Type != want {
			t.Errorf("%s: %v, error %v, want %v", settings, s, err, want)
		}
	}
	for settings, want := range map[string]string{
		`{"packed": false}`: "settings.json: these descriptors are not packed; leave out --packed",
		`{"packed`:          "settings.json: not the settings of a folder of descriptors: unexpected end of JSON input; correct or remove the file",
	} {
		put("settings.json", settings)
		if _, err := load(true); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", settings, err, want)
		}
	}
}
