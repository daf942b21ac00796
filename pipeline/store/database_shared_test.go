package store

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"descbench/eval/must"
	"descbench/eval/ranking"
	"descbench/eval/scope"
)

// runNamed is the sample run under another name and identity.
func runNamed(name, identity string) Run {
	r := sampleRun()
	r.Experiment, r.Identity = name, identity
	return r
}

// patchesNamed is a result of a descriptor on patches.
func patchesNamed(descriptor, identity string) Run {
	m := scope.Metric{Scope: "all", Name: "patch_matching_map_mean", Value: 0.5, Low: nan, High: nan, N: 15}
	return Run{
		Experiment: "patches a", Identity: identity, Config: "patches:\n  task: evaluate\n",
		Descriptors: []Descriptor{{Name: descriptor}},
		Results: []ranking.Result{{
			Descriptor: descriptor, Metrics: []scope.Metric{m},
			Scenes: []ranking.SceneResult{{Name: "v_a", TrueMAP: nan, TrueMAPIncludingZeros: nan, Precision: nan}},
		}},
	}
}

// shared returns the path of a database with runs.
func shared(t *testing.T, runs ...Run) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shared.sqlite")
	for _, r := range runs {
		must.Do(t, EnterShared(t.Context(), path, r))
	}
	return path
}

func TestTheNewestRunOfEachExperimentIsKnown(t *testing.T) {
	otherProtocol, otherScenes := runNamed("a", "4"), runNamed("a", "5")
	otherProtocol.ProtocolKey, otherScenes.DataDigest = "r1 tolerance_px=1", "d"
	path := shared(t, runNamed("a", "1"), otherProtocol, otherScenes, runNamed("a", "2"), runNamed("b", "1"), runNamed("a", "3"), runNamed("a", "2"),
		patchesNamed("sift", "p1"), patchesNamed("orb", "p2"), patchesNamed("sift", "p3"))
	got := sqlRows(t, path, "SELECT experiment, run FROM runs WHERE newest ORDER BY experiment_id")
	if want := []string{"a|4", "a|5", "b|1", "a|2", "patches a|p2", "patches a|p3"}; !slices.Equal(got, want) {
		t.Errorf("view runs: got %q, want %q", got, want)
	}
}

// A fold on a slow machine, or a rerun, may enter a run after one that finished later.
func TestTheNewestRunIsTheOneThatFinishedLast(t *testing.T) {
	at := func(r Run, after time.Duration) Run {
		r.Finished = r.Finished.Truncate(time.Second).Add(after)
		return r
	}
	path := shared(t, at(runNamed("a", "last"), 1500*time.Millisecond), at(runNamed("a", "second"), time.Second), at(runNamed("a", "first"), 999*time.Millisecond),
		runNamed("b", "first"), at(runNamed("b", "last"), time.Minute))
	if got, want := sqlRows(t, path, "SELECT experiment, run FROM runs WHERE newest ORDER BY experiment"), []string{"a|last", "b|last"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestResultsOfPatchesHaveNullInsteadOfZero(t *testing.T) {
	path := shared(t, patchesNamed("sift", "p1"))
	for query, want := range map[string]string{
		"SELECT kind, scenes_evaluated FROM experiments":                                                                      "patches|1",
		"SELECT descriptor_type, dimension, keypoint_set, queries_processed, queries_excluded, scenes_evaluated FROM results": "NULL|NULL|NULL|NULL|NULL|1",
		"SELECT total_matches, total_keypoints, processing_time_ms, metadata FROM results":                                    "NULL|NULL|NULL|NULL",
		"SELECT count(*) FROM scene_results":                                                                                  "0",
		"SELECT value FROM named_metrics WHERE experiment = 'patches a'":                                                      "0.5",
	} {
		if got := sqlRows(t, path, query); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
}

func TestRunsAreEnteredAtTheSameTime(t *testing.T) {
	path := shared(t, runNamed("first", "1"))
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			if err := EnterShared(t.Context(), path, runNamed(fmt.Sprint("run", i), "1")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := sqlRows(t, path, "SELECT name FROM experiments ORDER BY name"); !slices.Equal(got, []string{"first", "run0", "run1", "run2", "run3"}) {
		t.Errorf("got %q", got)
	}
	if got := sqlRows(t, path, "SELECT count(*), count(DISTINCT experiment_id) FROM metrics"); got[0] != "70|5" {
		t.Errorf("metrics: got %q", got)
	}
}
