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

// dsp has the highest value, but keypoints of its own.
func TestTheBestIsMarkedAmongTheSameKeypointsOnly(t *testing.T) {
	row := func(run, name, set, digest string, value float64) store.ResultRow {
		scene := store.StoredScene{Name: "v_a", SceneDigest: "d", SetDigest: digest}
		return store.ResultRow{
			Kind: store.Sequences, Experiment: run, Identity: run, Descriptor: name, KeypointSet: set,
			Scenes: []store.StoredScene{scene}, ScenesRequested: 1, ScenesEvaluated: 1,
			Metrics: []scope.Metric{{Scope: scope.All, Name: catalogue.MAP, Value: value, Low: math.NaN(), High: math.NaN()}},
		}
	}
	rows := []store.ResultRow{
		row("one", "sift", "a", "k1", .5), row("one", "surf", "a", "k1", .25), row("one", "dsp", "b", "k2", .75), row("two", "orb", "c", "k1", .125),
	}
	want := map[string]bool{"sift": true}
	for what, tables := range map[string]func([]store.ResultRow) ([]*table.Table, error){"results": Runs, "leaderboard": Ranking} {
		all, err := tables(rows)
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %d tables, %v", what, len(all), err)
		}
		for _, shown := range all {
			shown.DropEmpty()
			var b bytes.Buffer
			if err := shown.Write(&b, table.AsText, 0); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(b.String()) {
				name, _, _ := strings.Cut(line, " ")
				if got := strings.Contains(line, "*"); got != want[name] {
					t.Errorf("%s: %q", what, line)
				}
			}
		}
	}
}

// Patches have no keypoints: their best is that of the column.
func TestTheBestOnPatchesIsMarkedAmongAllDescriptors(t *testing.T) {
	sequences := func(name, digest string, value float64) store.ResultRow {
		return store.ResultRow{
			Kind: store.Sequences, Experiment: "e", Identity: "e", Descriptor: name, Scenes: []store.StoredScene{{Name: "v_a", SceneDigest: "d", SetDigest: digest}},
			Metrics: []scope.Metric{{Scope: scope.All, Name: catalogue.MAP, Value: value, Low: math.NaN(), High: math.NaN()}},
		}
	}
	patches := []patchColumn{{metric: "patch_matching_map_mean", title: "matching"}}
	shown := newTable(patches)
	for i, name := range []string{"sift", "dsp"} {
		r := sequences(name, name, .5)
		v := .25 * float64(i+1)
		add(shown, &r, &patchRow{descriptor: name, values: map[patchColumn]scope.Metric{patches[0]: {Value: v, Low: math.NaN(), High: math.NaN()}}}, patches)
	}
	shown.DropEmpty()
	var b bytes.Buffer
	if err := shown.Write(&b, table.AsText, 0); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Count(text, "*") != 1 || !strings.Contains(text, "50.00*") {
		t.Errorf("got\n%s", text)
	}
}

// b2 is better than a1 and a2, but on other keypoints.
func TestRowsAreRankedOnTheSameKeypointsOnly(t *testing.T) {
	row := func(name, digest string, value float64) store.ResultRow {
		return store.ResultRow{
			Kind: store.Sequences, Experiment: "e", Identity: "e", Descriptor: name, Scenes: []store.StoredScene{{Name: "v_a", SceneDigest: "d", SetDigest: digest}}, ScenesRequested: 1, ScenesEvaluated: 1,
			Metrics: []scope.Metric{{Scope: scope.All, Name: catalogue.MAP, Value: value, Low: math.NaN(), High: math.NaN()}},
		}
	}
	tables, err := Ranking([]store.ResultRow{row("a1", "k1", .5), row("b1", "k2", .25), row("a2", "k1", .75), row("b2", "k2", .625)})
	if err != nil || len(tables) != 1 {
		t.Fatal(len(tables), err)
	}
	var b bytes.Buffer
	if err := tables[0].Write(&b, table.AsText, 0); err != nil {
		t.Fatal(err)
	}
	var order []string
	for line := range strings.Lines(b.String()) {
		if name, _, _ := strings.Cut(line, " "); len(name) == 2 && name[1] < '3' {
			order = append(order, name)
		}
	}
	if got := strings.Join(order, " "); got != "a2 a1 b2 b1" || !strings.Contains(b.String(), "2 selections of keypoints, one after the other") {
		t.Errorf("got %s in\n%s", got, b.String())
	}
}
