package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/keypoints"

	"go.yaml.in/yaml/v3"
)

// invented is a vocabulary with every kind of parameter, none of it known to
// the program: adding to the tables is all it takes.
func invented() vocabulary {
	params := []keypoints.Param{
		{Name: "levels", Kind: keypoints.Int, Default: int64(8), Min: -1, Max: 16, SameAs: "corner", Doc: "d"},
		{Name: "threshold", Kind: keypoints.Float, Default: 0.5, Min: -1, Max: 1, Doc: "d"},
		{Name: "upright", Kind: keypoints.Bool, Default: true, Doc: "d"},
		{Name: "score", Kind: keypoints.Choice, Default: "harris", Choices: []string{"harris", "fast"}, Doc: "d"},
	}
	return vocabulary{
		detectors: []keypoints.Detector{{Name: "corner", Params: params}, {Name: "blob"}},
		kinds: []descriptors.Kind{
			{Name: "bits", Type: descriptors.Bits, NonNegative: true, Params: params},
			{Name: "signed", Type: descriptors.Float32},
			{Name: "positive", Type: descriptors.Float32, NonNegative: true},
			{Name: "bound", Type: descriptors.Float32, Detectors: []string{"corner"}, Because: "it needs levels"},
		},
	}
}

const inventedConfig = `experiment: {name: t}
dataset: {root: /scenes}
keypoint_sets:
  - {name: c, detect: {type: corner, upright: false, levels: 4}}
  - {name: b, detect: {type: blob}}
descriptors:
  - {name: bits, type: bits, keypoints: c, score: fast, threshold: -1}
  - {name: signed, type: signed, keypoints: b}
  - {name: positive, type: positive, keypoints: b, root: l1}
`

