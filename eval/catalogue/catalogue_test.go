package catalogue_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/binary"
	"descbench/eval/catalogue"
	"descbench/eval/distractors"
	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/eval/patches/y2017"
	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/eval/stats"
	"descbench/keypoints"
)

// reported returns the names of all metrics that this module reports, the
// numbers of cut-offs replaced by K.
func reported(t *testing.T) map[string]string {
	t.Helper()
	names := make(map[string]string)
	add := func(group string, list []scope.Metric) {
		for _, m := range list {
			name := m.Name
			if i := strings.LastIndex(name, "_at_"); i >= 0 {
				name = name[:i] + "_at_K"
			}
			if i := strings.Index(name, "@"); i >= 0 {
				name = name[:i] + "@K"
			}
			name = strings.TrimSuffix(name, "_std")
			name = strings.NewReplacer("ransac_0.5px_", "ESTIMATOR_", "dlt_", "ESTIMATOR_", "ransac_", "ESTIMATOR_", "magsac_", "ESTIMATOR_", "essential_", "ESTIMATOR_").Replace(name)
			names[name] = group
		}
	}
	a := ranking.NewAccumulator("d", ranking.Options{TolerancePx: 3, Cutoffs: []int{1, 10}, FixedGallery: true})
	quality := matching.NewAccumulator("d", matching.Mutual, 3)
	addTo := func(accumulate func(record.Records) error, pair record.Pair, query record.Query) {
		records := must.Get(record.NewRecords(pair, []record.Query{query}))(t)
		must.Do(t, accumulate(records))
	}
	for _, scene := range []string{"v_a", "i_b", "other"} {
		pair := record.Pair{Descriptor: "d", Scene: scene, K: 2, Keypoints1: 1, KeypointsK: 1, Width1: 1, Height1: 1, WidthK: 1, HeightK: 1}
		pair.SetHomography([9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
		query := record.Query{Descriptor: "d", Scene: scene, K: 2, TruthError: 1, NearestError: 1, Second: -1, Candidates: 1}
		addTo(a.Add, pair, query)
		pair.Shared1, pair.SharedK, pair.Repeated1, pair.RepeatedK = 1, 2, 1, 1
		pair.Correspondences, pair.CornerErrors = 1, `{"dlt":0.5,"ransac_0.5px":null}`
		pair.KeynetKeypoints = 1
		pair.KeypointsK, query.Mutual, query.Shared, query.Second, query.SecondDistance = 2, true, true, 1, 1
		addTo(quality.Add, pair, query)
		pair.K, query.K = 3, 3
		k := keypoints.Intrinsics{1, 1, 0, 0}
		pair.SetMapping(keypoints.Space(keypoints.Cameras{First: k, Other: k, Pose: keypoints.Pose{R: keypoints.Identity}}, [2]int{1, 1}, [2]int{1, 1}))
		pair.CornerErrors, pair.PoseErrors = "", `{"essential":[[1,2]]}`
		addTo(quality.Add, pair, query)
	}
	add("ranking", a.Result().Metrics)
	invalid := ranking.NewAccumulator("d", ranking.Options{TolerancePx: 3})
	for i, scene := range []string{"v_a", "v_b"} { // of two queries, one is invalid
		addTo(invalid.Add, record.Pair{Descriptor: "d", Scene: scene, K: 2, Keypoints1: 1, KeypointsK: 1, Invalid1: int32(i)},
			record.Query{Descriptor: "d", Scene: scene, K: 2, TruthError: 1, Nearest: int32(-i), NearestError: 1, Second: -1, Candidates: 1, Invalid: i == 1})
	}
	add("ranking", invalid.Result().Metrics)
	add("matching", quality.Result().Metrics)
	tasks := distractors.NewAccumulator("d", distractors.Protocols{
		Workbench: &distractors.Workbench{TolerancePx: 3, DistractorsPerScene: 1, HardNegatives: "count"},
		Bojanic:   &distractors.Bojanic{N: 1, Repetitions: 2},
	})
	for _, scene := range []string{"v_a", "i_b"} {
		workbench := []distractors.WorkbenchRecord{{
			Descriptor: "d", Scene: scene, VerificationAP: 1, TruePositives: 1, HardNegatives: 1,
			Queries: 1, RetrievalQueries: 1, RetrievalAPSum: 1, RetrievalAPSumIgnoring: 1, PoolScenes: 1,
		}}
		var records []distractors.BojanicRecord
		for r := range int32(2) {
			records = append(records,
				distractors.BojanicRecord{Descriptor: "d", Scene: scene, Repetition: r, K: 2, Correct: true, Distance: 1, AP: math.NaN()},
				distractors.BojanicRecord{Descriptor: "d", Scene: scene, Repetition: r, K: 0, AP: 1, Distance: math.NaN()})
		}
		must.Do(t, tasks.Add(scene, workbench, records))
	}
	metrics, _, err := tasks.Result(t.Context(), 1)
	must.Do(t, err)
	add("tasks", metrics)
	var samples binary.Samples
	samples.Add(true, 1, 3)
	samples.Add(false, 2, 4)
	curve := samples.Curve()
	add("classification", curve.Summary().Metrics("all", stats.NoInterval(), stats.NoInterval()))
	for _, r := range binary.Ratios {
		names[r.Name] = "classification"
	}
	for _, m := range patchFigures(t) {
		names[patchPattern(m.Name)] = "patches"
	}
	return names
}

// patchFigures returns what the tasks of the patch benchmark report.
func patchFigures(t *testing.T) []scope.Metric {
	t.Helper()
	images := map[string]*descriptors.Matrix{}
	for _, image := range patches.Images(y2017.Noises()...) {
		images[image] = &descriptors.Matrix{Rows: 1, Dim: 1, Type: descriptors.Uint8, Uint8: []uint8{1}}
	}
	names := []string{"i_a", "v_b"}
	set := must.Get(patches.NewSet("some", map[string]map[string]*descriptors.Matrix{names[0]: images, names[1]: images}))(t)
	pairs := slices.Repeat([]y2017.Pair{{B: y2017.Patch{Image: 1}}}, 5)
	r := must.Get((&y2017.Input{
		Set: set, Sequences: []y2017.Sequence{{Name: names[0], Patches: 1}, {Name: names[1], Patches: 1}}, Positive: pairs, Inter: pairs, Intra: pairs,
		Queries: []y2017.Patch{{}}, Distractors: []y2017.Patch{{Sequence: 1}},
	}).Evaluate(t.Context(), y2017.Options{Protocol: y2017.M17, Distance: patches.L2}))(t)
	classified := y2016.EvaluateClassification(&y2016.Results{Positive: true, Distances: []float64{1}}, &y2016.Results{Distances: []float64{2}}).Metrics()
	matched := must.Get(y2016.EvaluateMatching([]y2016.Matches{{Nearest: []int32{0}, Distance: []float64{1}, SecondDistance: []float64{2}}}, nil))(t)
	b := must.Get(y2016.ReadRetrievalBenchmark("b", strings.NewReader("i_a.ref,i_a.e1\ni_a.ref.0\n")))(t)
	retrieved := must.Get(y2016.EvaluateRetrieval(b, b.SamePlace(), [][]patches.Signature{b.Queries}, set))(t)
	return slices.Concat(r.Metrics, classified, matched.Metrics(), retrieved.Metrics())
}

// patchPattern puts the words in capitals in the place of what they stand for.
func patchPattern(name string) string {
	parts := strings.Split(name, "_")
	last := len(parts) - 1
	for i, part := range parts {
		_, err := strconv.Atoi(part)
		switch {
		case part == "e" || part == "h" || part == "t" || part == "mean" && (i == last || parts[1] == "verification"):
			parts[i] = "NOISE"
		case part == "inter" || part == "intra":
			parts[i] = "KIND"
		case parts[1] == "classify" && i == 2:
			parts[i] = "PROTOCOL"
		case err == nil && parts[i-1] != "first":
			parts[i] = "SIZE"
		}
	}
	return strings.Join(parts, "_")
}

func TestEveryReportedMetricIsDefinedAndEveryDefinedOneIsReported(t *testing.T) {
	names := reported(t)
	for name, group := range names {
		example := name
		for word, part := range map[string]string{"NOISE": "t", "KIND": "intra", "ESTIMATOR": "magsac_1px", "PROTOCOL": "imbalanced", "SIZE": "15000"} {
			example = strings.ReplaceAll(example, word, part)
		}
		if m := catalogue.Of(example); m.Family != name || m.Group != group || m.Name != example {
			t.Errorf("%s of group %s: defined is %s, %+v", example, group, m.Name, m)
		}
	}
	for _, d := range catalogue.All() {
		if names[d.Name] == "" {
			t.Errorf("%s is defined, but never reported", d.Name)
		}
	}
}

func TestEveryDefinitionIsCompleteAndNamesAreUsedOnce(t *testing.T) {
	seen := make(map[string]string)
	for _, d := range catalogue.All() {
		for what, text := range map[string]string{
			"name": d.Name, "group": d.Group, "what": d.What, "range": d.Range, "source": d.Source, "use": d.Use, "avoid": d.Avoid,
		} {
			if text == "" || strings.ContainsAny(text, "\n\t") || strings.TrimSpace(text) != text {
				t.Errorf("%s: %s is %q, want one line", d.Name, what, text)
			}
		}
		if d.Better != "higher" && d.Better != "lower" && d.Better != "" {
			t.Errorf("%s: better is %q", d.Name, d.Better)
		}
		names := []string{d.Name}
		if d.Short != "" {
			names = append(names, d.Short)
		}
		if d.Also != "" {
			names = append(names, strings.Split(d.Also, ", ")...)
		}
		for _, name := range names {
			if seen[name] != "" {
				t.Errorf("%s is a name of %s and of %s", name, seen[name], d.Name)
			}
			seen[name] = d.Name
		}
	}
}

func TestMetricsAreFoundByTheirNamesWithANumberAndByOtherNames(t *testing.T) {
	for name, want := range map[string]string{
		"precision_at_5": "precision_at_K", "precision_at_K": "precision_at_K", "recall_at_1000": "recall_at_K",
		"true_map_macro": "true_map_macro_by_scene", "sensitivity": "true_positive_rate", "recall": "true_positive_rate",
		"patch_matching_map_h": "patch_matching_map_NOISE", "patch_retrieval_map_500_mean": "patch_retrieval_map_SIZE_NOISE",
		"patch_matching_map_NOISE": "patch_matching_map_NOISE", "patch_matching_map_x": "", "patch_retrieval_map_50_e": "",
		"mma@3": "mma@K", "ratio_recall@0.80": "ratio_recall@K", "mma@": "", "mma@1e3": "", "epipolar_precision@5e-4": "epipolar_precision@K", "Epipolar_precision@5E-4": "epipolar_precision@K", "epipolar_precision@e-4": "", "essential_0.5px_superglue_pose_auc@5_std": "ESTIMATOR_pose_auc@K", "own_pose_pose_2px_pose_auc@5": "ESTIMATOR_pose_auc@K", "own_homography_homography_homography_auc@3": "ESTIMATOR_homography_auc@K", "own_pose_auc@5": "", "mma": "", "precision_at_": "", "precision_at_05": "", "precision_at_x": "", "precision_at_5x": "", "": "", "mapp": "",
	} {
		_, err := catalogue.Resolve(name)
		if m := catalogue.Of(name); m.Family != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", name, m.Family, err, want)
		}
	}
}

func TestNamesInTablesStandForMetrics(t *testing.T) {
	for name, want := range map[string]string{
		"map": "true_map_micro", "map_macro": "true_map_macro_by_scene", "map_including_zeros": "true_map_micro_including_zeros",
		"homography_auc@3": "ESTIMATOR_homography_auc@3", "DLT_homography_auc@3": "dlt_homography_auc@3",
		"mAP micro": "true_map_micro", "micro": "true_map_micro", "macro": "true_map_macro_by_scene", "Macro": "true_map_macro_by_scene",
		"viewpoint": "viewpoint_map", "illumination": "illumination_map", "illumin.": "illumination_map",
		"with zeros": "true_map_micro_including_zeros", "with-zeros": "true_map_micro_including_zeros",
		"hit@1": "precision_at_1", "hit@10": "precision_at_10", "hit@K": "precision_at_K", "gallery": "mean_gallery_size",
		"mean_matching_accuracy@3": "mma@3", "Ratio-Recall@0.80": "ratio_recall@0.80", "epi_prec@1E-3": "epipolar_error_precision@1e-3", "pose_auc@5": "ESTIMATOR_pose_auc@5",
		"bojanic_matching_map_std": "bojanic_matching_map_std", "patch_retrieval_map_SIZE_e": "patch_retrieval_map_SIZE_e",
	} {
		if got := catalogue.Of(name); got.Name != want || got != catalogue.Of(want) {
			t.Errorf("%q: got %q, want %q, as one metric", name, got.Name, want)
		}
	}
}

func TestUnknownMetricsGetASuggestion(t *testing.T) {
	for name, want := range map[string]string{
		"true_map_mikro": ` (did you mean map?)`, "mapp": ` (did you mean map?)`, "macroo": ` (did you mean map_macro?)`, "viewpont": ` (did you mean viewpoint_map?)`, "ht@1": ` (did you mean hit@K?)`,
		"Accuracy@": ` (did you mean mma@K or ESTIMATOR_homography_accuracy@K or ESTIMATOR_pose_accuracy@K?)`, "tpr": ` (did you mean true_positive_rate?)`, "colour": "", "": "",
	} {
		want = fmt.Sprintf("no metric %q%s; descbench metrics lists all", name, want)
		_, err := catalogue.Resolve(name)
		must.Fail(t, err, want)
	}
}

func TestAWordStandsForWhatThereIs(t *testing.T) {
	among := []string{"map", "map_macro", "viewpoint_map", "hit@1", "hit@5", "mma@3", "magsac_homography_auc@3", "ransac_1px_homography_auc@3", "scenes"}
	for word, want := range map[string]string{
		"map": "map", "Micro": "map", "true_map_macro_by_scene": "map_macro", "viewpoint": "viewpoint_map", "precision_at_5": "hit@5", "hit@K": "hit@1 hit@5",
		"homography_auc@3": "magsac_homography_auc@3 ransac_1px_homography_auc@3", "Scenes": "scenes",
		"ma":                   `no "ma" (did you mean map or map_macro or viewpoint_map or mma@3?), want one of ` + strings.Join(among, ", "), // mean_matching_accuracy@3 has it, too
		"homography_auc@5":     `no "homography_auc@5" (did you mean magsac_homography_auc@3 or ransac_1px_homography_auc@3?), want one of ` + strings.Join(among, ", "),
		"dlt_homography_auc@3": `no "dlt_homography_auc@3" (did you mean homography_auc@3?), want one of ` + strings.Join(among, ", "),
		"hit@7":                `no "hit@7" (did you mean hit@1 or hit@5?), want one of ` + strings.Join(among, ", "),
		"roc_auc":              `no "roc_auc", want one of ` + strings.Join(among, ", "),
	} {
		found, err := catalogue.Find(word, among)
		if err != nil {
			found = []string{err.Error()}
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s: got %s\nwant %s", word, got, want)
		}
	}
}

func TestAMetricIsOpenWhileItHasVariables(t *testing.T) {
	for name, want := range map[string]bool{
		"precision_at_K": true, "hit@k": true, "precision_at_5": false, "coverage": false,
		"patch_retrieval_map_SIZE_NOISE": true, "patch_retrieval_map_SIZE_e": true, "patch_retrieval_map_500_e": false,
	} {
		if m := catalogue.Of(name); !m.IsKnown() || m.Open != want {
			t.Errorf("%s: open is %v, want %v", name, m.Open, want)
		}
	}
}

func TestMetricsHaveUnits(t *testing.T) {
	for name, want := range map[string]catalogue.Unit{
		"true_map_micro": catalogue.Share, "fixed_gallery_map": catalogue.Share, "mma@3": catalogue.Share, "coverage": catalogue.Share,
		"keypoint_retrieval_ap": catalogue.Share, "patch_matching_map_mean": catalogue.Share, "ransac_homography_accuracy@3": catalogue.Share,
		"total_matches": catalogue.Count, "mean_gallery_size": catalogue.Count, "bytes_per_descriptor": catalogue.Count,
		"localization_error": catalogue.Pixels, "youden_j": catalogue.Measure, "matches_per_pair": catalogue.MeanCount, "keynet_overlap_error": catalogue.Measure,
	} {
		if m := catalogue.Of(name); !m.IsKnown() || m.Unit != want {
			t.Errorf("%s: unit %v, want %v", name, m.Unit, want)
		}
	}
	for _, d := range catalogue.All() {
		if of := strings.TrimPrefix(d.Range, "above "); (d.Unit == catalogue.Share) != strings.HasPrefix(of, "0 to 1") || (d.Unit == catalogue.Pixels) != strings.HasSuffix(of, " px") {
			t.Errorf("%s: unit %v, range %q", d.Name, d.Unit, d.Range)
		}
	}
}

// What a name says is not read out of it anywhere else.
func TestAMetricHasTheValuesOfItsName(t *testing.T) {
	for name, want := range map[string]string{
		"hit@5":                         "hit@5, hit@5, K 5, estimator , tolerant true, std false",
		"ransac_0.5px_homography_auc@3": "ransac_0.5px_homography_auc@3, RANSAC 0.5px homography AUC@3, K 3, estimator ransac_0.5px, tolerant true, std false",
		"dlt_wh_homography_auc@3_std":   "dlt_wh_homography_auc@3_std, DLT wh homography AUC@3, standard deviation, K 3, estimator dlt_wh, tolerant false, std true",
		"homography_auc@3":              "homography_auc@3, homography AUC@3, K 3, estimator , tolerant true, std false",
		"patch_matching_map_mean":       "patch_matching_map_mean, matching mAP, mean over noise levels, K 0, estimator , tolerant true, std false",
		"scenes":                        "scenes, scenes, K 0, estimator , tolerant true, std false",
	} {
		m := catalogue.Of(name)
		if got := fmt.Sprintf("%s, %s, K %g, estimator %s, tolerant %v, std %v", m.Short, m.Paper, m.K, m.Estimator, m.Tolerant(), m.Std); got != want {
			t.Errorf("%s: got %s\nwant %s", name, got, want)
		}
	}
	if higher, std := catalogue.Of("bojanic_matching_map"), catalogue.Of("bojanic_matching_map_std"); higher.Better != "higher" || std.Better != "" || std.Needs != higher.Needs {
		t.Errorf("%+v and %+v", higher, std)
	}
}
