package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/pipeline/config"
)

func TestConfigCheckCountsWhatIsCompared(t *testing.T) {
	out, err := runCommand(t, "config", "check", "../../configs/demo.yaml")
	if err != nil || out != "ok: 3 descriptors on 1 keypoint set\n" {
		t.Errorf("got %q (%v)", out, err)
	}
	out, err = runCommand(t, "config", "check", "../../configs/demo.yaml", "--json")
	if err != nil || out != "{\n  \"descriptors\": 3,\n  \"keypoint_sets\": 1\n}\n" {
		t.Errorf("got %q (%v)", out, err)
	}
}

func TestConfigShowPrintsAConfigWithTheFlagsInIt(t *testing.T) {
	data := t.TempDir()
	out, err := runCommand(t, "config", "show", "../../configs/demo.yaml", "--data", data, "--set", "descriptors[sift].root=l1")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(out), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(file, config.Overrides{})
	if err != nil || c.Dataset.Root != data || c.Descriptors[0].Root != descriptors.L1 {
		t.Errorf("loaded %+v (%v) from\n%s", c, err, out)
	}
}

func TestConfigShowPrintsJSON(t *testing.T) {
	out, err := runCommand(t, "config", "show", "../../configs/demo.yaml", "--json")
	var c struct{ Evaluation struct{ Cutoffs []int } }
	if err != nil || json.Unmarshal([]byte(out), &c) != nil || len(c.Evaluation.Cutoffs) != 3 {
		t.Errorf("got %s (%v)", out, err)
	}
}

func TestConfigSchemaPrintsTheSchema(t *testing.T) {
	out, err := runCommand(t, "config", "schema")
	if err != nil || out != string(config.Schema()) {
		t.Errorf("got %q (%v)", out, err)
	}
}

func TestAWrongConfigIsTheUsersMistake(t *testing.T) {
	t.Setenv("DESCBENCH_EVALUATION_TIES", "averaged")
	_, err := runCommand(t, "config", "check", "../../configs/demo.yaml")
	var usage usageError
	var fault *config.Error
	if !errors.As(err, &usage) || !errors.As(err, &fault) || fault.Key != "evaluation.ties" || !strings.HasPrefix(err.Error(), "DESCBENCH_EVALUATION_TIES: ") {
		t.Errorf("got %#v", err)
	}
	if _, err := runCommand(t, "config", "check"); !errors.As(err, &usage) {
		t.Errorf("without a config: got %#v", err)
	}
}
