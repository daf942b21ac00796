package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"descbench/eval"
)

// tables lists the metrics of each named table.
var tables = []struct {
	name    string
	metrics []string
}{
	{"matching", []string{
		"mma@1", "mma@3", "mma@5", "mma@10", "matching_score", "repeatability@3", "localization_error",
		"mutual_matches_per_pair", "inlier_share", "keypoints_per_image", "keypoint_spread", "bytes_per_descriptor",
	}},
	{"homography", []string{
		"ransac_homography_accuracy@1", "ransac_homography_accuracy@3", "ransac_homography_accuracy@5", "ransac_homography_auc@5",
		"magsac_homography_accuracy@1", "magsac_homography_accuracy@3", "magsac_homography_accuracy@5", "magsac_homography_auc@5",
	}},
	{"classification", []string{
		"roc_auc", "average_precision", "pr_auc_trapezoid", "pr_auc_interpolated", "eer", "fpr95", "best_youden_j", "best_accuracy",
	}},
	{"tasks", []string{
		"keypoint_verification_ap", "keypoint_retrieval_ap",
		"bojanic_verification_ap", "bojanic_matching_map", "bojanic_retrieval_map",
	}},
	{"gallery", []string{
		"true_map_micro", "coverage", "mean_gallery_size", "fixed_gallery_map", "fixed_gallery_queries", "fixed_gallery_pairs_left_out",
	}},
	{"patches", []string{
		"patch_verification_mean_imbalanced_ap", "patch_matching_map_mean", "patch_retrieval_map_20000_mean",
		"patch_classify_balanced_roc_auc", "patch_classify_imbalanced_average_precision",
		"patch_match_map_over_n", "patch_retrieve_patch_map_over_cluster",
	}},
}

// TableNames returns the names of the tables other than the default one of ranks.
func TableNames() []string {
	var names []string
	for _, t := range tables {
		names = append(names, t.name)
	}
	return names
}

// TableMetrics returns the metrics of a table, or nil if there is no table of
// that name.
func TableMetrics(name string) []string {
	for _, t := range tables {
		if t.name == name {
			return t.metrics
		}
	}
	return nil
}

// Figures is a table of selected metrics in one scope.
type Figures struct {
	Metrics []string
	Scope   string
	Rows    []FigureRow
}

// A FigureRow holds the metrics of one descriptor. Undefined metrics are absent.
type FigureRow struct {
	Descriptor string
	Metrics    map[string]eval.Metric
}

// Write prints the table with one line per descriptor: the value of each metric
// and its 95 % interval, if there is one. Shares are in per cent. Below the table
// it lists the metrics that no descriptor has.
func (f Figures) Write(out io.Writer) error {
	var absent []string
	header := []string{"descriptor"}
	var shown []string
	for _, name := range f.Metrics {
		if !slices.ContainsFunc(f.Rows, func(r FigureRow) bool { _, there := r.Metrics[name]; return there }) {
			absent = append(absent, name)
			continue
		}
		shown = append(shown, name)
		if isShare(name) {
			name += " %"
		}
		header = append(header, name)
	}
	if len(shown) == 0 {
		_, err := fmt.Fprintf(out, "scope %s: no descriptor has %s\n", f.Scope, strings.Join(absent, ", "))
		return err
	}
	cells := [][]string{header}
	for _, r := range f.Rows {
		line := []string{r.Descriptor}
		for _, name := range shown {
			m, there := r.Metrics[name]
			if !there {
				line = append(line, "undefined")
				continue
			}
			line = append(line, figureText(m))
		}
		cells = append(cells, line)
	}
	if err := writeAligned(out, cells); err != nil {
		return err
	}
	note := "scope " + f.Scope + "; 95 % intervals over scenes in brackets"
	if len(absent) > 0 {
		note += "; not computed or undefined: " + strings.Join(absent, ", ")
	}
	_, err := fmt.Fprintln(out, note)
	return err
}

// isShare reports whether a metric is a share, which is printed in per cent.
func isShare(name string) bool {
	_, d, _ := eval.Resolve(name)
	return d.IsShare()
}

func figureText(m eval.Metric) string {
	text := func(v float64) string {
		switch {
		case isShare(m.Name):
			return strconv.FormatFloat(100*v, 'f', 2, 64)
		case v == math.Trunc(v):
			return strconv.FormatFloat(v, 'f', 0, 64)
		}
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	if math.IsNaN(m.Low) {
		return text(m.Value)
	}
	return text(m.Value) + " [" + text(m.Low) + ", " + text(m.High) + "]"
}
