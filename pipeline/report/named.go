package report

import (
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/matching"
)

// tables lists the metrics of each named table.
var tables = []struct {
	name, subject string // the subject begins titles
	metrics       []string
}{
	{"matching", "Matching metrics", []string{
		"mma@3", "matching_score", "repeatability@3", "mma@1", "mma@5", "mma@10", "localization_error",
		"matches_per_pair", "inlier_share", "keypoints_per_image", "keypoint_spread", "bytes_per_descriptor",
	}},
	{"homography", "Homography accuracy and AUC", []string{
		"homography_accuracy@1", "homography_accuracy@3", "homography_accuracy@5", "homography_auc@3", "homography_auc@5",
	}},
	{"pose", "Relative poses", []string{
		"pose_auc@5", "pose_auc@10", "pose_auc@20", "pose_accuracy@5", "pose_accuracy@10", "pose_maa@10", "rotation_error_median", "translation_error_median",
		"epipolar_precision@5e-4", "epipolar_error_precision@5e-4", "epipolar_matching_score@5e-4", "matches_per_pair", "pairs_below_5_matches",
	}},
	{"classification", "Classification metrics", []string{
		"roc_auc", "average_precision", "fpr95", "eer", "best_youden_j", "best_accuracy", "pr_auc_trapezoid", "pr_auc_interpolated",
	}},
	{"tasks", "Metrics of tasks with distractors", []string{
		"keypoint_verification_ap", "keypoint_retrieval_ap",
		"bojanic_verification_ap", "bojanic_matching_map", "bojanic_retrieval_map",
	}},
	{"gallery", "Mean AP and galleries", []string{
		"true_map_micro", "coverage", "mean_gallery_size", "fixed_gallery_map", "fixed_gallery_queries", "fixed_gallery_pairs_left_out",
	}},
}

// SetsName is the name of the table of a metric by descriptor and keypoint set.
const SetsName = "sets"

// TableNames returns the names of the tables other than the default one of ranks.
func TableNames() []string {
	names := []string{TimesName, SetsName}
	for _, t := range tables {
		names = append(names, t.name)
	}
	return names
}

// Subject says what a table of results shows: of a named one, its subject; of a few chosen metrics,
// these.
func Subject(name string, chosen []*catalogue.Metric) string {
	for _, t := range tables {
		if t.name == name {
			return t.subject
		}
	}
	var metrics []string
	for _, m := range chosen {
		if m.IsKnown() && metrics == nil {
			metrics = []string{title(m)}
		} else if m.IsKnown() {
			metrics = append(metrics, m.Paper)
		}
	}
	if metrics == nil || len(metrics) > fewNames {
		return "Results"
	}
	return Listed(metrics)
}

// TableMetrics returns the metrics of a table, the most asked for first, or nil if
// there is no table of metrics of that name. Those of homographies and poses are of the given
// estimators, or of the usual ones.
func TableMetrics(name string, estimators []string) []string {
	homographies, poses := matching.ByKind(estimators)
	if homographies == nil {
		homographies = []string{matching.Ransac, matching.Magsac}
	}
	if poses == nil {
		poses = []string{matching.Essential}
	}
	var metrics, others []string
	for _, t := range tables {
		if t.name != name {
			continue
		}
		for _, e := range append(homographies, poses...) {
			for _, m := range t.metrics {
				if m := catalogue.Of(m); m.Open && (m.Of == catalogue.Poses) == slices.Contains(poses, e) {
					metrics = append(metrics, m.By(e).Name)
				}
			}
		}
		others = slices.DeleteFunc(slices.Clone(t.metrics), func(m string) bool { return catalogue.Of(m).Open })
	}
	return append(metrics, others...)
}
