package config

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/distractors"
	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/eval/ranking"
	"descbench/keypoints"

	"go.yaml.in/yaml/v3"
)

// What a run is identified by is compared as Diff prints it.
func TestSetChangesOneValue(t *testing.T) {
	for file, changes := range map[string]map[string]string{
		"../../configs/demo.yaml": {
			"descriptors[sift].root=l1":                        "descriptors[sift].root: none -> l1",
			"descriptors[sift].pyramid=opencv":                 "descriptors[sift].pyramid: full -> opencv",
			"descriptors[rgbsift].pyramid=opencv":              "descriptors[rgbsift].pyramid: full -> opencv",
			"descriptors[rootsift].normalize=none":             "descriptors[rootsift].normalize: l2 -> none",
			"descriptors[sift].pooling.scales=0.85,1, 1.3":     "descriptors[sift].pooling: not set -> {type: domain_size, scales: [0.85, 1, 1.3], aggregate: mean, root_each: none, normalize_each: none}",
			"keypoint_sets[sift_2k].top.per_image=7":           "keypoint_sets[sift_2k].top.per_image: 2000 -> 7",
			"keypoint_sets[sift_2k].top.by=size":               "keypoint_sets[sift_2k].top.by: response -> size",
			"keypoint_sets[sift_2k].border=12":                 "keypoint_sets[sift_2k].border.px: 40 -> 12",
			"keypoint_sets[sift_2k].border.px=3":               "keypoint_sets[sift_2k].border.px: 40 -> 3",
			"keypoint_sets[sift_2k].border.rule=half_open":     "keypoint_sets[sift_2k].border.rule: closed -> half_open",
			"keypoint_sets[sift_2k].detect.nfeatures=9":        "keypoint_sets[sift_2k].detect.nfeatures: 0 -> 9",
			"keypoint_sets[sift_2k].project.bounds=image1":     "keypoint_sets[sift_2k].project: not set -> {from_image: 1, carry: position, bounds: image1}",
			"keypoint_sets[sift_2k].min_size=2.5":              "keypoint_sets[sift_2k].min_size: not set -> 2.5",
			"keypoint_sets[sift_2k].random.per_image=9":        "keypoint_sets[sift_2k].random: not set -> {per_image: 9, seed: 1}",
			"keypoint_sets[sift_2k].spatial.min_distance_px=3": "keypoint_sets[sift_2k].spatial: not set -> {min_distance_px: 3}",
			"evaluation.cutoffs=1,5, 20":                       "evaluation.cutoffs: [1, 5, 10] -> [1, 5, 20]",
			"evaluation.tolerance_px=2.5":                      "evaluation.tolerance_px: 3 -> 2.5",
			"evaluation.fixed_gallery.n=100":                   "evaluation.fixed_gallery: not set -> {n: 100, seed: 1}",
			"evaluation.workbench_tasks.hard_negatives=ignore": "evaluation.workbench_tasks: not set -> {distractor_scenes: 10, distractors_per_scene: 20, hard_negatives: ignore, seed: 42}",
			"evaluation.estimators=magsac, ransac":             "evaluation.estimators: [ransac, magsac] -> [magsac, ransac]",
			"evaluation.exclude_invalid=true":                  "evaluation.exclude_invalid: false -> true",
			"evaluation.exclude_invalid_truths=false":          "evaluation.exclude_invalid_truths: true -> false",
			"dataset.scenes=v_dogman,v_graffiti":               "dataset.scenes: [] -> [v_dogman, v_graffiti]",
			// Paths, labels and descriptions do not determine results, and defaults may be written out.
			"dataset.root=/elsewhere/scenes":           "",
			"output.root=/elsewhere/runs":              "",
			"output.database=/elsewhere/all.sqlite":    "",
			"experiment.description=another":           "",
			"descriptors[sift].label=Ours, α":          "",
			"descriptors[sift].normalize=l2":           "",
			"evaluation.ties=mean":                     "",
			"dataset.subset=all":                       "",
			"keypoint_sets[sift_2k].detect.sigma=1.60": "",
			"dataset.scenes=null":                      "",
			"dataset.subset=108":                       `dataset.subset: all -> "108"`,
			"experiment.name=2024":                     `experiment.name: demo -> "2024"`,
			`experiment.name="quoted"`:                 "experiment.name: demo -> quoted",
		},
		// Rows of bits have no norm.
		"testdata/files_only.good.yml": {
			"descriptors[d2-net].elements=bits":  "descriptors[d2-net].normalize: l2 -> none; descriptors[d2-net].elements: not set -> bits",
			"descriptors[d2-net].elements=uint8": "descriptors[d2-net].elements: not set -> uint8",
		},
		"testdata/akaze.good.yml": {
			"descriptors[bits].descriptor_type=kaze":   "descriptors[bits].descriptor_type: mldb -> kaze; descriptors[bits].normalize: none -> l2",
			"descriptors[floats].descriptor_type=mldb": "descriptors[floats].descriptor_type: kaze -> mldb; descriptors[floats].normalize: l2 -> none",
		},
	} {
		for set, want := range changes {
			before, after := mustLoad(t, file), mustLoad(t, file, set)
			if got := strings.Join(Diff(before, after), "; "); got != want {
				t.Errorf("--set %s: got %s, want %s", set, got, want)
			}
			if same := before.Identity() == after.Identity(); same != (want == "") {
				t.Errorf("--set %s: same identity %v", set, same)
			}
		}
	}
}

