package main

import (
	"bytes"
	"errors"
	"testing"

	"descbench/pipeline/store"
)

// runCommand runs the program with the arguments, without variables and files
// of whoever runs the test.
func runCommand(t *testing.T, args ...string) (string, error) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for _, key := range settingKeys {
		t.Setenv(variable(key), "")
	}
	root := newRootCommand()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetArgs(args)
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

func runDataset(t *testing.T, args ...string) (string, error) {
	t.Helper()
	return runCommand(t, append([]string{"dataset"}, args...)...)
}

func TestDatasetCommandsRefuseWrongFlags(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		"--data is missing, want a folder of scenes":                                          {"verify"},
		"--out is missing: folder for the scenes":                                             {"synth"},
		`--size: found "640", want WIDTHxHEIGHT, 128 to 2048 px each`:                         {"synth", "--out", dir, "--size", "640"},
		`--size: found "640x99999", want WIDTHxHEIGHT, 128 to 2048 px each`:                   {"synth", "--out", dir, "--size", "640x99999"},
		"--scenes: found 0, want at least 1":                                                  {"synth", "--out", dir, "--scenes", "0"},
		`dataset list takes no argument, found "testdata"; see descbench dataset list --help`: {"list", "testdata"},
	} {
		_, err := runDataset(t, args...)
		var usage usageError
		if !errors.As(err, &usage) || err.Error() != want {
			t.Errorf("%v: error is %v, want a mistake of usage: %s", args, err, want)
		}
	}
	_, err := runDataset(t, "list", "--data", dir)
	var fault *store.Fault
	if !errors.As(err, &fault) {
		t.Errorf("an empty folder gives %v, want a fault of the data", err)
	}
}
