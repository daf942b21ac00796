package config_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"descbench/pipeline/config"
)

func TestFoldersHaveEveryFileThatTheConfigNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	text := `
experiment: {name: x}
dataset: {root: /data/scenes}
keypoint_sets:
  - {name: points, import: {path: '/points/{scene}/{image}.npz'}}
  - {name: more, import: {path: '{root}/{scene}/{image}.npz'}}
  - {name: near, import: {path: '/data/scenes/points/{scene}/{image}.npz'}}
descriptors:
  - {name: net, type: onnx, model: /models/v1/net.onnx, input_size: 32, keypoints: points, magnification: 6, channels: gray, mean: 0, std: 1}
  - {name: rows, type: file, path: '/rows of a/{method}-{scene}/{image}.npy', descriptors_path: '/arrays/{scene}/{image}.npy'}
  - {name: pairs, type: matches, path: '/pairs/{scene}/1_{image}.npz'}
output: {root: /runs, database: /shared/all.sqlite}
`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(path, config.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"/data/scenes", "/runs", "/shared", "/points", "/rows of a", "/models/v1", "/arrays", "/pairs"}
	if got := c.Folders(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
