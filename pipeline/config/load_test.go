package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/eval/ranking"
	"descbench/keypoints"
)

// goodFiles are all configs of the repository.
func goodFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"testdata/*.good.yml", "../../configs/*.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) < 3 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		files = append(files, found...)
	}
	return files
}

func mustLoad(t *testing.T, path string, set ...string) *Config {
	t.Helper()
	return must.Get(Load(path, Overrides{Set: set}))(t)
}

// here returns the absolute path of one beside this file.
func here(t *testing.T, elements ...string) string {
	t.Helper()
	return must.Get(filepath.Abs(filepath.Join(elements...)))(t)
}

func sift(changes keypoints.Params) keypoints.Params {
	p := keypoints.Params{"nfeatures": int64(0), "n_octave_layers": int64(3), "contrast_threshold": 0.04, "edge_threshold": 10.0, "sigma": 1.6}
	for name, value := range changes {
		p[name] = value
	}
	return p
}

func TestAConfigThatSaysLittleHasTheDocumentedDefaults(t *testing.T) {
	got := mustLoad(t, "testdata/minimal.good.yml")
	want := &Config{
		Experiment:   Experiment{Name: "t"},
		Dataset:      Dataset{Root: here(t, "testdata/scenes"), Subset: "all", MaxMegapixels: 40},
		KeypointSets: []KeypointSet{{Name: "s", Detect: &Detect{Type: "sift", Params: sift(nil)}, Border: &keypoints.Border{Px: 40}}},
		Descriptors: []Descriptor{{
			Name: "d", Type: "sift", Keypoints: "s", Root: descriptors.NoNorm, Normalize: descriptors.L2,
			Params: keypoints.Params{"n_octave_layers": int64(3), "sigma": 1.6, "pyramid": "full"},
		}},
		Evaluation: Evaluation{Options: ranking.Options{TolerancePx: 3, Ties: ranking.Mean, Relevance: "nearest", Cutoffs: []int{1, 5, 10}, ExcludeInvalidTruths: true}, Estimators: []string{"ransac", "magsac"}, Draws: matching.Draws{Homographies: 5, Poses: 1}},
		Output:     Output{Root: here(t, "runs")},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got.YAML(), want.YAML())
	}
}

func TestEveryKeyReachesItsField(t *testing.T) {
	got := mustLoad(t, "testdata/everything.good.yml")
	want := &Config{
		Experiment: Experiment{Name: "all-of_it/v1.2", Description: "two\nlines, # and 'quotes': all text"},
		Dataset:    Dataset{Root: "/srv/scenes", Scenes: []string{"v_dogman", "i_ajuntament", "2024"}, Subset: "108", MaxMegapixels: 12, DepthTolerance: 0.02, Trust: true},
		KeypointSets: []KeypointSet{
			{
				Name: "cut", From: "base.a",
				Border:  &keypoints.Border{Px: 35.5, Rule: keypoints.HalfOpen},
				Top:     &Top{By: keypoints.ByResponse, PerImage: 8000},
				Project: &Project{FromImage: 1, Carry: "position", Bounds: "image1"},
			},
			{Name: "base.a", Detect: &Detect{Type: "sift", Params: keypoints.Params{
				"nfeatures": int64(500), "n_octave_layers": int64(4), "contrast_threshold": 0.03, "edge_threshold": 12.5, "sigma": 1.2,
			}}, Border: &keypoints.Border{Px: 40}},
			{Name: "wide", Label: "wide, α", From: "cut", Border: &keypoints.Border{Px: 12, Rule: keypoints.Closed}},
		},
		Descriptors: []Descriptor{
			{
				Name: "group/root-sift_1.0", Label: "RootSIFT: ours", Type: "sift", Keypoints: "wide", Root: descriptors.L1, Normalize: descriptors.L1,
				Params: keypoints.Params{"n_octave_layers": int64(4), "sigma": 1.2, "pyramid": "opencv"},
			},
			{
				Name: "raw", Type: "rgbsift", Keypoints: "base.a", Root: descriptors.NoNorm, Normalize: descriptors.NoNorm,
				Params: keypoints.Params{"n_octave_layers": int64(4), "sigma": 1.2, "pyramid": "full"}, // the detector's
			},
		},
		Evaluation: Evaluation{Options: ranking.Options{TolerancePx: 10, Ties: ranking.Workbench, Relevance: "nearest", Cutoffs: []int{2, 20, 200}, ExcludeInvalidTruths: true}, Estimators: []string{"ransac", "magsac"}, Draws: matching.Draws{Homographies: 5, Poses: 1}},
		Output:     Output{Root: here(t, "elsewhere"), Database: here(t, "testdata/all.sqlite")},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got.YAML(), want.YAML())
	}
}