func TestSetChangesWhatDoesNotIdentifyARunOrWhatFollowsFromAValue(t *testing.T) {
	for set, holds := range map[string]func(c *Config) bool{
		"dataset.root=scenes":                             func(c *Config) bool { return c.Dataset.Root == here(t, "../../configs/scenes") },
		"output.database=all.sqlite":                      func(c *Config) bool { return c.Output.Database == here(t, "../../configs/all.sqlite") },
		"experiment.description=a: b # c":                 func(c *Config) bool { return c.Experiment.Description == "a: b # c" },
		"experiment.description=x=y":                      func(c *Config) bool { return c.Experiment.Description == "x=y" },
		"evaluation.preset=workbench":                     func(c *Config) bool { return c.Evaluation.Ties == ranking.Workbench },
		"keypoint_sets[sift_2k].detect.n_octave_layers=4": func(c *Config) bool { return c.Descriptors[0].Params.Int("n_octave_layers") == 4 },
	} {
		before, after := mustLoad(t, "../../configs/demo.yaml"), mustLoad(t, "../../configs/demo.yaml", set)
		if !holds(after) || holds(before) {
			t.Errorf("--set %s had another effect, or the config has this value without it:\n%s", set, after.YAML())
		}
	}
}

func TestSetGivesOneOrSeveralNumbersToTheSameKey(t *testing.T) {
	c := mustLoad(t, "testdata/every_step.good.yml", "descriptors[net].patches.mean=1", "descriptors[net].patches.std=1,2,3.5", "descriptors[fused].of=dspsift,wide")
	cut, again := c.Descriptors[5].Command.Patches, must.Get(Parse("again.yaml", c.YAML()))(t)
	if !reflect.DeepEqual(cut.Mean, []float64{1}) || !reflect.DeepEqual(cut.Std, []float64{1, 2, 3.5}) || !reflect.DeepEqual(c.Descriptors[4].Fusion.Of, []string{"dspsift", "wide"}) || !reflect.DeepEqual(c, again) {
		t.Errorf("got\n%s", c.YAML())
	}
}

// The later value holds, "" is no database, and names may hold what keys are made of.
func TestSeveralValuesAreSetInTheirOrder(t *testing.T) {
	c := mustLoad(t, "testdata/everything.good.yml", "evaluation.ties=strict", "descriptors[group/root-sift_1.0].root=l1", "output.database=",
		"keypoint_sets[base.a].detect.sigma=1.2", "evaluation.ties=mean", "descriptors[group/root-sift_1.0].root=none")
	if c.Evaluation.Ties != ranking.Mean || c.Descriptors[0].Root != descriptors.NoNorm || c.Output.Database != "" {
		t.Errorf("got\n%s", c.YAML())
	}
}

