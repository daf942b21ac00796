package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/pipeline/config"
)

// runConfig runs `descbench config args...` with the given flags.
func runConfig(flags commonFlags, args ...string) (string, error) {
	cmd := newConfigCommand(&flags)
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	err := cmd.Execute()
	return out.String(), err
}

func TestConfigCheckCountsWhatIsCompared(t *testing.T) {
	out, err := runConfig(commonFlags{}, "check", "../../configs/demo.yaml")
	if err != nil || out != "ok: 3 descriptors on 1 keypoint set\n" {
		t.Errorf("got %q (%v)", out, err)
	}
	out, err = runConfig(commonFlags{json: true}, "check", "../../configs/demo.yaml")
	if err != nil || out != "{\n  \"descriptors\": 3,\n  \"keypoint_sets\": 1\n}\n" {
		t.Errorf("got %q (%v)", out, err)
	}
}

func TestConfigShowPrintsAConfigWithTheFlagsInIt(t *testing.T) {
	data := t.TempDir()
	out, err := runConfig(commonFlags{data: data, set: []string{"descriptors[sift].root=l1"}}, "show", "../../configs/demo.yaml")
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
	out, err := runConfig(commonFlags{json: true}, "show", "../../configs/demo.yaml")
	var c struct{ Evaluation struct{ Cutoffs []int } }
	if err != nil || json.Unmarshal([]byte(out), &c) != nil || len(c.Evaluation.Cutoffs) != 3 {
		t.Errorf("got %s (%v)", out, err)
	}
}

func TestConfigSchemaPrintsTheSchema(t *testing.T) {
	out, err := runConfig(commonFlags{}, "schema")
	if err != nil || out != string(config.Schema()) {
		t.Errorf("got %q (%v)", out, err)
	}
}

func TestAWrongConfigIsTheUsersMistake(t *testing.T) {
	t.Setenv("DESCBENCH_EVALUATION_TIES", "averaged")
	_, err := runConfig(commonFlags{}, "check", "../../configs/demo.yaml")
	var usage usageError
	var fault *config.Error
	if !errors.As(err, &usage) || !errors.As(err, &fault) || fault.Key != "evaluation.ties" || !strings.HasPrefix(err.Error(), "DESCBENCH_EVALUATION_TIES: ") {
		t.Errorf("got %#v", err)
	}
	if _, err := runConfig(commonFlags{}, "check"); !errors.As(err, &usage) {
		t.Errorf("without a config: got %#v", err)
	}
}
