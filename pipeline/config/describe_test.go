package config

import (
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/keypoints"
)

func TestARecipeReadsAsOneLine(t *testing.T) {
	c := mustLoad(t, "testdata/every_step.good.yml")
	var got []string
	for _, s := range c.KeypointSets[:7] {
		got = append(got, s.Name+": "+s.String())
	}
	for _, d := range c.Descriptors[:8] {
		got = append(got, d.Name+": "+d.String())
	}
	want := []string{
		"strong: SIFT detector; a margin of 40 px at the edges; size at least 2.5 px; size at most 100 px; response at least -0.5; 5000 random ones per image (seed 18446744073709551615); at least 1.5 px apart; the 645000 of highest size in total",
		"surf: SURF detector (hessian threshold 400); a margin of 40 px at the edges; the 10 of highest octave per image",
		"both: intersect strong with surf, tolerance 6 px; a margin of 20 px at the edges; project from image 1, carry geometry, bounds own",
		"again: intersect both.b with both.a, tolerance 0 px",
		"outside: imported from " + here(t, "testdata/features") + "/{scene}/{image}.csv, origin at the corner; size at most 9 px",
		"d2: imported from {root}/{scene}/{image}.d2",
		"part: from d2; the 100 of highest response per image",
		"dspsift: sift, keypoints: again.b, pooling.scales: [0.5, 1, 2], pooling.root_each: l1, pooling.normalize_each: l2",
		"concatenated: surf, keypoints: again.b, extended: true, pooling.scales: [1], pooling.aggregate: concatenate",
		"triangular: rgbsift, keypoints: surf, pooling.scales: [3, 1], pooling.aggregate: concatenate",
		"wide: surf, keypoints: again.a, extended: true",
		"fused: fusion, of: [wide, dspsift], aggregate: mean, normalize: none",
		"net: command, keypoints: outside, run: [python3, -m, descbench, onnx, net.onnx], files: [" + here(t, "testdata/models/net.onnx") + "], folder: " + here(t, "testdata") + ", operation: patches, patches.input_size: 64, patches.magnification: 7.5, patches.channels: rgb, patches.mean: [123.5, 116.25, 103], patches.std: [58, 57, 57.5], patches.upright: true, patches.batch: 16, pooling.scales: [1, 2], pooling.aggregate: concatenate",
		"patches: command, keypoints: outside, run: [./net], folder: " + here(t, "testdata") + ", operation: patches, patches.standardize: true, root: l1",
		"d2: file, keypoints: part, path: '{root}/{scene}/{image}.d2'",
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
}

func TestSettingsNameTheTypeThatANameHides(t *testing.T) {
	for _, c := range []struct{ descriptor, want string }{
		{"name: sift, type: sift", ""},
		{"name: RGB-SIFT, type: rgbsift", ""},
		{"name: rootsift, type: sift, root: l1", "square roots after L1 normalisation"},
		{"name: rootsift, type: sift", "no square roots"},
		{"name: sift, type: usift", "usift"},
		{"name: rgb-sift, type: sift", "sift"},
		{"name: superpoint, type: sift, root: l1", "sift, square roots after L1 normalisation"},
		{"name: rootsift, type: file, path: 'x/{scene}/{image}.csv'", "file"},
		{"name: mine, type: command, run: [./mine], normalize: none", "program mine, not normalised"},
		{"name: mine, type: command, run: [/env/bin/python3, -u, code/rp.py, \"2\", --weights=/w/v1.pth]", "program rp.py 2 --weights=v1.pth"},
		{"name: theirs, type: command, run: [/env/bin/python, -m, descbench, hdf5, m.h5], operation: match", "imported from m.h5, operation match"},
	} {
		cfg, err := Parse("x.yaml", []byte("experiment: {name: x}\ndataset: {root: x}\nkeypoint_sets: [{name: s, detect: {type: sift}}]\ndescriptors: [{"+c.descriptor+"}]\n"))
		if err != nil {
			t.Fatal(c.descriptor, err)
		}
		if got := strings.Join(cfg.Descriptors[0].Settings(), ", "); got != c.want {
			t.Errorf("%s: %q, want %q", c.descriptor, got, c.want)
		}
	}
}

func TestKeysAndStepsHaveWords(t *testing.T) {
	d := Descriptor{Pooling: &descriptors.Pooling{Scales: []float64{0.85, 1, 1.3}}}
	for want, got := range map[string]string{
		"pooled over windows scaled by 0.85, 1 and 1.3": d.inWords("pooling.scales", "[0.85, 1, 1.3]"),
		"window scaled by 2.8":                          Descriptor{Pooling: &descriptors.Pooling{Scales: []float64{2.8}}}.inWords("pooling.scales", "[2.8]"),
		"pattern scale 2.4":                             d.inWords("pattern_scale", "2.4"),
		"square roots after L1 normalisation":           d.inWords("root", "l1"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	gftt, _ := keypoints.FindDetector("gftt")
	params := make(keypoints.Params)
	for _, p := range gftt.Params {
		params[p.Name] = p.Default
	}
	params["use_harris_detector"], params["k"] = true, 0.05
	top := KeypointSet{Detect: &Detect{Type: "gftt", Params: params}, Border: &keypoints.Border{Px: 10}, Top: &Top{PerImage: 5, By: keypoints.ByResponse}}
	const want = "GFTT detector (use harris detector true, k 0.05), a margin of 10 px at the edges, the 5 of highest response per image"
	if got := strings.Join(top.steps(), ", "); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := d.inWords("root", "l2"), "root l2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	program := KeypointSet{Detect: &Detect{Command: &Command{Run: []string{"/bin/harris.py", "--max_size=3"}}}}
	if got, want := program.steps()[0], "detected by harris.py --max_size=3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
