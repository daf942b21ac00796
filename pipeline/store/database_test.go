package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"descbench/eval/catalogue"
	"descbench/eval/must"
	"descbench/eval/ranking"
	"descbench/eval/scope"
)

// sqlRows opens the database without any of our code and returns the rows of a
// query as text, columns separated by |, NULL as such.
func sqlRows(t *testing.T, path, query string) []string {
	t.Helper()
	db := must.Get(sql.Open("sqlite", path))(t)
	defer db.Close()
	rows := must.Get(db.Query(query))(t)
	defer rows.Close()
	columns := must.Get(rows.Columns())(t)
	var out []string
	for rows.Next() {
		values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		must.Do(t, rows.Scan(into...))
		var texts []string
		for _, v := range values {
			if v.Valid {
				texts = append(texts, v.String)
			} else {
				texts = append(texts, "NULL")
			}
		}
		out = append(out, strings.Join(texts, "|"))
	}
	must.Do(t, rows.Err())
	return out
}

// WriteDatabase writes the database of a run as fold does.
func WriteDatabase(ctx context.Context, path string, r Run) error {
	w, err := NewDatabaseWriter(ctx, path)
	if err != nil {
		return err
	}
	defer w.Abort()
	r.Results = slices.Clone(r.Results)
	for i, res := range r.Results {
		if err := w.Add(ctx, r.Descriptors[i], res, r.Timings); err != nil {
			return err
		}
		r.Results[i] = Brief(res)
	}
	return w.Close(ctx, r)
}

func writeSample(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "results.sqlite")
	must.Do(t, WriteDatabase(t.Context(), path, sampleRun()))
	return path
}

