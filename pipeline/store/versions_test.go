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
	"descbench/files/npz"

	"github.com/parquet-go/parquet-go"
)

// testdata has a small example of every file that this program reads back, written
// once.

var exampleUnit = EvalUnit{
	Queries: []eval.Query{
		{
			Descriptor: "sift", Scene: "v_a", K: 2, X: 1.5, Y: 2, ProjectedX: 3.25, ProjectedY: 4, TruthX: 3, TruthY: 4, TruthError: 0.25, Less: 1, Equal: 2,
			Nearest: 1, NearestX: 50, NearestY: 60, NearestDistance: 0.25, NearestError: 70.5, Second: 2, SecondDistance: 0.5, Mutual: true, Shared: true, Candidates: 9,
			GalleryLess: 3, GalleryEqual: 0,
		},
		{
			Descriptor: "sift", Scene: "v_a", K: 2, Row: 1, X: 1, Y: 2, ProjectedX: math.NaN(), ProjectedY: math.NaN(), Truth: -1, TruthX: nan32, TruthY: nan32, TruthError: math.Inf(1),
			Nearest: -1, NearestX: nan32, NearestY: nan32, NearestDistance: math.NaN(), NearestError: math.Inf(1), Second: -1, SecondDistance: math.NaN(), Candidates: 9,
			GalleryLess: -1, GalleryEqual: -1,
		},
	},
	Pairs: []eval.Pair{{Homography11: 1, Homography12: 2, Homography13: 3, Homography21: 4, Homography22: 5, Homography23: 6,
		Homography31: math.NaN(), Homography32: 8, Homography33: 9, Correspondences: -1, CornerErrors: "ransac=1.5", Descriptor: "sift", Scene: "v_a", K: 2, Width1: 640, Spread1: 0.5, SpreadK: math.NaN(), RansacCornerError: math.NaN(), RansacFailed: true, MagsacCornerError: 2.5}},
}

var nan32 = float32(math.NaN())

// exampleResults unpacks testdata/results.
func exampleResults(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "results"))); err != nil {
		t.Fatal(err)
	}
	unpack(t, filepath.Join(dir, "results.sqlite.gz"), filepath.Join(dir, "results.sqlite"))
	return dir
}

func unpack(t *testing.T, from, to string) {
	t.Helper()
	packed, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	err = WriteFile(to, func(w io.Writer) error {
		_, err := io.Copy(w, z)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
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
	writeText(t, path, content+fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(content))))
	return path
}

func TestUnitsOfOlderFormatsAreRecomputed(t *testing.T) {
	unit := unitAt(unitOfVersion(t, "2"))
	_, err := ReadEval(unit)
	for _, err := range []error{err, VerifyEval(unit)} {
		if want := "format version 2, written by an older descbench, want version 3"; !errors.Is(err, ErrForeign) || !Unusable(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want ErrForeign: %s", err, want)
		}
	}
}

func TestFilesOfNewerVersionsAreRefusedAndNotRecomputed(t *testing.T) {
	unit := unitOfVersion(t, "4")
	_, ofUnit := ReadEval(unitAt(unit))
	records := foreign(t, []eval.Pair{{}}, parquet.KeyValueMetadata("descbench.records", "4"))
	summed(t, records)
	for want, err := range map[string]error{
		unit + ": written by a newer descbench: format version 4, this one reads versions up to 3; use":     ofUnit,
		records + ": written by a newer descbench: records version 4, this one reads versions up to 3; use": ReadPairs(records, func([]eval.Pair) error { return nil }),
	} {
		if !errors.Is(err, ErrNewer) || Unusable(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v\nwant %s", err, want)
		}
	}
}
