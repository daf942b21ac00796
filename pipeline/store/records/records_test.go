package records

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/eval/record"
	"descbench/pipeline/store"

	"github.com/parquet-go/parquet-go"
)

// summed writes the checksum of a result file, so that it can be read.
func summed(t testing.TB, path string) {
	t.Helper()
	must.Do(t, store.WriteSums(filepath.Dir(path), filepath.Base(path)))
}

func writeQueries(t *testing.T, path string, batches ...[]record.Query) {
	t.Helper()
	w := must.Get(NewWriter[record.Query](path, "baseline"))(t)
	defer w.Abort()
	for _, b := range batches {
		must.Do(t, w.Add(b))
	}
	must.Do(t, w.Close())
	summed(t, path)
}

func writePairs(t *testing.T, path string, pairs []record.Pair) {
	t.Helper()
	w := must.Get(NewWriter[record.Pair](path, "baseline"))(t)
	must.Do(t, cmp.Or(w.Add(pairs), w.Close()))
	summed(t, path)
}

func readQueries(t *testing.T, path string) []record.Query {
	t.Helper()
	content := must.Get(os.ReadFile(path))(t)
	return must.Get(Decode[record.Query](content))(t)
}

var nan32 = float32(math.NaN())

// sampleQueries returns n queries like those of one scene.
func sampleQueries(n int) []record.Query {
	rows := make([]record.Query, n)
	next := rand.New(rand.NewPCG(1, 2)).IntN
	x := func() float32 { return float32(next(1<<20)) / 1024 }
	px := func() float64 { return math.Sqrt(float64(next(1 << 20))) }
	for i := range rows {
		rows[i] = record.Query{
			Descriptor: "sift", Scene: "v_dogman", K: int32(2 + 5*i/n), Row: int32(i), X: x(), Y: x(), ProjectedX: px(), ProjectedY: px(),
			Truth: -1, TruthX: nan32, TruthY: nan32, TruthError: math.Inf(1), Partner: int32(next(3)) - 2,
			Nearest: int32(next(8000)), NearestX: x(), NearestY: x(), NearestDistance: px(), NearestError: px(), NearestError1: math.Inf(1),
			Second: int32(next(8000)), SecondDistance: px(), Mutual: next(5) < 2, Shared: next(5) < 4, Candidates: 8000, GalleryLess: -1, GalleryEqual: -1,
		}
		if q := &rows[i]; next(5) < 3 {
			q.Truth, q.TruthX, q.TruthY, q.TruthError, q.Less = int32(next(8000)), x(), x(), px()/1024, int32(next(next(8000)+1))
		}
	}
	return rows
}

func TestRecordsAreWrittenAsCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "queries.parquet")
	queries := sampleQueries(rowsPerGroup + 3)
	queries[rowsPerGroup+1] = record.Query{
		Descriptor: "surf", Scene: "i_b", K: 3, Row: 7, X: 0.1, Y: 2, ProjectedX: 0.1, ProjectedY: math.NaN(),
		Truth: -1, TruthX: float32(math.NaN()), TruthY: float32(math.NaN()), TruthError: math.Inf(1), Partner: -1,
		Nearest: 4, NearestX: 1e-7, NearestY: 0, NearestDistance: 1. / 3, NearestError: 1e9, Second: -1, SecondDistance: math.NaN(),
		Mutual: true, Candidates: 9, GalleryLess: -1, GalleryEqual: -1,
	}
	writeQueries(t, path, queries)
	var b strings.Builder
	must.Do(t, WriteCSV(&b, path, true, func(descriptor string) bool { return descriptor == "surf" }))
	// By docs/columns.md; digits as Python's repr has them, of single precision numpy.float32's.
	want := "experiment,descriptor,scene,k,row,x,y,projected_x,projected_y,truth,truth_x,truth_y,truth_error,partner,less,equal," +
		"nearest,nearest_x,nearest_y,nearest_distance,nearest_error,state,nearest_state,nearest_error_1,second,second_distance,mutual,shared,invalid,candidates,gallery_less,gallery_equal\n" +
		"baseline,surf,i_b,3,7,0.1,2,0.1,,,,,,-1,,,4,1e-07,0,0.3333333333333333,1e+09,,,0,,,true,false,false,9,,\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	must.Do(t, WriteCSV(&b, path, false, func(string) bool { return true }))
	if n := strings.Count(b.String(), "\nbaseline,"); n != rowsPerGroup+2 {
		t.Errorf("%d further lines, want %d", n, rowsPerGroup+2)
	}
}

func TestQueriesOfSeveralRowGroupsAreReadInOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "queries.parquet")
	want := sampleQueries(rowsPerGroup + 12_345)
	for i := range want {
		want[i].Row = int32(i)
		if i%1000 == 999 {
			want[i].Scene = "i_other"
		}
	}
	writeQueries(t, path, want)
	if got := readQueries(t, path); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Error("the queries read are not those written")
	}
}