func TestAVariableSwitchesASectionOn(t *testing.T) {
	c, err := Load("../../configs/demo.yaml", Overrides{
		Env: []string{"DESCBENCH_EVALUATION_FIXED_GALLERY_N=9", "DESCBENCH_EVALUATION_BOJANIC_2019_SEED=3", "DESCBENCH_EVALUATION_EXCLUDE_BEYOND_PX=7.5"},
		Set: []string{"evaluation.fixed_gallery.n=10"},
	})
	must.Do(t, err)
	e := c.Evaluation
	if !reflect.DeepEqual(e.FixedGallery, &FixedGallery{10, 1}) || !reflect.DeepEqual(e.Bojanic2019, &distractors.Bojanic{N: 100, Repetitions: 5, Seed: 3}) || e.ExcludeBeyondPx != 7.5 || e.WorkbenchTasks != nil {
		t.Errorf("got\n%s", c.YAML())
	}
}

func TestSetTakesListsAndMappings(t *testing.T) {
	got := mustLoad(t, "../../configs/demo.yaml",
		"evaluation.cutoffs=[1, 5]", "dataset.scenes=[v_a, \"108\"]", "evaluation.fixed_gallery={n: 100}", "evaluation.fixed_gallery.seed=3",
		"descriptors[sift].pooling={scales: [1, 2], aggregate: concatenate}", "keypoint_sets[sift_2k].top={by: size, total: 9}",
		"output={database: x.sqlite}", "experiment.description=[a] {b}")
	want := mustLoad(t, "../../configs/demo.yaml",
		"evaluation.cutoffs=1,5", "dataset.scenes=v_a,108", "evaluation.fixed_gallery.n=100", "evaluation.fixed_gallery.seed=3",
		"descriptors[sift].pooling.scales=1,2", "descriptors[sift].pooling.aggregate=concatenate", "output.database=x.sqlite", `experiment.description="[a] {b}"`)
	want.KeypointSets[0].Top = &Top{By: keypoints.BySize, Total: 9}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got.YAML(), want.YAML())
	}
	for _, path := range []string{"{root}/{scene}/{image}.npz", "{root}/x/{scene}/{image}"} {
		if c := mustLoad(t, "testdata/files_only.good.yml", "descriptors[d2-net].path="+path); !strings.Contains(string(c.YAML()), " "+path+"\n") && !strings.Contains(string(c.YAML()), "'"+path+"'\n") {
			t.Errorf("%s: got\n%s", path, c.YAML())
		}
	}
	c, err := Load("../../configs/demo.yaml", Overrides{
		Set: []string{"evaluation={tolerance_px: 2}", "evaluation.cutoffs=7"}, Env: []string{"DESCBENCH_EVALUATION_TIES=strict", "DESCBENCH_OUTPUT_DATABASE=x"},
	})
	if e := (Evaluation{Options: ranking.Options{TolerancePx: 2, Ties: ranking.Mean, Relevance: ranking.NearestRelevant, Cutoffs: []int{7}, ExcludeInvalidTruths: true}, Estimators: []string{"ransac", "magsac"}, Draws: matching.Draws{Homographies: 5, Poses: 1}}); err != nil || !reflect.DeepEqual(c.Evaluation, e) || c.Output.Database == "" {
		t.Errorf("got %v\n%s", err, c.YAML())
	}
}

