package pipeline

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline/features"
	"descbench/pipeline/plan"
	"descbench/pipeline/plan/plantest"
)

// A roundTrip is a descriptor that is exported and read again.
type roundTrip struct {
	name, rest string
	set        string // keypoint set
	// scaled says that its rows are real numbers that are exported after
	// normalisation, which is not what bojanic_2019 compares.
	scaled bool
}

// roundTrips returns every kind of descriptor, and what makes others of them.
func roundTrips() []roundTrip {
	var all []roundTrip
	for _, k := range descriptors.Kinds() {
		_, elements := k.Shape(keypoints.Defaults(k.Params))
		rest := "type: " + k.Name
		if k.Unscaled { // the import must say so
			rest += ", normalize: none"
		}
		all = append(all, roundTrip{k.Name, rest, k.Detector(), elements == descriptors.Float32 && !k.Unscaled})
	}
	return append(all,
		roundTrip{"rootsift", "type: sift, root: l1", "sift", true},
		roundTrip{"raw", "type: sift, normalize: none", "sift", false},
		roundTrip{"akaze_of_100_bits", "type: akaze, descriptor_size: 100", "akaze", false},
		roundTrip{"akaze_of_numbers", "type: akaze, descriptor_type: kaze", "akaze", true},
		roundTrip{"pooled", "type: sift, pooling: {scales: [0.85, 1.3]}", "sift", true},
		roundTrip{"real", "type: rgbsift_mean, normalize: none", "sift", false},
		roundTrip{"fused", "type: fusion, of: [sift, rootsift]", "", true},
	)
}

func TestEveryDescriptorHasTheSameFiguresAfterExportAndImport(t *testing.T) {
	dir := t.TempDir()
	opt := plantest.Options(filepath.Join(dir, "cache"))
	head := fmt.Sprintf(`
experiment: {name: NAME}
dataset: {root: %s}
evaluation:
  fixed_gallery: {n: 10}
  workbench_tasks: {distractor_scenes: 1, distractors_per_scene: 10}
  bojanic_2019: {n: 10, repetitions: 2}
output: {root: runs}
`, smallScenes(t, dir, "i_synth_001", "v_synth_001"))
	sets, direct, again := "keypoint_sets:\n", "descriptors:\n", "descriptors:\n"
	known := map[string]bool{"": true}
	for _, d := range roundTrips() {
		if !known[d.set] {
			known[d.set] = true
			sets += fmt.Sprintf("  - {name: %s, detect: {type: %[1]s}, border: 32, top: {by: response, per_image: 30}}\n", d.set)
		}
		rest := d.rest
		if d.set != "" {
			rest += ", keypoints: " + d.set
		}
		direct += fmt.Sprintf("  - {name: %s, %s}\n", d.name, rest)
		norm := ""
		if strings.Contains(rest, "normalize: none") {
			norm = ", normalize: none"
		}
		again += fmt.Sprintf("  - {name: %s, type: file, path: 'exported/%[1]s/{scene}/{image}.npz'%[2]s}\n", d.name, norm)
	}
	ours := must.Get(runIn(t, dir, strings.Replace(head, "NAME", "direct", 1)+sets+direct, opt))(t)
	for _, d := range roundTrips() {
		if n, err := features.Export(context.Background(), ours.Folder, d.name, filepath.Join(dir, "exported", d.name), opt); err != nil || n != 12 {
			t.Fatalf("%s: %d files, error %v", d.name, n, err)
		}
	}
	theirs := must.Get(runIn(t, dir, strings.Replace(head, "NAME", "again", 1)+again, opt))(t)
	want, got := figuresOf(t, ours.Folder), figuresOf(t, theirs.Folder)
	for _, d := range roundTrips() {
		if len(want[d.name]) == 0 || len(got[d.name]) != len(want[d.name]) {
			t.Errorf("%s: %d figures, want %d", d.name, len(got[d.name]), len(want[d.name]))
			continue
		}
		for i, line := range want[d.name] {
			if got[d.name][i] != line && !(d.scaled && strings.Contains(line, ",bojanic_")) {
				t.Errorf("after import\n%s, want\n%s", got[d.name][i], line)
				break
			}
		}
	}
}

// figuresOf returns the lines of metrics.csv by descriptor, without the name of the
// experiment.
func figuresOf(t *testing.T, folder string) map[string][]string {
	t.Helper()
	lines := make(map[string][]string)
	for line := range strings.Lines(string(mustRead(t, plan.Folder(folder).Metrics()))) {
		fields := strings.SplitN(line, ",", 8)
		lines[fields[0]] = append(lines[fields[0]], strings.Join(fields[:7], ","))
	}
	return lines
}

// smallScenes returns the path of a copy of scenes whose images are cut at the
// right and below, so that the homographies still hold.
func smallScenes(t *testing.T, dir string, names ...string) string {
	t.Helper()
	root := filepath.Join(dir, "scenes")
	for _, name := range names {
		from := filepath.Join("../testdata/scenes", name)
		entries := must.Get(os.ReadDir(from))(t)
		must.Do(t, os.MkdirAll(filepath.Join(root, name), 0o777))
		for _, e := range entries {
			content := mustRead(t, filepath.Join(from, e.Name()))
			if filepath.Ext(e.Name()) == ".png" {
				content = cut(t, content, 256, 192)
			}
			must.Do(t, os.WriteFile(filepath.Join(root, name, e.Name()), content, 0o666))
		}
	}
	return root
}

func cut(t *testing.T, picture []byte, width, height int) []byte {
	t.Helper()
	img := must.Get(png.Decode(bytes.NewReader(picture)))(t)
	var out bytes.Buffer
	part := img.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(image.Rect(0, 0, width, height))
	must.Do(t, png.Encode(&out, part))
	return out.Bytes()
}
