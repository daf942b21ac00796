package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"descbench/eval/must"
)

// releaseOf returns a folder that contains the folder of a release with the scenes of testdata.
func releaseOf(t *testing.T, release string) (parent string) {
	t.Helper()
	parent = t.TempDir()
	must.Do(t, os.CopyFS(filepath.Join(parent, release), os.DirFS("../../testdata/scenes")))
	return parent
}

// zipOf returns a zip archive of a folder.
func zipOf(t *testing.T, dir string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	must.Do(t, z.AddFS(os.DirFS(dir)))
	must.Do(t, z.Close())
	return b.Bytes()
}

// descbenchIn runs descbench in a folder with more variables.
func descbenchIn(t *testing.T, dir string, variables []string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	program, err := exec.LookPath("descbench") // put there by testscript.Main
	must.Do(t, err)
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(environment(), func(v string) bool { return strings.Contains(strings.ToLower(v), "_proxy=") })
	cmd.Env = append(cmd.Env, variables...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestARunFindsWhatWasFetchedWithoutAFlag(t *testing.T) {
	archive := zipOf(t, releaseOf(t, "hpatches-sequences-release"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(archive))
	}))
	defer server.Close()
	work := checkoutLike(t)
	run := []string{"run", "configs/sift_baseline.yaml", "--quiet", "--set", "keypoint_sets[sift].top.per_image=50", "--set", "keypoint_sets[sift].top.by=response", "--set", "dataset.subset=108"}
	if _, stderr, status := descbenchIn(t, work, nil, run...); status != 3 || !strings.Contains(stderr, "; to download it: descbench dataset fetch hpatches-sequences --to ") {
		t.Errorf("before: status %d\n%s", status, stderr)
	}
	stdout, stderr, status := descbenchIn(t, work, nil, "dataset", "fetch", "hpatches-sequences", "--url", server.URL+"/a.zip")
	want := fmt.Sprintf("data/hpatches-sequences-release: 44 files, fetched from %s/a.zip\nto use it: descbench run configs/sift_baseline.yaml\n", server.URL)
	if status != 0 || stdout != want {
		t.Fatalf("status %d\n%s%s", status, stdout, stderr)
	}
	if want := fmt.Sprintf("downloading: 0 of %d MB\n", (len(archive)+999999)/1000000); !strings.HasPrefix(stderr, want) {
		t.Errorf("progress is %q, want %q first", stderr, want)
	}
	stdout, stderr, status = descbenchIn(t, work, nil, run...)
	if status != 0 || !strings.Contains(stdout, "4 scenes") {
		t.Errorf("run: status %d\n%s%s", status, stdout, stderr)
	}
	// Again, without the server.
	server.Close()
	stdout, stderr, status = descbenchIn(t, work, nil, "dataset", "fetch", "hpatches-sequences", "--json", "--quiet")
	var out struct {
		Folder string
		Files  int
		Reused bool
	}
	if err := json.Unmarshal([]byte(stdout), &out); err != nil || status != 0 || stderr != "" || out.Folder != "data/hpatches-sequences-release" || out.Files != 44 || !out.Reused {
		t.Errorf("status %d, %v\n%s%s", status, err, stdout, stderr)
	}
	// A homography that was replaced since.
	h := filepath.Join(work, "data/hpatches-sequences-release/v_synth_001/H_1_5")
	must.Do(t, os.WriteFile(h, []byte("1 0 0\n0 1 0\n0 0 1\n"), 0o666))
	stdout, _, status = descbenchIn(t, work, nil, "dataset", "verify", "--data", "data/hpatches-sequences-release")
	if status != 3 || !strings.Contains(stdout, "v_synth_001/H_1_5: has changed since the data set was fetched") {
		t.Errorf("verify: status %d\n%s", status, stdout)
	}
}

func TestAFetchedSceneWithABrokenImageIsRefused(t *testing.T) {
	release := releaseOf(t, "hpatches-sequences-release")
	must.Do(t, os.Truncate(filepath.Join(release, "hpatches-sequences-release/v_synth_002/3.png"), 50_000))
	archive := zipOf(t, release)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(archive) }))
	defer server.Close()
	dir := t.TempDir()
	_, stderr, status := descbenchIn(t, dir, nil, "dataset", "fetch", "hpatches-sequences", "--quiet", "--url", server.URL+"/a.zip")
	if status != 3 || !strings.Contains(stderr, "/a.zip: 1 of 4 scenes are broken: v_synth_002/3.png: ") {
		t.Errorf("status %d\n%s", status, stderr)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "data", "*")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

func TestAFetchGoesThroughTheProxyOfTheEnvironment(t *testing.T) {
	archive := zipOf(t, releaseOf(t, "hpatches-release"))
	var asked string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.String()
		_, _ = w.Write(archive)
	}))
	defer proxy.Close()
	dir := t.TempDir()
	stdout, stderr, status := descbenchIn(t, dir, []string{"HTTP_PROXY=" + proxy.URL}, "dataset", "fetch", "hpatches-patches", "--quiet", "--url", "http://data.invalid/a.zip")
	if status != 0 || asked != "http://data.invalid/a.zip" || !strings.HasPrefix(stdout, "data/hpatches-release: 44 files, ") {
		t.Errorf("status %d, the proxy was asked for %q\n%s%s", status, asked, stdout, stderr)
	}
}
