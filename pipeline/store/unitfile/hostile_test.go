package unitfile

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/text/boundtest"
	"descbench/keypoints"
)

// Units and cache entries with arrays are read like files from elsewhere.
func FuzzUnits(f *testing.F) {
	path := filepath.Join(f.TempDir(), "unit")
	unit := unitAt(path)
	if err := WriteSets(unit, []keypoints.Set{{Keypoints: make([]keypoints.Keypoint, 3)}}); err != nil {
		f.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(false, file)
	f.Fuzz(func(t *testing.T, pool bool, file []byte) {
		if n := len(file) - checksumDigits; n > 0 { // the checksum is forged as well
			file = fmt.Appendf(bytes.Clone(file[:n]), "%0*x", checksumDigits, crc32.ChecksumIEEE(file[:n]))
		}
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		boundtest.Memory(t, len(file), 4000, func() {
			if pool {
				_, _ = ReadPool(unit)
			} else {
				_, _ = ReadSets(unit)
			}
		})
	})
}

func TestCompressedMembersAreRefusedBeforeTheyAreRead(t *testing.T) {
	unit := unitAt(filepath.Join(t.TempDir(), "unit"))
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if w, err := z.Create("1/x.npy"); err != nil {
		t.Fatal(err)
	} else if _, err := w.Write(make([]byte, 50<<20)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(z.SetComment(stateOf(kindSets)+unit.Identity+" 00000000"), z.Close()); err != nil {
		t.Fatal(err)
	}
	n := b.Len() - checksumDigits
	if err := os.WriteFile(unit.Path, fmt.Appendf(b.Bytes()[:n], "%0*x", checksumDigits, crc32.ChecksumIEEE(b.Bytes()[:n])), 0o666); err != nil {
		t.Fatal(err)
	}
	boundtest.Memory(t, b.Len(), 100, func() {
		if _, err := ReadSets(unit); err == nil || !strings.Contains(err.Error(), "its members are compressed") {
			t.Errorf("error %v", err)
		}
	})
}
