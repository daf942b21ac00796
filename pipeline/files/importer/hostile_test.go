package importer_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/pipeline/files/importer"
	"descbench/pipeline/files/npz"
)

// forged returns an array file that has only a header with the given shape.
func forged(descr, shape string) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	file := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	return append(file, header...)
}

// An archive of 500 bytes once made the program panic, or take 8 GB.
func TestAnEmptyMatrixOfHugeRowsIsRefused(t *testing.T) {
	none := npz.Of[float32](nil, 0, 2).Member("keypoints")
	for _, elements := range []descriptors.ElementType{descriptors.Uint8, descriptors.Float32, descriptors.Bits} {
		for shape, want := range map[string]string{
			"(0, 1000000000000000000)": "shape (0, 1000000000000000000), want at most ",
			"(0, 2000000000)":          "shape (0, 2000000000), want at most ",
			"(0, 9223372036854775807)": ", want at most ",
		} {
			path := archive(t, none, npz.Member{Name: "descriptors.npy", Content: forged("|u1", shape)})
			must.BoundMemory(t, 0, 0, func() {
				_, err := importer.Read(path, 640, 480, options(elements))
				if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, %s: error %v, want %q", elements, shape, err, want)
				}
			})
		}
	}
}

func FuzzRead(f *testing.F) {
	content := func(a npz.Array) []byte { return a.Member("").Content }
	f.Add(uint8(1), content(npz.Of([]float32{1, 2}, 1, 2)), content(npz.Of([]float32{1, 2, 3}, 1, 3)), content(npz.Of([]bool{true}, 1)), []byte(nil))
	f.Add(uint8(2), content(npz.Of([]float32{1, 2}, 1, 2)), content(npz.Of([]uint8{1, 2, 3}, 1, 3)), content(npz.Of([]bool{false}, 1)), content(npz.Of([]int32{20})))
	f.Add(uint8(0), []byte("x,y,d0,d1\n1,2,3,4\n"), []byte(nil), []byte(nil), []byte(nil))
	f.Add(uint8(2), []byte("scene,d1,y,d0,x\n\"a\nb\",1,2,3,4\n"), []byte(nil), []byte(nil), []byte(nil))
	path := filepath.Join(f.TempDir(), "features")
	f.Fuzz(func(t *testing.T, elements uint8, first, rows, valid, dim []byte) {
		file := first
		if bytes.HasPrefix(first, []byte("\x93NUMPY")) {
			var b bytes.Buffer
			members := []npz.Member{{Name: "keypoints.npy", Content: first}, {Name: "descriptors.npy", Content: rows}}
			if valid != nil {
				members = append(members, npz.Member{Name: "valid.npy", Content: valid})
			}
			if dim != nil {
				members = append(members, npz.Member{Name: "dim.npy", Content: dim})
			}
			must.Do(t, npz.WriteArchive(&b, members, ""))
			file = b.Bytes()
		}
		must.Do(t, os.WriteFile(path, file, 0o666))
		must.BoundMemory(t, len(file), 400, func() {
			read, err := importer.Read(path, 640, 480, importer.Options{Origin: importer.Corner, Elements: []importer.Elements{importer.Uint8, importer.Float32, importer.Bits, ""}[elements%4]})
			if err != nil {
				return
			}
			if err := read.Descriptors.Check(); err != nil {
				t.Error(err)
			}
			if read.Descriptors.Rows != read.Keypoints.Len() {
				t.Errorf("%d rows, %d keypoints", read.Descriptors.Rows, read.Keypoints.Len())
			}
		})
	})
}