func TestAnAliasStandsForACopy(t *testing.T) {
	c := mustLoad(t, "testdata/anchors.good.yml", "keypoint_sets[t].border.px=30")
	if s, u := c.KeypointSets[0], c.KeypointSets[1]; s.Border.Px != 20 || u.Border.Px != 30 || u.Detect.Params.Float("sigma") != 1.5 {
		t.Errorf("got\n%s", c.YAML())
	}
}

func TestTheEffectiveConfigLoadsToTheSameConfigFromAnyFolder(t *testing.T) {
	for _, file := range goodFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			first := mustLoad(t, file)
			copied := filepath.Join(t.TempDir(), "config.yaml")
			must.Do(t, os.WriteFile(copied, first.YAML(), 0o666))
			second := mustLoad(t, copied)
			if !reflect.DeepEqual(first, second) || string(first.YAML()) != string(second.YAML()) {
				t.Errorf("loaded\n%s\nfrom\n%s", second.YAML(), first.YAML())
			}
			if first.Identity() != second.Identity() || len(Diff(first, second)) > 0 {
				t.Errorf("identity changed: %q", Diff(first, second))
			}
		})
	}
}

func TestAFileOfAnotherKindIsNotReadToItsEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "big.yaml")
	must.Do(t, os.WriteFile(file, []byte(strings.Repeat("# comment\n", maxFileBytes/10+1)), 0o666))
	_, err := Load(file, Overrides{})
	must.Fail(t, err, file+": cannot read the config: larger than 1.0 MiB, the limit for such a file")
}

func TestAMessIsReportedOnOnePage(t *testing.T) {
	text := "experiment: {name: t}\n"
	for i := range 50 {
		text += fmt.Sprintf("key%d: x\n", i)
	}
	_, err := load("t.yaml", []byte(text), Overrides{})
	if err == nil || strings.Count(err.Error(), "\n") != 30 || !strings.HasSuffix(err.Error(), "\nt.yaml: and 20 more faults") {
		t.Errorf("got %v", err)
	}
}

// Each of these took long or much memory in some YAML parser.
func TestHostileYAMLIsRefusedWithLittleMemory(t *testing.T) {
	fill := func(unit string) string { return strings.Repeat(unit, maxFileBytes/len(unit)) }
	bomb := "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += fmt.Sprintf("%c: &%[1]c [*%[2]c, *%[2]c, *%[2]c, *%[2]c, *%[2]c, *%[2]c, *%[2]c, *%[2]c, *%[2]c]\n", c, c-1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"nested lists":     {fill("["), ":1: not YAML: exceeded max depth of 10000"},
		"nested mappings":  {fill("{a: "), ":1: not YAML: exceeded max depth of 10000"},
		"a bomb":           {bomb, "expands to more than 100000 values, the limit for a config"},
		"a loop":           {"a: &a [*a]", ":1: expands to more than 100000 values, the limit for a config"},
		"many documents":   {fill("--- 1\n"), "want"},
		"an endless text":  {`a: "` + fill("x")[10:], ":1: not YAML: found unexpected end of stream"},
		"equal keys":       {fill("a: 1\n"), "expands to more than 100000 values, the limit for a config"},
		"another encoding": {"\xff\xfea\x00", `:1: found "\xff\xfea\x00", want text in UTF-8`},
	} {
		must.BoundMemory(t, len(c.text)+maxNodes, 1000, func() {
			if _, err := load("/t/t.yaml", []byte(c.text), Overrides{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %.200v, want %q", name, err, c.want)
			}
		})
	}
}
