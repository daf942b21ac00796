package unitfile

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"descbench/eval/must"
	"descbench/eval/text/boundtest"
	"descbench/keypoints"
)

// Units and cache entries with arrays are read like files from elsewhere.
func FuzzUnits(f *testing.F) {
	path := filepath.Join(f.TempDir(), "unit")
	unit := unitAt(path)
	must.Do(f, WriteSets(unit, []keypoints.Set{{Keypoints: make([]keypoints.Keypoint, 3)}}))
	file := must.Get(os.ReadFile(path))(f)
	f.Add(false, file)
	f.Fuzz(func(t *testing.T, pool bool, file []byte) {
		if n := len(file) - checksumDigits; n > 0 { // the checksum is forged as well
			file = fmt.Appendf(bytes.Clone(file[:n]), "%0*x", checksumDigits, crc32.ChecksumIEEE(file[:n]))
		}
		must.Do(t, os.WriteFile(path, file, 0o666))
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
	must.Do(t, errors.Join(z.SetComment(stateOf(kindSets)+unit.Identity+" 00000000"), z.Close()))
	n := b.Len() - checksumDigits
	must.Do(t, os.WriteFile(unit.Path, fmt.Appendf(b.Bytes()[:n], "%0*x", checksumDigits, crc32.ChecksumIEEE(b.Bytes()[:n])), 0o666))
	boundtest.Memory(t, b.Len(), 100, func() {
		_, err := ReadSets(unit)
		must.FailAbout(t, err, "its members are compressed")
	})
}
