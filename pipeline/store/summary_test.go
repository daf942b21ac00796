package store

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"descbench/eval/must"
)

func TestTheSummaryHasFixedKeysAndLeavesOutWhatIsUndefined(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary.json")
	s := NewSummary(sampleRun())
	must.Do(t, WriteSummary(path, s))
	wantText(t, path, string(must.Get(os.ReadFile(filepath.Join("testdata", "results", "summary.json")))(t)))
	summed(t, path)
	got := must.Get(ReadSummary(path))(t)
	if !reflect.DeepEqual(got, s) {
		t.Errorf("read back: got %+v, want %+v", got, s)
	}
}

func TestTheSummaryOfNothingHasNoNull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary.json")
	s := NewSummary(Run{Experiment: "none"})
	must.Do(t, WriteSummary(path, s))
	b := must.Get(os.ReadFile(path))(t)
	if strings.Contains(string(b), "null") {
		t.Errorf("got %s", b)
	}
	summed(t, path)
	if _, err := ReadSummary(path); err != nil {
		t.Errorf("read back: %v", err)
	}
}

func TestAFileThatIsNoSummaryIsRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{", "unexpected end of JSON input"},
		{"{}", "want the summary of a run"},
		{`{"experiment": "x", "descriptors": [{"metrics": {"coverage": null}}]}`, "coverage: want a number"},
		{`{"experiment": "x", "descriptors": [{"metrics": []}]}`, "want an object of numbers"},
		{`{"experiment": "x", "descriptors": [], "failed_scenes": {"v_a": []}}`, "found no reason for v_a"},
	} {
		path := filepath.Join(t.TempDir(), "summary.json")
		writeText(t, path, c.text)
		summed(t, path)
		if _, err := ReadSummary(path); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got error %v, want %q about %s", c.text, err, c.want, path)
		}
	}
}
