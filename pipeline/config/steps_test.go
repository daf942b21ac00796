package config

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"descbench/descriptors"
	"descbench/eval/distractors"
	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/eval/ranking"
	"descbench/keypoints"

	"go.yaml.in/yaml/v3"
)

func pointer(v float64) *float64 { return &v }

func TestEveryStepTypeAndSectionReachesItsField(t *testing.T) {
	got := mustLoad(t, "testdata/every_step.good.yml")
	surf := keypoints.Params{"hessian_threshold": 400.0, "n_octaves": int64(4), "n_octave_layers": int64(3), "upright": false}
	described := keypoints.Params{"n_octave_layers": int64(3), "sigma": 1.6, "pyramid": "full"}
	wide := keypoints.Params{"extended": true, "upright": false}
	want := &Config{
		Experiment: Experiment{Name: "steps"},
		Dataset:    Dataset{Root: "/srv/scenes", Subset: "all", MaxMegapixels: 40},
		KeypointSets: []KeypointSet{
			{
				Name: "strong", Detect: &Detect{Type: "sift", Params: sift(nil)}, Border: &keypoints.Border{Px: 40},
				MinSize: pointer(2.5), MaxSize: pointer(100), MinResponse: pointer(-0.5),
				Random: &Random{PerImage: 5000, Seed: 1<<64 - 1}, Spatial: &Spatial{MinDistancePx: 1.5},
				Top: &Top{By: keypoints.BySize, Total: 645000},
			},
			{Name: "surf", Detect: &Detect{Type: "surf", Params: surf}, Border: &keypoints.Border{Px: 40}, Top: &Top{By: keypoints.ByOctave, PerImage: 10}},
			{
				Name: "both", Intersect: &Intersect{A: "strong", B: "surf", TolerancePx: 6},
				Border: &keypoints.Border{Px: 20, Rule: keypoints.Closed}, Project: &Project{FromImage: 1, Carry: "geometry", Bounds: "own"},
			},
			{Name: "again", Intersect: &Intersect{A: "both.b", B: "both.a"}},
			{Name: "outside", Import: &Import{Path: here(t, "testdata/features/{scene}/{image}.csv"), Origin: "corner"}, MaxSize: pointer(9)},
			{Name: "d2", Import: &Import{Path: "{root}/{scene}/{image}.d2", Origin: "center"}},
			{Name: "part", From: "d2", Top: &Top{By: keypoints.ByResponse, PerImage: 100}},
			{Name: "r2d2", Import: &Import{Path: here(t, "r2d2/{scene}/{image}"), Origin: "corner"}},
		},
		Descriptors: []Descriptor{
			{
				Name: "dspsift", Type: "sift", Keypoints: "again.b", Params: described, Root: descriptors.NoNorm, Normalize: descriptors.L2,
				Pooling: &descriptors.Pooling{
					Scales: []float64{0.5, 1, 2}, Aggregate: descriptors.Mean,
					RootEach: descriptors.L1, NormalizeEach: descriptors.L2,
				},
			},
			{
				Name: "concatenated", Type: "surf", Keypoints: "again.b", Params: wide, Root: descriptors.NoNorm, Normalize: descriptors.L2,
				Pooling: &descriptors.Pooling{Scales: []float64{1}, Aggregate: descriptors.Concatenate, RootEach: descriptors.NoNorm, NormalizeEach: descriptors.NoNorm},
			},
			{
				Name: "triangular", Type: "rgbsift", Keypoints: "surf", Params: described, Root: descriptors.NoNorm, Normalize: descriptors.L2,
				Pooling: &descriptors.Pooling{Scales: []float64{3, 1}, Aggregate: descriptors.Concatenate, RootEach: descriptors.NoNorm, NormalizeEach: descriptors.NoNorm},
			},
			{Name: "wide", Type: "surf", Keypoints: "again.a", Params: wide, Root: descriptors.NoNorm, Normalize: descriptors.L2},
			{
				Name: "fused", Type: "fusion", Params: keypoints.Params{}, Root: descriptors.NoNorm, Normalize: descriptors.NoNorm,
				Fusion: &Fusion{Of: []string{"wide", "dspsift"}, Aggregate: descriptors.Mean},
			},
			{
				Name: "net", Type: "command", Keypoints: "outside", Params: keypoints.Params{}, Root: descriptors.NoNorm, Normalize: descriptors.L2,
				Command: &Command{
					Key: "descriptors[net]", Run: []string{"python3", "-m", "descbench", "onnx", "net.onnx"}, Files: []string{here(t, "testdata/models/net.onnx")},
					Folder: here(t, "testdata"), Operation: DescribePatches, Timeout: time.Minute, Instances: 1,
					Patches: &descriptors.PatchCut{
						InputSize: 64, Magnification: 7.5, Channels: "rgb",
						Mean: []float64{123.5, 116.25, 103}, Std: []float64{58, 57, 57.5}, Upright: true, Batch: 16,
					},
				},
				Pooling: &descriptors.Pooling{Scales: []float64{1, 2}, Aggregate: descriptors.Concatenate, RootEach: descriptors.NoNorm, NormalizeEach: descriptors.NoNorm},
			},
			{
				Name: "patches", Type: "command", Keypoints: "outside", Params: keypoints.Params{}, Root: descriptors.L1, Normalize: descriptors.L2,
				Command: &Command{
					Key: "descriptors[patches]", Run: []string{"./net"}, Folder: here(t, "testdata"), Operation: DescribePatches, Timeout: time.Minute, Instances: 1,
					Patches: &descriptors.PatchCut{InputSize: 32, Magnification: 6, Channels: "gray", Standardize: true, Batch: 64},
				},
			},
			{
				Name: "d2", Type: "file", Keypoints: "part", Params: keypoints.Params{}, Root: descriptors.NoNorm, Normalize: descriptors.L2,
				File: &File{Path: "{root}/{scene}/{image}.d2", Origin: "center"},
			},
			{
				Name: "r2d2", Type: "file", Keypoints: "r2d2", Params: keypoints.Params{}, Root: descriptors.NoNorm, Normalize: descriptors.L1,
				File: &File{Path: here(t, "r2d2/{scene}/{image}"), Origin: "corner", Elements: "uint8"},
			},
		},
		Evaluation: Evaluation{
			Preset:         "workbench",
			Options:        ranking.Options{TolerancePx: 3, Ties: ranking.Workbench, Relevance: "nearest", Cutoffs: []int{1, 5, 10}, ExcludeInvalid: true, ExcludeBeyondPx: 2000},
			FixedGallery:   &FixedGallery{N: 100, Seed: 7},
			Bojanic2019:    &distractors.Bojanic{N: 0, Repetitions: 1, Seed: 8},
			WorkbenchTasks: &distractors.Workbench{DistractorScenes: 3, DistractorsPerScene: 4, HardNegatives: "ignore"},
			SharedTopK:     1000,
			KeynetRegion:   true,
			Estimators:     []string{"magsac", "ransac"},
			Draws:          matching.Draws{Homographies: 3, Poses: 2},
		},
		Output: Output{Root: here(t, "runs")},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got.YAML(), want.YAML())
	}
}

