package unitfile

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/files/npz"
	"descbench/pipeline/store"
	"descbench/pipeline/store/records/recordtest"
)

// testdata has a small example of every file that this package reads back, written
// once.

func TestExamplesOfTheCurrentFormatsAreRead(t *testing.T) {
	unit, err := ReadEval(unitAt(filepath.Join("testdata", "eval.zip")))
	if err != nil || !recordtest.Equal(unit.Queries, recordtest.ExampleQueries) || !recordtest.Equal(unit.Pairs, recordtest.ExamplePairs) {
		t.Errorf("eval.zip: %v, %v", unit, err)
	}
	if sets, err := ReadSets(unitAt(filepath.Join("testdata", "sets.npz"))); err != nil || len(sets) != 2 || sets[1].Source[1] != 3 {
		t.Errorf("sets.npz: %v, %v", sets, err)
	}
	err = readContainer(UnitFile{"testdata", filepath.Join("testdata", "features.npz"), Key("f")}, kindFeatures, func(a *npz.Archive) error {
		m, err := readMatrix(a)
		if err == nil && (m.Rows != 3 || m.Float32[5] != 6.5) {
			t.Errorf("features.npz: %v", m)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// unitOfVersion returns a copy of the example of an eval unit in which the format
// version is another.
func unitOfVersion(t *testing.T, version string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "eval.zip")
	b, err := os.ReadFile(filepath.Join("testdata", "eval.zip"))
	if err != nil {
		t.Fatal(err)
	}
	content := strings.Replace(string(b[:len(b)-checksumDigits]), "descbench eval 3 ", "descbench eval "+version+" ", 1)
	content += fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(content)))
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestUnitsOfOlderFormatsAreRecomputed(t *testing.T) {
	unit := unitAt(unitOfVersion(t, "2"))
	_, err := ReadEval(unit)
	for _, err := range []error{err, VerifyEval(unit)} {
		if want := "format version 2, written by an older descbench, want version 3"; !errors.Is(err, store.ErrForeign) || !store.Unusable(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want ErrForeign: %s", err, want)
		}
	}
}

func TestUnitsOfNewerFormatsAreRefusedAndNotRecomputed(t *testing.T) {
	unit := unitOfVersion(t, "4")
	_, err := ReadEval(unitAt(unit))
	want := unit + ": written by a newer descbench: format version 4, this one reads versions up to 3; use"
	if !errors.Is(err, store.ErrNewer) || store.Unusable(err) || !strings.Contains(err.Error(), want) {
		t.Errorf("got error %v\nwant %s", err, want)
	}
}