func TestBytesDoNotDependOnHowRowsAreAdded(t *testing.T) {
	dir := t.TempDir()
	rows := sampleQueries(40_000) // of several pages
	whole, split := filepath.Join(dir, "whole"), filepath.Join(dir, "split")
	writeQueries(t, whole, rows)
	want := must.Get(os.ReadFile(whole))(t)
	for _, n := range []int{7, rowsPerPiece, rowsPerPiece + 1, 33_000, len(rows)} {
		writeQueries(t, split, slices.Collect(slices.Chunk(rows, n))...)
		got := must.Get(os.ReadFile(split))(t)
		if !bytes.Equal(got, want) {
			t.Errorf("added by %d, the bytes differ", n)
		}
	}
}

// parquet-go's generic rows stand for other programs here: nothing of ours
// takes part in reading.
func TestOtherProgramsReadTheColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "queries.parquet")
	q := sampleQueries(3)
	q[1].Mutual, q[1].Truth, q[1].TruthX, q[1].Less = true, 0, 0, 41
	q[2].Truth, q[2].Less, q[2].Nearest = -1, 0, -1
	writeQueries(t, path, q)
	b := must.Get(os.ReadFile(path))(t)
	if !bytes.HasPrefix(b, []byte("PAR1")) || !bytes.HasSuffix(b, []byte("PAR1")) {
		t.Errorf("want PAR1 at both ends")
	}
	f := must.Get(parquet.OpenFile(bytes.NewReader(b), int64(len(b))))(t)
	if v, ok := f.Lookup("descbench.records"); !ok || v != "4" {
		t.Errorf("descbench.records = %q, %v; want 4", v, ok)
	}
	const schema = `message Query {
	required binary experiment (STRING);
	required binary descriptor (STRING);
	required binary scene (STRING);
	required int32 k (INT(32,true));
	required int32 row (INT(32,true));
	required float x;
	required float y;
	optional double projected_x;
	optional double projected_y;
	optional int32 truth (INT(32,true));
	optional float truth_x;
	optional float truth_y;
	optional double truth_error;
	optional int32 partner (INT(32,true));
	optional int32 less (INT(32,true));
	optional int32 equal (INT(32,true));
	optional int32 nearest (INT(32,true));
	optional float nearest_x;
	optional float nearest_y;
	optional double nearest_distance;
	optional double nearest_error;
	optional binary state (STRING);
	optional binary nearest_state (STRING);
	optional double nearest_error_1;
	optional int32 second (INT(32,true));
	optional double second_distance;
	required boolean mutual;
	required boolean shared;
	required boolean invalid;
	required int32 candidates (INT(32,true));
	optional int32 gallery_less (INT(32,true));
	optional int32 gallery_equal (INT(32,true));
}`
	if got := f.Schema().String(); got != schema {
		t.Errorf("got schema %s", got)
	}
	rows := parquet.NewGenericReader[map[string]any](f, f.Schema())
	defer rows.Close()
	got := []map[string]any{{}, {}, {}}
	if n, err := rows.Read(got); n != 3 || err != nil && err != io.EOF {
		t.Fatalf("read %d rows, %v", n, err)
	}
	if got[1]["experiment"] != "baseline" || got[1]["truth"] != int32(0) || got[1]["truth_x"] != float32(0) || got[1]["gallery_less"] != nil {
		t.Errorf("got %v", got[1])
	}
	if got[2]["truth"] != nil || got[2]["less"] != nil || got[2]["equal"] != nil || got[2]["nearest"] != nil || got[2]["second"] == nil {
		t.Errorf("got %v, want no ground truth, no rank and no nearest neighbour", got[2])
	}
	if got[1]["less"] != int32(41) || got[1]["mutual"] != true || got[1]["nearest_distance"] != q[1].NearestDistance {
		t.Errorf("got %v", got[1])
	}
	for _, c := range f.Metadata().RowGroups[0].Columns {
		name, codec := c.MetaData.PathInSchema[0], c.MetaData.Codec
		if codec.String() != "SNAPPY" {
			t.Errorf("%s: compressed with %v, want SNAPPY", name, codec)
		}
		if dictionary := c.MetaData.DictionaryPageOffset != 0; dictionary != (name == "experiment" || name == "descriptor" || name == "scene" || name == "state" || name == "nearest_state") {
			t.Errorf("%s: dictionary = %v", name, dictionary)
		}
	}
}

// foreign writes a Parquet file without our writer.
func foreign[T any](t *testing.T, rows []T, options ...parquet.WriterOption) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "foreign.parquet")
	must.Do(t, parquet.WriteFile(path, rows, append(options, parquet.Compression(&parquet.Snappy))...))
	return path
}