// Every key but the parameters of detectors and descriptors stands in a good file, so that every other test
// that goes over these files sees it.
func TestEveryKeyOccursInAGoodFile(t *testing.T) {
	used := map[string]bool{}
	for _, file := range goodFiles(t) {
		text := must.Get(os.ReadFile(file))(t)
		var root yaml.Node
		must.Do(t, yaml.Unmarshal(text, &root))
		eachKey(&root, func(key string) { used[key] = true })
	}
	for _, d := range keypoints.Detectors() {
		for _, p := range d.Params {
			used[p.Name] = true
		}
	}
	for _, k := range descriptors.Kinds() {
		for _, p := range k.Params {
			used[p.Name] = true
		}
	}
	walkKeys("", allSections(defaults()), func(name string, _ field) {
		if !used[name[strings.LastIndex(name, ".")+1:]] {
			t.Errorf("%s is in no good file", name)
		}
	})
}

func eachKey(n *yaml.Node, do func(key string)) {
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			do(child.Value)
		}
		eachKey(child, do)
	}
}

func TestWhereFilesLieIsNotPartOfTheIdentityButWhichTheyAreIs(t *testing.T) {
	const text = `experiment: {name: t}
dataset: {root: scenes}
descriptors:
  - {name: d, type: file, path: "PATH"}
  - {name: n, type: command, run: [net], files: [MODEL], keypoints: d}
`
	load := func(file, path, model string) *Config {
		t.Helper()
		return must.Get(load(file, []byte(strings.NewReplacer("PATH", path, "MODEL", model).Replace(text)), Overrides{}))(t)
	}
	a := load("/a/t.yaml", "r2d2/{scene}/{image}.npz", "nets/hard.onnx")
	if b := load("/b/c/t.yaml", "../r2d2/{scene}/{image}.npz", "hard.onnx"); a.Identity() != b.Identity() {
		t.Errorf("differ: %q", Diff(a, b))
	}
	b := load("/a/t.yaml", "d2net/{scene}/{image}.npz", "nets/sos.onnx")
	want := []string{
		"keypoint_sets[d].import.path: r2d2/{scene}/{image}.npz -> d2net/{scene}/{image}.npz",
		"descriptors[d].path: r2d2/{scene}/{image}.npz -> d2net/{scene}/{image}.npz",
		"descriptors[n].files: [hard.onnx] -> [sos.onnx]",
	}
	if got := Diff(a, b); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if b := load("/a/t.yaml", "{root}/{scene}/{image}.r2d2", "nets/hard.onnx"); len(Diff(a, b)) != 2 {
		t.Errorf("got %q", Diff(a, b))
	}
}

// What re-evaluates a run sets values above its effective config, in which the
// preset has filled in its own.
func TestAPresetCanBeLifted(t *testing.T) {
	c := mustLoad(t, "testdata/every_step.good.yml", "evaluation.preset=", "evaluation.ties=strict", "evaluation.exclude_beyond_px=0")
	if null := mustLoad(t, "../../configs/demo.yaml", "evaluation.preset=null"); null.Evaluation.Preset != "" {
		t.Errorf("null: preset %q", null.Evaluation.Preset)
	}
	if e := c.Evaluation; e.Preset != "" || e.Ties != ranking.Strict || e.ExcludeBeyondPx != 0 {
		t.Errorf("got %+v", e)
	}
	_, err := Load("testdata/every_step.good.yml", Overrides{Env: []string{"DESCBENCH_EVALUATION_TIES=strict"}})
	must.Fail(t, err, "DESCBENCH_EVALUATION_TIES: evaluation.ties: found strict, want workbench or nothing, since evaluation.preset is workbench; evaluation.preset=null gives it up")
}
