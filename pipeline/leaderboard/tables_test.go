package leaderboard

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// row returns a result on one scene, whose keypoints have a digest.
func row(run, name, digest string, value float64) store.ResultRow {
	return store.ResultRow{
		Kind: store.Sequences, Experiment: run, Identity: run, Descriptor: name, KeypointSet: digest,
		Scenes: []store.StoredScene{{Name: "v_a", SceneDigest: "d", SetDigest: digest}}, ScenesRequested: 1, ScenesEvaluated: 1,
		Metrics: []scope.Metric{{Scope: scope.All, Name: catalogue.MAP, Value: value, Low: math.NaN(), High: math.NaN()}},
	}
}

func text(t *testing.T, shown *Table) string {
	t.Helper()
	shown.DropEmpty()
	var b bytes.Buffer
	if err := shown.Write(&b, table.AsText, 0); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// dsp has the highest value, but keypoints of its own.
func TestTheBestIsMarkedAmongTheSameKeypointsOnly(t *testing.T) {
	rows := []store.ResultRow{
		row("one", "sift", "k1", .5), row("one", "surf", "k1", .25), row("one", "dsp", "k2", .75), row("two", "orb", "k1", .125),
	}
	want := map[string]bool{"sift": true}
	for _, ranked := range []bool{false, true} {
		all, err := Tables(rows, ranked, true)
		if err != nil || len(all) != 1 {
			t.Fatalf("ranked %v: %d tables, %v", ranked, len(all), err)
		}
		for _, shown := range all {
			for line := range strings.Lines(text(t, shown)) {
				name, _, _ := strings.Cut(line, " ")
				if got := strings.Contains(line, "*"); got != want[name] {
					t.Errorf("ranked %v: %q", ranked, line)
				}
			}
		}
	}
}

// b2 is better than a1 and a2, but on other keypoints.
func TestRowsAreRankedOnTheSameKeypointsOnly(t *testing.T) {
	tables, err := Tables([]store.ResultRow{row("e", "a1", "k1", .5), row("e", "b1", "k2", .25), row("e", "a2", "k1", .75), row("e", "b2", "k2", .625)}, true, true)
	if err != nil || len(tables) != 1 {
		t.Fatal(len(tables), err)
	}
	tables[0].ByKeypoints()
	var order []string
	shown := text(t, tables[0])
	for line := range strings.Lines(shown) {
		if name, _, _ := strings.Cut(line, " "); len(name) == 2 && name[1] < '3' {
			order = append(order, name)
		}
	}
	if got := strings.Join(order, " "); got != "a2 a1 b2 b1" || !strings.Contains(shown, "rows of 2 selections of keypoints, one after the other") {
		t.Errorf("got %s in\n%s", got, shown)
	}
}

func TestRunsHaveTheNotesOfTheirResultsAboutTheColumnsShown(t *testing.T) {
	tied := row("one", "sift", "k1", .5)
	tied.Warnings = []scope.Warning{{Kind: "many-ties", Text: "in 50 % of the queries, other candidates tie; of two"}, {Kind: "few-scenes", Text: "1 scene"}}
	const note = "sift of one: in 50 % of the queries, other candidates tie"
	for columns, want := range map[string]string{"descriptor,map_macro": note + "; 1 scene", "descriptor,time": ""} {
		tables, err := Tables([]store.ResultRow{tied}, true, true)
		if err != nil {
			t.Fatal(err)
		}
		if err := tables[0].Choose(strings.Split(columns, ",")); err != nil {
			t.Fatal(err)
		}
		tables[0].NoteColumns()
		if got := strings.Join(tables[0].Notes, "; "); got != want {
			t.Errorf("%s: got %q, want %q", columns, got, want)
		}
	}
}