func TestAFileWithOtherColumnsIsRefusedByName(t *testing.T) {
	type partial struct {
		K int32 `parquet:"k"`
	}
	type otherType struct {
		K int64 `parquet:"k"`
	}
	version := parquet.KeyValueMetadata("descbench.records", "4")
	for _, c := range []struct{ path, want string }{
		{foreign(t, []partial{{}}, version), "missing columns: descriptor, scene, "},
		{foreign(t, []otherType{{}}, version), "column k: want one INT32 per row, found"},
		{foreign(t, []record.Pair{{}}), "no descbench.records in the file's metadata"},
		{foreign(t, []record.Pair{{}}, parquet.KeyValueMetadata("descbench.records", "2")), `records of version "2", want version 4`},
		{foreign(t, []record.Pair{{}}, parquet.KeyValueMetadata("descbench.records", "x")), `records of version "x", want version 4`},
	} {
		summed(t, c.path)
		_, err := ReadPairs(c.path)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("got error %v, want %q about %s", err, c.want, c.path)
		}
		if errors.Is(err, store.ErrDamaged) {
			t.Errorf("%v: a sound file is called damaged", err)
		}
	}
}

func TestReadingAnAbsentRecordsFileSaysSo(t *testing.T) {
	_, err := ReadPairs(filepath.Join(t.TempDir(), "none"))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got error %v", err)
	}
}

var update = flag.Bool("update", false, "rewrite the records in testdata of store, after a change of their columns")

// The records in the examples of files.
var (
	exampleQueries = []record.Query{
		{
			Descriptor: "sift", Scene: "v_a", K: 2, X: 1.5, Y: 2, ProjectedX: 3.25, ProjectedY: 4, TruthX: 3, TruthY: 4, TruthError: 0.25, Partner: -2, Less: 1, Equal: 2,
			Nearest: 1, NearestX: 50, NearestY: 60, NearestDistance: 0.25, NearestError: 70.5, NearestError1: math.Inf(1), Second: 2, SecondDistance: 0.5, Mutual: true, Shared: true, Candidates: 9,
			GalleryLess: 3, GalleryEqual: 0,
		},
		{
			Descriptor: "sift", Scene: "v_a", K: 2, Row: 1, X: 1, Y: 2, ProjectedX: math.NaN(), ProjectedY: math.NaN(), Truth: -1, TruthX: nan32, TruthY: nan32, TruthError: math.Inf(1), Partner: -2,
			Nearest: -1, NearestX: nan32, NearestY: nan32, NearestDistance: math.NaN(), NearestError: math.Inf(1), NearestError1: math.Inf(1), Second: -1, SecondDistance: math.NaN(), Candidates: 9,
			GalleryLess: -1, GalleryEqual: -1,
		},
	}
	examplePairs = []record.Pair{{Homography11: 1, Homography12: 2, Homography13: 3, Homography21: 4, Homography22: 5, Homography23: 6,
		Homography31: math.NaN(), Homography32: 8, Homography33: 9, Known1: -1, KnownK: -1, Correspondences: -1, CornerErrors: `{"magsac":2.5,"ransac":[1.5,null]}`, Descriptor: "sift", Scene: "v_a", K: 2, Width1: 640, Spread1: 0.5, SpreadK: math.NaN()}}
)

func TestExamplesOfRecordsAreRead(t *testing.T) {
	dir := filepath.Join("..", "testdata", "results")
	if *update {
		writeQueries(t, filepath.Join(dir, "queries.parquet"), exampleQueries)
		writePairs(t, filepath.Join(dir, "pairs.parquet"), examplePairs)
		must.Do(t, store.WriteSums(dir, "pairs.parquet", "queries.parquet"))
	}
	if got := readQueries(t, filepath.Join(dir, "queries.parquet")); fmt.Sprint(got) != fmt.Sprint(exampleQueries) {
		t.Errorf("queries.parquet: %v", got)
	}
	if got, err := ReadPairs(filepath.Join(dir, "pairs.parquet")); fmt.Sprint(got) != fmt.Sprint(examplePairs) || err != nil {
		t.Errorf("pairs.parquet: %v, %v", got, err)
	}
}

func TestEveryAlteredByteOfRecordsIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pairs.parquet")
	writePairs(t, path, examplePairs)
	must.NoticeEveryByte(t, path, store.ErrDamaged, func() error {
		_, err := ReadPairs(path)
		return err
	})
}

func TestForgedNamesInPairRecordsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pairs.parquet")
	for _, p := range []record.Pair{{Descriptor: "d", Scene: "../v"}, {Descriptor: "../d", Scene: "v"}, {Descriptor: "d", Scene: "v"}} {
		writePairs(t, path, []record.Pair{p})
		_, err := ReadPairs(path)
		if forged := p.Descriptor+p.Scene != "dv"; forged != errors.Is(err, store.ErrDamaged) {
			t.Errorf("descriptor %q, scene %q: got %v", p.Descriptor, p.Scene, err)
		}
	}
}

// Units whose records have other columns are not found: their keys have this text.
func TestSchemasTellEveryColumnAndHowItIsStored(t *testing.T) {
	text := Schemas()
	for _, want := range []string{`record.Query.Less int32 parquet:"less"`, `record.Pair.SceneDigest string parquet:"scene_digest,dict"`, "distractors.WorkbenchRecord.", "distractors.BojanicRecord."} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %s", want)
		}
	}
}
