package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
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

// zipOf returns a zip archive of a release's folder with the content of dir, in which
// each file has passed through change.
func zipOf(t *testing.T, release, dir string, change func(name string, content []byte) []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		w, err := z.Create(release + "/" + name)
		if err == nil {
			_, err = w.Write(change(name, content))
		}
		return err
	})
	must.Do(t, err)
	must.Do(t, z.Close())
	return b.Bytes()
}

func asItIs(_ string, content []byte) []byte { return content }

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
	archive := zipOf(t, "hpatches-sequences-release", "../../testdata/scenes", asItIs)
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
	if want := fmt.Sprintf("downloading: 0 B of %.1f MB\n", float64(len(archive))/1e6); !strings.HasPrefix(stderr, want) {
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
	archive := zipOf(t, "hpatches-sequences-release", "../../testdata/scenes", func(name string, content []byte) []byte {
		if name == "v_synth_002/3.png" {
			return content[:len(content)/2]
		}
		return content
	})
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
	archive := zipOf(t, "hpatches-release", "../../testdata/scenes", asItIs)
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
