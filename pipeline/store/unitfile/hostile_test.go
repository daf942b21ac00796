package unitfile

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"descbench/files/boundtest"
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
