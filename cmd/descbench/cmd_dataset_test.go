package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/pipeline/dataset"
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

func TestDatasetSynthRendersWhatListAndVerifyRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "scenes")
	out, err := runDataset(t, "synth", "--out", dir, "--scenes", "3", "--seed", "9", "--size", "160x128")
	if err != nil || out != "3 scenes in "+dir+": v_synth_001 i_synth_001 v_synth_002\n" {
		t.Fatalf("synth prints %q, %v", out, err)
	}
	if err := os.Mkdir(filepath.Join(dir, "notes"), 0o755); err != nil {
		t.Fatal(err)
	}

	out, err = runDataset(t, "list", "--data", dir)
	want := strings.Join([]string{
		"scene        category      hpatches  images",
		"i_synth_001  illumination  no        6 of 160x128",
		"v_synth_001  viewpoint     no        6 of 160x128",
		"v_synth_002  viewpoint     no        6 of 160x128",
		"not scenes: notes",
		"3 scenes, 0 from HPatches, 0 broken",
		"",
	}, "\n")
	if err != nil || out != want {
		t.Errorf("list prints (%v)\n%s\nwant\n%s", err, out, want)
	}

	out, err = runDataset(t, "verify", "--data", dir, "--json")
	var report dataset.Survey
	if err := errors.Join(err, json.Unmarshal([]byte(out), &report)); err != nil {
		t.Fatal(err)
	}
	for _, s := range report.Scenes {
		if s.Fault != "" || len(s.Digest) != 64 || len(s.Images) != 6 || len(s.Overlap) != 6 || s.Overlap[0] != 1 || s.Overlap[5] < 0.2 {
			t.Errorf("verify says %+v", s)
		}
	}

	_, err = runDataset(t, "synth", "--out", dir, "--scenes", "4", "--size", "160x128")
	if err == nil || !strings.Contains(err.Error(), "the folder was made with other settings") {
		t.Errorf("rendering over existing scenes gives %v", err)
	}
}

func TestDatasetVerifyFailsWhenASceneIsBroken(t *testing.T) {
	dir := t.TempDir()
	if _, err := runDataset(t, "synth", "--out", dir, "--scenes", "2", "--size", "128x128"); err != nil {
		t.Fatal(err)
	}
	image := filepath.Join(dir, "i_synth_001", "4.png")
	data, err := os.ReadFile(image)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(image, data[:len(data)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := runDataset(t, "verify", "--data", dir)
	var fault *store.Fault
	if !errors.As(err, &fault) || !strings.HasSuffix(err.Error(), ": 1 of 2 scenes broken") {
		t.Errorf("error is %v, want that 1 of 2 scenes is broken", err)
	}
	for _, want := range []string{
		"i_synth_001  broken\n",
		"\nbroken: i_synth_001/4.png: the image file is truncated\n",
		"v_synth_001  good     6 of 128x128",
		"2 scenes, 0 from HPatches, 1 broken\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("verify prints\n%s\nwithout %q", out, want)
		}
	}
	if out, err := runDataset(t, "list", "--data", dir); err != nil || !strings.Contains(out, "broken: i_synth_001/4.png") {
		t.Errorf("list prints (%v)\n%s", err, out)
	}
}

func TestDatasetCommandsRefuseWrongFlags(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		"--data is missing, want a folder of scenes":                                        {"verify"},
		"--out is missing, want a folder for the scenes":                                    {"synth"},
		`--size: found "640", want WIDTHxHEIGHT, 128 to 2048 px each`:                       {"synth", "--out", dir, "--size", "640"},
		`--size: found "640x99999", want WIDTHxHEIGHT, 128 to 2048 px each`:                 {"synth", "--out", dir, "--size", "640x99999"},
		"--scenes: found 0, want at least 1":                                                {"synth", "--out", dir, "--scenes", "0"},
		`dataset list takes no argument, found "testdata"; --data takes a folder of scenes`: {"list", "testdata"},
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
