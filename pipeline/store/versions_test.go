package store

import (
	"compress/gzip"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"descbench/eval"
	"descbench/keypoints/npz"

	"github.com/parquet-go/parquet-go"
)

// testdata has a small example of every file that this program reads back, written
// once by the version of its format: containers in version 2 (testdata) and 1
// (testdata/version1), records in version 2 and a database of schema 1
// (testdata/results), a keypoint file of version 1 (testdata/keypoints.parquet,
// see keypointfile_test.go). A change of a format adds examples and keeps these.

var exampleUnit = EvalUnit{
	Queries: []eval.Query{{Descriptor: "sift", Scene: "v_a", K: 2, Truth: -1, TruthError: math.Inf(1), NearestDistance: 0.25}},
	Pairs:   []eval.Pair{{Descriptor: "sift", Scene: "v_a", K: 2, Width1: 640}},
}

// exampleResults unpacks testdata/results.
func exampleResults(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "results"))); err != nil {
		t.Fatal(err)
	}
	packed, err := os.Open(filepath.Join(dir, "results.sqlite.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	err = WriteFile(filepath.Join(dir, "results.sqlite"), func(w io.Writer) error {
		_, err := io.Copy(w, z)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestExamplesOfTheCurrentFormatsAreRead(t *testing.T) {
	unit, err := ReadEval(unitAt(filepath.Join("testdata", "eval.zip")))
	if err != nil || !equalRecords(unit.Queries, exampleUnit.Queries) || !equalRecords(unit.Pairs, exampleUnit.Pairs) {
		t.Errorf("eval.zip: %v, %v", unit, err)
	}
	if sets, err := ReadSets(unitAt(filepath.Join("testdata", "sets.npz"))); err != nil || len(sets) != 2 || sets[1].Source[1] != 3 {
		t.Errorf("sets.npz: %v, %v", sets, err)
	}
	err = readContainer(UnitFile{filepath.Join("testdata", "features.npz"), Key("f")}, kindFeatures, func(a *npz.Archive) error {
		m, err := readMatrix(a)
		if err == nil && (m.Rows != 3 || m.Float32[5] != 6.5) {
			t.Errorf("features.npz: %v", m)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	dir := exampleResults(t)
	err = ReadQueries(filepath.Join(dir, "queries.parquet"), func(q []eval.Query) error {
		unit.Queries = append(unit.Queries[:0], q...)
		return nil
	})
	if err != nil || !equalRecords(unit.Queries, exampleUnit.Queries) {
		t.Errorf("queries.parquet: %v, %v", unit.Queries, err)
	}
	err = ReadPairs(filepath.Join(dir, "pairs.parquet"), func(p []eval.Pair) error {
		unit.Pairs = append(unit.Pairs[:0], p...)
		return nil
	})
	if err != nil || !equalRecords(unit.Pairs, exampleUnit.Pairs) {
		t.Errorf("pairs.parquet: %v, %v", unit.Pairs, err)
	}
	want, err := NewSummary(sampleRun())
	if err != nil {
		t.Fatal(err)
	}
	if s, err := ReadSummary(filepath.Join(dir, "summary.json")); err != nil || !reflect.DeepEqual(s, want) {
		t.Errorf("summary.json: %+v, %v", s, err)
	}
	if err := ReadMetricsCSV(filepath.Join(dir, "metrics.csv"), func(string, eval.Metric) {}); err != nil {
		t.Error(err)
	}
	rows, err := ReadResults(t.Context(), filepath.Join(dir, "results.sqlite"), Selection{})
	if micro, _ := rows[0].Figures.Get("true_map_micro"); err != nil || micro != 0.625 {
		t.Errorf("results.sqlite: %v, %v", rows, err)
	}
}

func TestUnitsOfFormatVersion1AreRecomputed(t *testing.T) {
	_, ofEval := ReadEval(unitAt(filepath.Join("testdata", "version1", "eval.zip")))
	_, ofSets := ReadSets(unitAt(filepath.Join("testdata", "version1", "sets.npz")))
	ofFeatures := readContainer(unitAt(filepath.Join("testdata", "version1", "features.npz")), kindFeatures, nothing)
	for _, err := range []error{ofEval, ofSets, ofFeatures} {
		if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "format version 1, written by an older descbench, want version 2") {
			t.Errorf("got error %v, want ErrForeign about version 1", err)
		}
	}
}

func TestFilesOfNewerVersionsAreRefusedAndNotRecomputed(t *testing.T) {
	dir := t.TempDir()
	unit := filepath.Join(dir, "eval.zip")
	b, err := os.ReadFile(filepath.Join("testdata", "eval.zip"))
	if err != nil {
		t.Fatal(err)
	}
	content := strings.Replace(string(b[:len(b)-checksumDigits]), "descbench eval 2 ", "descbench eval 3 ", 1)
	writeText(t, unit, content+fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(content))))
	_, ofUnit := ReadEval(unitAt(unit))
	records := foreign(t, []eval.Pair{{}}, parquet.KeyValueMetadata("descbench.records", "3"))
	summed(t, records)
	points := foreign(t, []keypointRow{{}}, parquet.KeyValueMetadata("descbench.keypoints", "2"))
	_, ofPoints := OpenKeypointFile(points)
	database := writeSample(t)
	execute(t, database, "PRAGMA user_version = 3")
	_, ofDatabase := ReadResults(t.Context(), database, Selection{})
	for want, err := range map[string]error{
		unit + ": written by a newer descbench: format version 3, this one reads versions up to 2; use":          ofUnit,
		records + ": written by a newer descbench: records version 3, this one reads versions up to 2; use":      ReadPairs(records, func([]eval.Pair) error { return nil }),
		points + ": written by a newer descbench: keypoint file version 2, this one reads versions up to 1; use": ofPoints,
		database + ": written by a newer descbench: schema version 3, this one reads versions up to 2; use":      ofDatabase,
	} {
		if !errors.Is(err, errNewer) || Unusable(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v\nwant %s", err, want)
		}
	}
}
