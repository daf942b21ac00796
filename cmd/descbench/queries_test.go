package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/store"
)

// The queries of docs/results.md run, and find the
// metrics of summary.json. Each needs its program; without it, the test is skipped.
func TestTheQueriesOfThePageFindTheMetricsOfTheRun(t *testing.T) {
	code := make(map[string][]string) // by language
	for _, b := range sectionOf(t, "docs/results.md", "Query results with pandas, DuckDB or SQL") {
		code[b.language] = append(code[b.language], b.text)
	}
	if len(code["python"]) != 3 || len(code["sql"]) != 1 {
		t.Fatalf("found %d blocks of Python and %d of SQL, want 3 and 1", len(code["python"]), len(code["sql"]))
	}
	// The checks print {descriptor: true_map_micro} as the last line.
	examples := []struct{ name, modules, code string }{
		{"pandas with CSV and SQLite", "pandas", code["python"][0] + `
import json
of_all = metrics[(metrics.scope == "all") & (metrics.metric == "true_map_micro")].set_index("descriptor").value
assert (of_all - best.set_index("descriptor").true_map_micro).abs().max() < 1e-12 # pandas rounds the last digit
assert set(by_k.k) == {2, 3, 4, 5, 6} and set(metrics.experiment) == {"demo"}
assert set(metrics[metrics.scope.str.startswith("pair:")].scene) == set(metrics[metrics.scope.str.startswith("scene:")].scene)
views = pd.read_sql("SELECT * FROM named_metrics", db)
same = metrics.merge(views, on=["experiment", "descriptor", "scope", "metric", "n"])
assert len(same) == len(metrics) == len(views) and (same.value_x - same.value_y).abs().max() < 1e-12
assert (same.scene_x.fillna("") == same.scene_y.fillna("")).all() and (same.k_x.fillna(0) == same.k_y.fillna(0)).all()
print(json.dumps(dict(of_all)))
`},
		{"pandas with Parquet", "pandas, pyarrow", code["python"][1] + `
import json
assert queries.truth.isna().equals(queries.truth_error.isna()) and queries.truth.min() >= 0
print(json.dumps(dict(true_map.loc["demo"])))
`},
		{"pandas with a sweep", "pandas, matplotlib", code["python"][2] + `
import json
assert list(by_value.index) == [1, 2, 3, 5, 10]
print(json.dumps(dict(by_value.loc[3])))
`},
		{"DuckDB", "duckdb", `
import duckdb, json
rows = duckdb.sql("""` + code["sql"][0] + `""").fetchall()
assert {r[0] for r in rows} == {"demo"}
print(json.dumps({r[1]: r[2] for r in rows}))
`},
	}
	work := checkoutLike(t)
	shell(t, work, "", `descbench run configs/demo.yaml --quiet
descbench eval runs/demo --sweep tolerance_px=1,2,3,5,10 --columns map --format csv > sweep.csv
`)
	summary := must.Get(store.ReadSummary(filepath.Join(work, "runs", "demo", "summary.json")))(t)
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			write(t, filepath.Join(work, "query.py"), e.code)
			out := shell(t, work, withPython(t, e.modules), "python3 query.py")
			lines := strings.Split(strings.TrimSpace(out), "\n")
			found := make(map[string]float64)
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &found); err != nil {
				t.Fatalf("%v in %s", err, out)
			}
			for _, d := range summary.Descriptors {
				want, _ := d.Metrics.Get("true_map_micro")
				if got, ok := found[d.Name]; !ok || math.Abs(got-want) > 1e-12 {
					t.Errorf("%s: got %v, want %v", d.Name, got, want)
				}
			}
			if len(found) != len(summary.Descriptors) {
				t.Errorf("got %v, want %d descriptors", found, len(summary.Descriptors))
			}
		})
	}
	t.Run("notebook", func(t *testing.T) { testNotebook(t, work) })
}

// The statements of docs/results.md list, rank and delete the runs of a shared database.
func TestTheSQLOfThePageListsRanksAndDeletesRuns(t *testing.T) {
	var statements []string
	for _, b := range sectionOf(t, "docs/results.md", "Collect runs in one database") {
		if b.language == "sql" {
			statements = append(statements, strings.SplitAfter(b.text, ";\n")...)
		}
	}
	work := checkoutLike(t)
	shell(t, work, "", `descbench run configs/demo.yaml --quiet  # makes the folder runs
descbench run configs/demo.yaml --quiet --set output.database=../runs/all.sqlite
`)
	db := must.Get(sql.Open("sqlite", filepath.Join(work, "runs", "all.sqlite")))(t)
	defer db.Close()
	db.SetMaxOpenConns(1)         // which keeps the pragma
	wantRows := []int{1, 3, 0, 0} // an experiment, three descriptors
	if len(statements) != len(wantRows) {
		t.Fatalf("found %d statements, want %d: %q", len(statements), len(wantRows), statements)
	}
	for i, text := range statements {
		rows, err := db.Query(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		n := 0
		for rows.Next() {
			n++
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil || n != wantRows[i] {
			t.Errorf("%s: %d rows, %v; want %d", text, n, err, wantRows[i])
		}
	}
	left := -1
	if err := db.QueryRow("SELECT (SELECT count(*) FROM experiments) + (SELECT count(*) FROM metrics)").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows are left, %v", left, err)
	}
}
