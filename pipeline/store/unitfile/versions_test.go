package unitfile

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/files/npz"
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

func TestUnitsOfAnotherVersionAreForeign(t *testing.T) {
	path := filepath.Join(t.TempDir(), "eval.zip")
	b := must.Get(os.ReadFile(filepath.Join("testdata", "eval.zip")))(t)
	content := strings.Replace(string(b[:len(b)-checksumDigits]), "descbench eval 4 ", "descbench eval 5 ", 1)
	content += fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(content)))
	must.Do(t, os.WriteFile(path, []byte(content), 0o666))
	if err := VerifyEval(unitAt(path)); !store.Unusable(err) || errors.Is(err, store.ErrDamaged) {
		t.Errorf("got error %v, want store.ErrForeign", err)
	}
}