func TestABadSetIsRefusedByItsText(t *testing.T) {
	for set, want := range map[string]string{
		"foo":                               "want key=value, e.g. evaluation.ties=strict or 'descriptors[sift].root=l1'",
		"=3":                                "want key=value, e.g. evaluation.ties=strict or 'descriptors[sift].root=l1'",
		"descriptors[sift.root=l1":          "want key=value, e.g. evaluation.ties=strict or 'descriptors[sift].root=l1'",
		"descriptors[sift].root=l3":         `descriptors[sift].root: found "l3", want one of none, l1 (did you mean l1?)`,
		"descriptors[sfit].root=l1":         `descriptors: found no item with the name "sfit", want one of sift, rootsift, rgbsift (did you mean sift?)`,
		"descriptors.sift.root=l1":          "descriptors: found a list, want the name of an item: descriptors[NAME]",
		"descriptors[sift]=x":               "descriptors[sift]: want a key of this item: descriptors[sift].KEY=x",
		"descriptors=x":                     `descriptors: found "x", want a list of at least one descriptor`,
		"dataset[sift].root=x":              "dataset: found a mapping, want a list",
		"descriptor[sift].root=l1":          "descriptor: unknown key, want one of experiment, dataset, keypoint_sets, descriptors, variants, evaluation, output (did you mean descriptors?)",
		"evaluation[x].ties=x":              "evaluation: found nothing, want a list",
		"experiment.name.first=x":           `experiment.name: found "demo", want a mapping`,
		"evaluation.tie=mean":               "evaluation.tie: unknown key, want one of preset, tolerance_px, ties, relevance, cutoffs, exclude_invalid, exclude_invalid_truths, exclude_beyond_px, fixed_gallery, bojanic_2019, workbench_tasks, shared_top_k, shared_region, matcher, estimators, own_estimators, estimator_draws, pose_draws (did you mean ties?)",
		"tolerance_px=5":                    "tolerance_px: unknown key, want one of experiment, dataset, keypoint_sets, descriptors, variants, evaluation, output (did you mean evaluation.tolerance_px?)",
		"dataset.root=${HOME}/x":            "dataset.root: found \"${HOME}/x\", want a path without ~ and variables, which only a shell expands, as in --set and --data",
		"eval.ties=mean":                    "eval: unknown key, want one of experiment, dataset, keypoint_sets, descriptors, variants, evaluation, output",
		"evaluation.cutoffs=1,x":            `evaluation.cutoffs: found "x", want a whole number from 1 to 2^31-1`,
		"evaluation.cutoffs=1e1":            "evaluation.cutoffs: found 1e1, want a whole number from 1 to 2^31-1, written with digits only",
		"evaluation.tolerance_px=5,3":       `evaluation.tolerance_px: found "5,3", want a number above 0 and at most 10 (decimals with a point; several values: eval --sweep)`,
		"evaluation.fixed_gallery={n: 4,5}": "evaluation.fixed_gallery.5: unknown key, want one of n, seed; a comma ends a value: write decimals with a point",
		"evaluation.cutoffs=":               "evaluation.cutoffs: found 0 whole numbers, want at least 1",
		"evaluation.tolerance_px=":          "evaluation.tolerance_px: found nothing, want a number above 0 and at most 10",
		"dataset.scenes=":                   "dataset.scenes: found nothing, want names, or null for all scenes",
		"dataset.scenes=[]":                 "dataset.scenes: found nothing, want names, or null for all scenes",
		"dataset.scenes=a,,b":               "dataset.scenes: found nothing, want the name of a scene's folder",
		"keypoint_sets[sift_2k].from=x":     "keypoint_sets[sift_2k]: found detect and from, want exactly one of detect, from, intersect, import",
		"experiment.description=\xff":       `experiment.description: found "\xff", want text in UTF-8`,
		"dataset.root=":                     "dataset.root: found nothing, want a path",
		"evaluation.cutoffs=[1,5":           `evaluation.cutoffs: found "[1", want a whole number from 1 to 2^31-1`,
		"evaluation.ties=[mean]":            "evaluation.ties: found a list, want one of mean, strict, workbench",
	} {
		_, err := Load("../../configs/demo.yaml", Overrides{Set: []string{set}})
		text := "--set " + printable(set) + ": " + want
		must.Fail(t, err, text)
	}
}

func TestTheEnvironmentSetsSettings(t *testing.T) {
	c, err := Load("../../configs/demo.yaml", Overrides{Env: []string{
		"PATH=/bin", "DESCBENCH_EVALUATION_TOLERANCE_PX=2", "DESCBENCH_EVALUATION_TIES=strict", "DESCBENCH_DATASET_SUBSET=108",
		"DESCBENCH_DATASET_ROOT=scenes", "DESCBENCH_DATASET_SCENES=v_a,i_b", "DESCBENCH_EVALUATION_CUTOFFS=3", "DESCBENCH_OUTPUT_DATABASE=/d.sqlite",
		"DESCBENCH_EXPERIMENT_NAME=7", "DESCBENCH_EVALUATION_RELEVANCE=", "DESCBENCH_REAL_DATA=x", "DESCBENCH_CACHE=x", "DESCBENCH_TEST_ANYTHING=x",
	}})
	must.Do(t, err)
	if e := (Evaluation{Options: ranking.Options{TolerancePx: 2, Ties: ranking.Strict, Relevance: "nearest", Cutoffs: []int{3}, ExcludeInvalidTruths: true}, Estimators: []string{"ransac", "magsac"}, Draws: matching.Draws{Homographies: 5, Poses: 1}}); !reflect.DeepEqual(c.Evaluation, e) {
		t.Errorf("got %+v, want %+v", c.Evaluation, e)
	}
	if d := (Dataset{Root: here(t, "../../configs/scenes"), Scenes: []string{"v_a", "i_b"}, Subset: "108", MaxMegapixels: 40}); !reflect.DeepEqual(c.Dataset, d) {
		t.Errorf("got %+v, want %+v", c.Dataset, d)
	}
	if c.Output.Database != "/d.sqlite" || c.Experiment.Name != "7" {
		t.Errorf("got %+v, %+v", c.Output, c.Experiment)
	}
}