func TestEveryTableHoldsItsPartOfTheRun(t *testing.T) {
	path := writeSample(t)
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"PRAGMA user_version", []string{"4"}},
		{"PRAGMA integrity_check", []string{"ok"}},
		{"SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
			[]string{"experiments", "histograms", "keypoint_sets", "metrics", "pair_results", "results", "scene_results", "warnings"}},
		{"SELECT name, identity, description, config, environment, started, finished, scenes_requested, scenes_evaluated, kind, protocol FROM experiments",
			[]string{"variants-more|c0ffee|two|experiment: {}\n|" + `{"go":"1.26"}` + "|2025-03-01T11:00:00Z|2025-03-01T12:00:01.5Z|3|1|sequences|r1 tolerance_px=1.5"}},
		{"SELECT descriptor, descriptor_type, dimension, keypoint_set, scenes_evaluated, queries_processed, queries_excluded FROM results ORDER BY id",
			[]string{"sift|sift|128|sift_8k|2|8|2", "root/sift|sift|128|sift_8k|1|0|0"}},
		{"SELECT true_map_micro, true_map_macro, viewpoint_map, illumination_map, precision_at_1, precision_at_5, precision_at_10, recall_at_1, mean_average_precision, legacy_mean_precision FROM results ORDER BY id",
			[]string{"0.625|0.625|0.625|NULL|0.5|NULL|1|0.5|0.625|0.375", "NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL"}},
		{"SELECT keypoint_verification_ap, verification_viewpoint_ap, verification_illumination_ap, keypoint_retrieval_ap, retrieval_viewpoint_ap, retrieval_illumination_ap, retrieval_num_true_positives, retrieval_num_hard_negatives, retrieval_num_distractors FROM results WHERE descriptor = 'sift'",
			[]string{"NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL"}},
		{"SELECT total_matches, total_keypoints, processing_time_ms FROM results ORDER BY id", []string{"9|67|375", "0|0|NULL"}},
		{"SELECT metadata FROM results ORDER BY id", []string{
			"true_map_micro=0.625;true_map_macro_by_scene=0.625;precision_at_1=0.5;precision_at_10=1;total_queries_processed=8;total_queries_excluded=2;" +
				"i_b_query_count=0;i_b_excluded_count=1;v_a_true_map=0.625;v_a_query_count=8;v_a_excluded_count=1",
			"v_a_query_count=0;v_a_excluded_count=0",
		}},
		{"SELECT count(*) FROM metrics", []string{"14"}},
		{"SELECT scope, value, ci_low, ci_high, n FROM metrics WHERE descriptor = 'sift' AND metric = 'true_map_micro' ORDER BY scope",
			[]string{"all|0.625|0.5|0.75|8", "pair:v_a/1_2|0.3333333333333333|NULL|NULL|5", "viewpoint|0.625|NULL|NULL|8"}},
		{"SELECT descriptor, scene, category, true_map, true_map_including_zeros, precision, queries_processed, queries_excluded, matches, keypoints, images, invalid, scene_digest, set_digest FROM scene_results ORDER BY descriptor DESC, scene",
			[]string{"sift|i_b|illumination|NULL|0|NULL|0|1|0|7|6|1|d1|s1", "sift|v_a|viewpoint|0.625|0.5555555555555556|0.375|8|1|9|60|6|0|d2|s2", "root/sift|v_a|viewpoint|NULL|NULL|NULL|0|0|0|0|6|0|d2|s2"}},
		{"SELECT scene, k, true_map, precision, queries_processed, queries_excluded, matches, keypoints_1, keypoints_k, corner_errors ->> '$.ransac[1]', pose_errors FROM pair_results ORDER BY scene, k",
			[]string{"i_b|2|NULL|NULL|0|1|0|1|0|NULL|NULL", "v_a|2|0.3333333333333333|0.25|5|0|5|5|11|0.5|" + `{"essential":null}`, "v_a|3|0.75|0.5|3|1|4|5|10|NULL|NULL"}},
		{"SELECT descriptor, scope, rank, queries, cumulative_share FROM histograms ORDER BY rank", []string{"sift|all|1|4|0.5", "sift|all|3|4|1"}},
		{"SELECT name, scenes, images, keypoints, min_per_image, max_per_image FROM keypoint_sets ORDER BY name",
			[]string{"empty|0|0|0|NULL|NULL", "sift_8k|2|12|67|0|11"}},
		{"SELECT number, descriptor, kind, fact FROM warnings", []string{
			`1|sift|few-queries|{"kind":"few-queries","descriptor":"sift","scenes":["i_b"],"numbers":{"n":0,"of":7}}`, `2|NULL|few-scenes|{"kind":"few-scenes","numbers":{"n":2}}`}},
		{"SELECT experiment, run, kind, protocol, newest, scene, k, value FROM named_metrics WHERE descriptor = 'sift' AND metric = 'true_map_micro' ORDER BY scope",
			[]string{"variants-more|c0ffee|sequences|r1 tolerance_px=1.5|1|NULL|NULL|0.625", "variants-more|c0ffee|sequences|r1 tolerance_px=1.5|1|v_a|2|0.3333333333333333", "variants-more|c0ffee|sequences|r1 tolerance_px=1.5|1|NULL|NULL|0.625"}},
	} {
		if got := sqlRows(t, path, c.query); !slices.Equal(got, c.want) {
			t.Errorf("%s\ngot  %q\nwant %q", c.query, got, c.want)
		}
	}
}

func TestTheDatabaseIsOneFileAndReplacesTheFormer(t *testing.T) {
	// A name with every character that means something in a URI.
	dir := filepath.Join(t.TempDir(), "50% of #1?", "a&b=c")
	must.Do(t, os.MkdirAll(dir, 0o777))
	path := filepath.Join(dir, "results.sqlite")
	writeText(t, path, "what was there before")
	for range 2 {
		must.Do(t, WriteDatabase(t.Context(), path, sampleRun()))
	}
	if rows, err := ReadResults(t.Context(), path, ""); err != nil || len(rows) != 2 {
		t.Errorf("got %d rows, %v; want 2", len(rows), err)
	}
	if err := EnterShared(t.Context(), path, sampleRun()); err != nil {
		t.Error(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"results.sqlite"}) {
		t.Errorf("the folder has %q, want the database alone", got)
	}
}