func TestAKindInTheTablesIsKnownToConfigs(t *testing.T) {
	c, err := load(invented(), "t.yaml", []byte(inventedConfig), Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	want := keypoints.Params{"levels": int64(4), "threshold": 0.5, "upright": false, "score": "harris"}
	if got := c.KeypointSets[0].Detect.Params; !reflect.DeepEqual(got, want) {
		t.Errorf("detector: got %v, want %v", got, want)
	}
	want = keypoints.Params{"levels": int64(4), "threshold": -1.0, "upright": true, "score": "fast"} // levels: the detector's
	if got := c.Descriptors[0].Params; !reflect.DeepEqual(got, want) {
		t.Errorf("descriptor: got %v, want %v", got, want)
	}
	for i, normalize := range []descriptors.Norm{descriptors.NoNorm, descriptors.L2, descriptors.L2} {
		if d := c.Descriptors[i]; d.Normalize != normalize {
			t.Errorf("%s: normalised by %s, want %s", d.Name, d.Normalize, normalize)
		}
	}
	text := marshal(invented().config(c).encode(everything))
	again, err := load(invented(), "t.yaml", text, Overrides{})
	if err != nil || !reflect.DeepEqual(c, again) {
		t.Errorf("loaded %+v (%v) from\n%s", again, err, text)
	}
	var tree any
	if err := yaml.Unmarshal([]byte(inventedConfig), &tree); err != nil {
		t.Fatal(err)
	}
	if fault := validate(jsonValues(t, invented().config(defaults()).schema()), tree, "config"); fault != "" {
		t.Error(fault)
	}
}

func TestRulesOfRowsFollowTheKind(t *testing.T) {
	for set, want := range map[string]string{
		"descriptors[bits].root=l1":        `descriptors[bits].root: found "l1", want none: root needs non-negative elements`,
		"descriptors[signed].root=l1":      `descriptors[signed].root: found "l1", want none: root needs non-negative elements`,
		"descriptors[bits].normalize=l2":   `descriptors[bits].normalize: found "l2", want none: binary rows are compared unchanged`,
		"descriptors[bits].levels=5":       "descriptors[bits].levels: found 5, want 4 as in keypoint_sets[c].detect",
		"descriptors[bits].upright=yes":    `descriptors[bits].upright: found "yes", want true or false`,
		"descriptors[bits].threshold=1.01": "descriptors[bits].threshold: found 1.01, want a number from -1 to 1",
		"descriptors[signed].score=fast":   "descriptors[signed].score: unknown key, want one of name, type, keypoints, pooling, root, normalize, matcher",
		"keypoint_sets[b].detect.type=blo": `keypoint_sets[b].detect.type: found "blo", want one of corner, blob, command (did you mean blob?)`,
		"descriptors[signed].type=sined":   `descriptors[signed].type: found "sined", want one of bits, signed, positive, bound, fusion, onnx, command, file, matches (did you mean signed?)`,
	} {
		_, err := load(invented(), "t.yaml", []byte(inventedConfig), Overrides{Set: []string{set}})
		if text := "--set " + set + ": " + want; err == nil || err.Error() != text {
			t.Errorf("got  %v\nwant %s", err, text)
		}
	}
}

func TestADescriptorOfKeypointsThatItCannotDescribeSaysWhy(t *testing.T) {
	const sets = `experiment: {name: t}
dataset: {root: /scenes}
keypoint_sets:
  - {name: c, detect: {type: corner}}
  - {name: b, detect: {type: blob}}
  - {name: both, intersect: {a: b, b: c, tolerance_px: 1}}
  - {name: file, import: {path: "/{scene}/{image}"}}
  - {name: moved, from: both.b, project: {}}
  - {name: scaled, from: moved, project: {carry: geometry}}
  - {name: top, from: scaled, top: {per_image: 5}}
descriptors:
  - {name: d, type: bound, keypoints: `
	for name, want := range map[string]string{
		"c": "", "both.b": "", "moved": "",
		"b":      "bound cannot describe keypoints of blob, want keypoints of corner: it needs levels",
		"both.a": "bound cannot describe keypoints of blob, want keypoints of corner: it needs levels",
		"file":   "bound cannot describe imported keypoints: it needs levels",
		"top":    "bound cannot describe keypoints whose size keypoint_sets[scaled] changes, want carry: position: it needs levels",
	} {
		_, err := load(invented(), "t.yaml", []byte(sets+name+"}\n"), Overrides{})
		if want != "" {
			want = fmt.Sprintf("t.yaml:12: descriptors[d].keypoints: found %q: %s", name, want)
		}
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		for _, any := range []string{"signed", "bits"} {
			if _, err := load(invented(), "t.yaml", []byte(strings.Replace(sets, "bound", any, 1)+name+"}\n"), Overrides{}); err != nil {
				t.Errorf("%s: %v", any, err)
			}
		}
	}
}

func TestPoolingFollowsTheKind(t *testing.T) {
	for set, want := range map[string]string{
		"descriptors[signed].pooling.scales=1,2":     "",
		"descriptors[positive].pooling.root_each=l1": "",
		"descriptors[signed].pooling.root_each=l1":   `descriptors[signed].pooling.root_each: found "l1", want none: root needs non-negative elements`,
		"descriptors[bits].pooling.scales=1,2":       `descriptors[bits].pooling: found a mapping, want no value: binary rows are compared unchanged`,
		"descriptors[bound].pooling.scales=1,2":      `descriptors[bound].pooling: found a mapping, want no value: it needs levels`,
	} {
		text := inventedConfig + "  - {name: bound, type: bound, keypoints: c}\n"
		text = strings.Replace(text, "root: l1}", "pooling: {scales: [1, 2]}}", 1)
		if strings.HasPrefix(set, "descriptors[signed].pooling.root") {
			text = strings.Replace(text, "type: signed,", "type: signed, pooling: {scales: [1]},", 1)
		}
		_, err := load(invented(), "t.yaml", []byte(text), Overrides{Set: []string{set}})
		// The mapping comes from the --set, too.
		if full := "--set " + set + ": " + want; (err == nil) != (want == "") || err != nil && err.Error() != full {
			t.Errorf("got  %v\nwant %s", err, full)
		}
	}
}

// AKAZE's parameter descriptor_type decides whether its rows are of bits.
func TestRulesOfRowsFollowTheParameters(t *testing.T) {
	const text = `experiment: {name: t}
dataset: {root: /scenes}
keypoint_sets: [{name: s, detect: {type: akaze}}]
descriptors: [{name: d, type: akaze}]
`
	for _, e := range []struct {
		set  []string
		want descriptors.Norm
	}{
		{nil, descriptors.NoNorm},
		{[]string{"descriptors[d].descriptor_type=kaze"}, descriptors.L2},
		{[]string{"descriptors[d].descriptor_type=kaze", "descriptors[d].normalize=l1"}, descriptors.L1},
	} {
		c, err := load(known(), "t.yaml", []byte(text), Overrides{Set: e.set})
		if err != nil || c.Descriptors[0].Normalize != e.want {
			t.Errorf("%v: got %v (%v), want %s", e.set, c, err, e.want)
			continue
		}
		again, err := load(known(), "t.yaml", c.YAML(), Overrides{})
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Errorf("%v: got %v (%v)", e.set, again, err)
		}
	}
}

func TestNoParameterHidesAKeyAndEveryDefaultIsAllowed(t *testing.T) {
	v := known()
	for _, k := range v.detectors {
		checkParams(t, k.Name, k.Params, []string{"type"})
	}
	for _, k := range v.kinds {
		checkParams(t, k.Name, k.Params, []string{"name", "type", "keypoints", "pooling", "root", "normalize"})
		for _, p := range k.Params {
			if p.SameAs == "" {
				continue
			}
			i := slices.IndexFunc(v.detectors, func(d keypoints.Detector) bool { return d.Name == p.SameAs })
			if i < 0 || !slices.ContainsFunc(v.detectors[i].Params, func(q keypoints.Param) bool {
				return q.Name == p.Name && q.Kind == p.Kind && q.Min == p.Min && q.Max == p.Max
			}) {
				t.Errorf("%s.%s: detector %s has no such parameter", k.Name, p.Name, p.SameAs)
			}
		}
	}
}

func checkParams(t *testing.T, name string, specs []keypoints.Param, keys []string) {
	t.Helper()
	for _, s := range specs {
		if slices.Contains(keys, s.Name) {
			t.Errorf("%s: parameter %s comes twice or hides the key of this name", name, s.Name)
		}
		keys = append(keys, s.Name)
		p := param{spec: s, in: keypoints.Params{s.Name: s.Default}}
		d := newDecoder("t", "/")
		p.decode(d, s.Name, p.encode(everything))
		if len(d.faults) > 0 || !reflect.DeepEqual(p.in[s.Name], s.Default) {
			t.Errorf("%s.%s: default %v: %v, %v", name, s.Name, s.Default, p.in[s.Name], d.faults)
		}
	}
}