func TestABadVariableIsRefusedByItsName(t *testing.T) {
	for variable, want := range map[string]string{
		"DESCBENCH_EVALUATION_TIES=average":     `DESCBENCH_EVALUATION_TIES: evaluation.ties: found "average", want one of mean, strict, workbench`,
		"DESCBENCH_EVALUATION_TOLERANCE_PX=":    "",
		"DESCBENCH_EVALUATION_TOLERANCE_PX=NaN": `DESCBENCH_EVALUATION_TOLERANCE_PX: evaluation.tolerance_px: found "NaN", want a number above 0 and at most 10`,
		"DESCBENCH_TIES=mean":                   "DESCBENCH_TIES: unknown environment variable, want a key of a config, as in DESCBENCH_DATASET_ROOT, or one of DESCBENCH_DATA, ",
		"DESCBENCH_EVALUATION_TYES=mean":        "(did you mean DESCBENCH_EVALUATION_TIES?)",
		"DESCBENCH_DESCRIPTORS=x":               "DESCBENCH_DESCRIPTORS: unknown environment variable, want a key of a config, as in DESCBENCH_DATASET_ROOT, or one of DESCBENCH_DATA, ",
		"DESCBENCH_CASHE=x":                     "(did you mean DESCBENCH_CACHE?)",
	} {
		_, err := Load("../../configs/demo.yaml", Overrides{Env: []string{variable}})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got  %v\nwant %s", variable, err, want)
		}
	}
}

func TestFaultsOfTheFileComeBeforeThoseOfTheOverrides(t *testing.T) {
	_, err := Load("testdata/unknown_ties.bad.yml", Overrides{
		Set: []string{"descriptors[d].root=l3"},
		Env: []string{"DESCBENCH_EVALUATION_CUTOFFS=x"},
	})
	var starts []string
	for line := range strings.Lines(err.Error()) {
		starts = append(starts, strings.SplitN(line, ":", 2)[0])
	}
	want := []string{filepath.FromSlash("testdata/unknown_ties.bad.yml"), "--set descriptors[d].root=l3", "DESCBENCH_EVALUATION_CUTOFFS"}
	if !reflect.DeepEqual(starts, want) {
		t.Errorf("got %q, want %q", starts, want)
	}
}

// Every key occurs in a good file, as another test shows.
func TestEveryKeyCanBeSet(t *testing.T) {
	for _, file := range goodFiles(t) {
		var root yaml.Node
		must.Do(t, yaml.Unmarshal(mustLoad(t, file).YAML(), &root))
		for _, key := range valuesIn("", root.Content[0]) {
			if key == "experiment.description" { // takes any text
				continue
			}
			_, err := Load(file, Overrides{Set: []string{key + "=\x00"}})
			if err == nil || strings.Contains(err.Error(), "unknown key") || !strings.Contains(err.Error(), key) {
				t.Errorf("%s: %s: got %v", file, key, err)
			}
		}
	}
}

// valuesIn returns the full keys of all values in a tree.
func valuesIn(key string, n *yaml.Node) []string {
	var all []string
	switch {
	case n.Kind == yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			all = append(all, valuesIn(within(key, n.Content[i].Value), n.Content[i+1])...)
		}
	case n.Kind == yaml.SequenceNode && isNamed(n):
		for _, item := range n.Content {
			all = append(all, valuesIn(key+"["+nameOf(item).Value+"]", item)...)
		}
	default:
		all = append(all, key)
	}
	return all
}