func TestAFailedDatabaseLeavesTheFormerFileAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "results.sqlite")
	writeText(t, path, "former")
	faulty := sampleRun()
	faulty.KeypointSets = append(faulty.KeypointSets, faulty.KeypointSets[0]) // violates the primary key
	must.FailAbout(t, WriteDatabase(t.Context(), path, faulty), "table keypoint_sets")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := WriteDatabase(ctx, path, sampleRun()); err == nil {
		t.Error("after cancellation the database was written")
	}
	wantText(t, path, "former")
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("the folder has %q, want the former file alone", got)
	}
}

// allRows returns the rows of all tables of a database, without the numbers of rows
// and experiments.
func allRows(t *testing.T, path string) (rows []string) {
	t.Helper()
	for _, table := range sqlRows(t, path, "SELECT t.name || '|' || group_concat(c.name, ', ') FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name NOT IN ('id', 'experiment_id', 'folder') GROUP BY t.name ORDER BY t.name") {
		name, columns, _ := strings.Cut(table, "|")
		rows = append(append(rows, name), sqlRows(t, path, "SELECT "+columns+" FROM "+name)...)
	}
	return rows
}

func TestACopiedRunIsTheRunItselfAndReplacesTheFormer(t *testing.T) {
	// A name with every character that means something in a URI.
	own := filepath.Join(t.TempDir(), "50% of #1?", "a&b=c", "results.sqlite")
	copied, entered := filepath.Join(t.TempDir(), "copied.sqlite"), filepath.Join(t.TempDir(), "entered.sqlite")
	other := sampleRun()
	other.Experiment = "other"
	copyOwn := func() error {
		return CopyShared(t.Context(), copied, own, func() { t.Error("waiting for nobody") })
	}
	for _, err := range []error{
		WriteDatabase(t.Context(), own, sampleRun()),
		EnterShared(t.Context(), copied, other), copyOwn(), copyOwn(),
		EnterShared(t.Context(), entered, other), EnterShared(t.Context(), entered, sampleRun()),
	} {
		must.Do(t, err)
	}
	got, want := allRows(t, copied), allRows(t, entered)
	if !slices.Equal(got, want) || len(want) < 50 {
		t.Errorf("the copy has\n%q, want\n%q", got, want)
	}
	if got := sqlRows(t, copied, "SELECT folder FROM experiments ORDER BY id"); !slices.Equal(got, []string{"NULL", filepath.Dir(own)}) {
		t.Errorf("folders: got %q, want that of the copy", got)
	}
}

// A scene failed, was mended, and the run was folded again.
func TestAFoldWithMoreScenesReplacesTheFormerOfItsFolder(t *testing.T) {
	shared, dir := filepath.Join(t.TempDir(), "shared.sqlite"), t.TempDir()
	for i, step := range []struct {
		folder, identity string
		later            time.Duration
		want             []string
	}{
		{"one", "two scenes", 0, []string{"two scenes"}},
		{"one", "three scenes", 0, []string{"three scenes"}},
		{"other", "two scenes of another folder", 0, []string{"three scenes", "two scenes of another folder"}},
		{"one", "overwritten", time.Hour, []string{"three scenes", "two scenes of another folder", "overwritten"}},
	} {
		run := sampleRun()
		run.Identity, run.Started = step.identity, run.Started.Add(step.later)
		own := filepath.Join(dir, step.folder, "results.sqlite")
		must.Do(t, WriteDatabase(t.Context(), own, run))
		must.Do(t, CopyShared(t.Context(), shared, own, func() { t.Error("waiting for nobody") }))
		if got := sqlRows(t, shared, "SELECT identity FROM experiments ORDER BY id"); !slices.Equal(got, step.want) {
			t.Errorf("step %d: the database has %q, want %q", i, got, step.want)
		}
	}
}

