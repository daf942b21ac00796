package unitfile

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"descbench/eval/must"
	"descbench/eval/record"
	"descbench/pipeline/files/npz"
	"descbench/pipeline/store/records"
)

var update = flag.Bool("update", false, "rewrite testdata/eval.zip, after a change of the columns of records")

// testdata has a small example of every unit and of a cache entry, written once.

func TestExamplesOfTheCurrentFormatsAreRead(t *testing.T) {
	var queries []record.Query // those of the example of a run
	results := filepath.Join("..", "testdata", "results")
	must.Do(t, records.Read(filepath.Join(results, "queries.parquet"), func(group []record.Query) error {
		queries = group
		return nil
	}))
	pairs := must.Get(records.ReadPairs(filepath.Join(results, "pairs.parquet")))(t)
	if *update {
		example := EvalUnit{Queries: queries, Pairs: pairs}
		must.Do(t, os.WriteFile(filepath.Join("testdata", "eval.zip"), must.Get(Eval.Content(example))(t), 0o666))
	}
	unit, err := Eval.Value(must.Get(os.ReadFile(filepath.Join("testdata", "eval.zip")))(t))
	if err != nil || fmt.Sprint(unit) != fmt.Sprint(EvalUnit{queries, pairs}) {
		t.Errorf("eval.zip: %v, %v", unit, err)
	}
	if sets, err := Sets.Value(must.Get(os.ReadFile(filepath.Join("testdata", "sets.npz")))(t)); err != nil || len(sets) != 2 || sets[1].Source[1] != 3 {
		t.Errorf("sets.npz: %v, %v", sets, err)
	}
	must.Do(t, container{"testdata", filepath.Join("testdata", "features.npz"), Features.kind, Key("f")}.read(true, func(a *npz.Archive) error {
		m, err := Features.read(a)
		if err == nil && (m.Rows != 3 || m.Float32[5] != 6.5) {
			t.Errorf("features.npz: %v", m)
		}
		return err
	}))
}