func TestChangedTablesAndViewsOfADatabaseAreNamed(t *testing.T) {
	for change, want := range map[string][]string{
		"UPDATE experiments SET finished = '2001-01-01T00:00:00Z'":                nil,
		"UPDATE results SET recall_at_5 = 0.99":                                   {"named_results", "results"},
		"DELETE FROM warnings WHERE number = 1":                                   {"named_warnings", "warnings"},
		"INSERT INTO keypoint_sets VALUES (1, 'more', 1, 1, 1, 1, 1)":             {"keypoint_sets", "named_keypoint_sets"},
		"DROP VIEW named_warnings":                                                {"view named_warnings"},
		"CREATE TABLE foreign_table (a)":                                          {"table foreign_table"},
		"CREATE TRIGGER t AFTER INSERT ON results BEGIN DELETE FROM results; END": {"trigger t"},
		"DROP VIEW runs; CREATE VIEW runs AS SELECT id AS experiment_id, name AS experiment, '' AS run, kind, protocol, 1 AS newest FROM experiments": {"view runs"},
	} {
		changed := writeSample(t)
		sqlRows(t, changed, change)
		got, err := Differing(t.Context(), writeSample(t), changed)
		if err != nil {
			got = []string{"error"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: found %q different (%v), want %q", change, got, err, want)
		}
	}
}

func TestARunThatCannotBeEnteredLeavesTheSharedDatabaseAsItWas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared.sqlite")
	must.Do(t, EnterShared(t.Context(), path, sampleRun()))
	faulty := sampleRun()
	faulty.Results[0].Scenes = append(faulty.Results[0].Scenes, faulty.Results[0].Scenes[0])
	if err := EnterShared(t.Context(), path, faulty); err == nil {
		t.Fatal("two results of one scene were entered")
	}
	if got := sqlRows(t, path, "SELECT count(*) FROM scene_results"); got[0] != "3" {
		t.Errorf("got %s rows, want the 3 of before", got[0])
	}
}

// Readers of a database, and verify, expect that those of one version are alike.
func TestAChangedSchemaHasAnotherVersion(t *testing.T) {
	if digest := SHA256([]byte(schema)); schemaVersion != 4 || digest != "bd664169e15faffb11b573cecaacc2215888cb5a701dd0ec0196599e7fac7279" {
		t.Errorf("the schema of version %d has the digest %s: raise the version if columns changed, and enter both here", schemaVersion, digest)
	}
}

func TestMetricColumnsAreThoseOfTheTable(t *testing.T) {
	columns := sqlRows(t, writeSample(t), "SELECT name FROM pragma_table_info('results')")
	first, end := slices.Index(columns, "true_map_micro"), slices.Index(columns, "total_matches")
	if !slices.Equal(metricColumns, columns[first:end]) {
		t.Errorf("got %q, want %q", metricColumns, columns[first:end])
	}
}

// Whoever knows a column of results finds its metric in --columns and --metric.
func TestColumnsOfResultsAreNamesOfMetrics(t *testing.T) {
	for _, column := range metricColumns {
		want := column
		if name, renamed := renamedColumns[column]; renamed {
			want = name
		} else if column == "mean_average_precision" {
			want = catalogue.MAP
		}
		if got := catalogue.Of(column).Name; got != want {
			t.Errorf("%s is %q, want %s", column, got, want)
		}
	}
}

// The query in the description of a column counts a failed estimation (NULL) as a failure.
func TestTheQueryOfCornerErrorsCountsFailures(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/columns.md"))(t)
	query := regexp.MustCompile(`AVG\(CASE .* END\)`).FindString(string(page))
	got := sqlRows(t, ":memory:", "SELECT "+query+" FROM (SELECT 1.5 AS px UNION ALL SELECT 3 UNION ALL SELECT 3.5 UNION ALL SELECT NULL)")
	if want := []string{"0.5"}; !slices.Equal(got, want) { // 2 of 4
		t.Errorf("%q gives %q, want %q", query, got, want)
	}
}

// The reference system's rule: macro if positive, else micro.
func TestTheLegacyMeanIsMacroIfPositiveElseMicro(t *testing.T) {
	all := func(name string, v float64) scope.Metric { return scope.Metric{Scope: "all", Name: name, Value: v} }
	for _, c := range []struct {
		metrics []scope.Metric
		want    any
	}{
		{[]scope.Metric{all("true_map_micro", 0.25), all("true_map_macro_by_scene", 0.5)}, 0.5},
		{[]scope.Metric{all("true_map_micro", 0.25), all("true_map_macro_by_scene", 0)}, 0.25},
		{[]scope.Metric{all("true_map_micro", 0.25)}, 0.25},
		{nil, nil},
	} {
		var got any
		if v, ok := wideFigures(ranking.Result{Metrics: c.metrics}, nil).Get("mean_average_precision"); ok {
			got = v
		}
		if got != c.want {
			t.Errorf("%v: got %v, want %v", c.metrics, got, c.want)
		}
	}
}

func TestATimeThatLeavesOutExtractionIsNotStored(t *testing.T) {
	for _, extraction := range []Timing{
		{Descriptor: "sift", Stage: DescribeStage, Seconds: 0.25, Images: 6, Untimed: 1},
		{Descriptor: "sift", Stage: ImportStage, Seconds: 0.25, Images: 6, Untimed: 6},
	} {
		timings := []Timing{extraction, {Descriptor: "sift", Stage: "search", Seconds: 0.125, Images: 6}}
		if v, ok := wideFigures(ranking.Result{Descriptor: "sift"}, timings).Get("processing_time_ms"); ok {
			t.Errorf("%+v: got %v ms, want none", extraction, v)
		}
	}
}

func TestDatabasesOfAnotherSchemaAndOfOthersAreRefused(t *testing.T) {
	newer := writeSample(t)
	sqlRows(t, newer, "PRAGMA user_version = 5")
	older := writeSample(t)
	sqlRows(t, older, "PRAGMA application_id = 0")
	others := filepath.Join(t.TempDir(), "others.sqlite")
	sqlRows(t, others, "CREATE TABLE customers (name TEXT)")
	rubbish := filepath.Join(t.TempDir(), "rubbish.sqlite")
	writeText(t, rubbish, strings.Repeat("no database ", 1000))
	for _, c := range []struct{ path, enter, read string }{
		{newer, "schema version 5, this descbench has version 4; run descbench fold again", "schema version 5, this descbench has version 4; run descbench fold again"},
		{older, "not a descbench database, or one from before the first release", "enter runs with descbench fold --database"},
		{others, "not a descbench database", "not a descbench database"},
		{rubbish, "file is not a database", "is not a SQLite file"},
	} {
		before := must.Get(os.ReadFile(c.path))(t)
		if err := EnterShared(t.Context(), c.path, sampleRun()); err == nil || !strings.Contains(err.Error(), c.enter) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("enter: got error %v, want %q about %s", err, c.enter, c.path)
		}
		if _, err := ReadResults(t.Context(), c.path, ""); err == nil || !strings.Contains(err.Error(), c.read) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("read: got error %v, want %q about %s", err, c.read, c.path)
		}
		after := must.Get(os.ReadFile(c.path))(t)
		if string(before) != string(after) {
			t.Errorf("%s was altered", c.path)
		}
	}
}

func TestReadingAnAbsentDatabaseDoesNotMakeOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.sqlite")
	if _, err := ReadResults(t.Context(), path, ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got error %v, want that there is no file", err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the file is there: %v", err)
	}
}
