// Package charts turns folded runs into the charts of a report: which figures there
// are, in which order, what they show and what their captions say.
package charts

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/matching"
	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// A Chart is one figure of a report.
type Chart struct {
	ID      string        `json:"id"`      // names files: letters, digits and underscores
	Title   string        `json:"title"`   // one line
	Caption Caption       `json:"caption"` // what is shown, of which scenes, under which protocol
	Kind    string        `json:"kind"`    // of the figure, of a report of runs
	Figure  figure.Figure `json:"figure"`

	Setup    []string `json:"-"` // sentences of a figure of its own, for the text of a paper, as those of a table
	Warnings []string `json:"-"` // of a figure of its own
	in       string   // its scope
	said     []string // Caption without what others of its scope share
	spread   spread
}

// A Caption is plain text in sentences; in JSON, they are one text.
type Caption []string

// String returns the text.
func (c Caption) String() string {
	return strings.Join(slices.DeleteFunc(slices.Clone(c), func(s string) bool { return s == "" }), " ")
}

// MarshalJSON encodes the text.
func (c Caption) MarshalJSON() ([]byte, error) { return json.Marshal(c.String()) }

// A drawing is a figure of a scope with sentences about it.
type drawing struct {
	figure.Figure
	said   []string
	spread spread
}

// A spread is how a figure shows the intervals of values; "" if it does not.
type spread string

const (
	intervals spread = "Intervals"
	bands     spread = "Bands"
)

type builder = func(ctx context.Context, d *data) (drawing, error)

// An Omission is a chart that the runs lack the data for.
type Omission struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Why   string `json:"why"`
}

// A System is a descriptor of a run.
type System struct {
	Index int    `json:"index"` // among all systems of all runs
	Name  string `json:"name"`  // as in all charts: the descriptor, or RUN:descriptor if several runs have it
}

// Options select what charts show.
type Options struct {
	Only     []string                     // names of the systems to show; empty for all
	Most     int                          // without Only, show the best, at most so many; 0 for all
	Baseline string                       // system to compare with; "" for the first one shown
	Page     bool                         // also those that only pages show
	Set      []string                     // changes to labels
	Looks    map[*fold.System]figure.Look // nil: those of Looks
}

// A Report holds the charts of runs.
type Report struct {
	Charts   []Chart    `json:"charts"`  // in the order of a report
	Omitted  []Omission `json:"omitted"` // charts without data
	Systems  []System   `json:"systems"` // shown, in the order of the runs
	Hidden   []System   `json:"hidden"`  // not shown
	Baseline string     `json:"baseline"`
	Warnings []string   `json:"warnings,omitempty"` // about what charts show
	Note     string     `json:"note,omitempty"`     // which systems equal others and are not shown

	Shown string   `json:"-"` // how many systems are shown, and which are not; "" if all are
	aside []string // why panels of categories have no intervals, or how far to trust them
}

// Rows returns the charts that belong together: one of all scenes with those of viewpoint and of
// illumination, neighbours that have no such others, and the heat map alone.
func (r *Report) Rows() (rows [][]Chart) {
	base := func(c Chart) string {
		if i := slices.IndexFunc(r.Charts, func(all Chart) bool { return c.ID == all.ID+"_"+c.in }); i >= 0 {
			return r.Charts[i].ID
		}
		return c.ID
	}
	key := func(c Chart) string {
		if c.ID != heatID && !slices.ContainsFunc(r.Charts, func(o Chart) bool { return o.ID != c.ID && base(o) == base(c) }) {
			return ""
		}
		return base(c)
	}
	for i, c := range r.Charts {
		if i > 0 && key(c) == key(r.Charts[i-1]) {
			rows[len(rows)-1] = append(rows[len(rows)-1], c)
		} else {
			rows = append(rows, []Chart{c})
		}
	}
	return rows
}

// A missing error says why a chart has no data.
type missing string

func (m missing) Error() string { return string(m) }

// heatID is the chart that only pages show.
const heatID = "scenes"

// matchesPerPair has no estimator whose threshold captions would name.
var matchesPerPair = catalogue.Of("matches_per_pair")

// An entry is a chart to build.
type entry struct {
	id, title string
	metric    string // that warnings concern
	in        string // the scope
	build     builder
}

// split returns the entries of a chart of all scenes, of viewpoint and of illumination.
func split(id, title, metric string, build func(in string) builder) []entry {
	all := []entry{{id, title, metric, scope.All, build(scope.All)}}
	for _, in := range []string{scope.Viewpoint, scope.Illumination} {
		all = append(all, entry{id + "_" + in, title + ", " + in, metric, in, build(in)})
	}
	return all
}

// overScenes is the title of charts of mAP that is a mean over scenes.
const overScenes = "mAP, mean over scenes"

// list returns all charts in the order of a report, with those of homographies, or of poses, by
// estimators. Images with cameras have only few of them, unless depth says what is correct.
func list(estimators []string, judged bool) []entry {
	spread := entry{"keypoint_spread", "Keypoint spread", "keypoint_spread", scope.All, keypointSpread}
	estimators, poses := matching.ByKind(estimators)
	var estimated []entry
	for _, e := range poses {
		estimated = append(estimated, entry{"pose_" + inID(e), "Pose AUC, " + e, catalogue.With(catalogue.PoseAUC, e, 10), scope.All, poseAUC(e)})
	}
	if poses != nil && !judged {
		return append(estimated, spread)
	}
	for _, e := range estimators {
		estimated = append(estimated, split("homography_"+inID(e), "Homography accuracy, "+cmp.Or(estimatorNames[e], e), catalogue.With(catalogue.HomographyAccuracy, e, 3), func(in string) builder { return accuracy(e, in) })...)
	}
	all := slices.Concat(split("map", overScenes, catalogue.MAP, mapBars), split("mma", "Mean matching accuracy (MMA)", "mma@3", mma), split("difficulty", overScenes+", of each image k", catalogue.MAP, difficulty), estimated, []entry{
		{"cumulative_match", "Cumulative match curve", catalogue.MAP, scope.All, cumulative},
		{"rank_histogram", "Rank histogram", catalogue.MAP, scope.All, rankHistogram},
		{"roc", "ROC curve", "roc_auc", scope.All, classifier(report.ROC, "How well the distance separates correct from wrong nearest neighbours. The triangle marks the threshold with the best Youden index.")},
		{"precision_recall", "Precision-recall curve", "roc_auc", scope.All, classifier(report.PrecisionRecall, "How well the distance separates correct from wrong nearest neighbours. Chance is the share of positives.")},
		{"repeatability", overScenes + ", against repeatability@3", catalogue.MAP, scope.All, repeatability},
		{"homography_threshold_ransac", "Homography AUC against the inlier threshold, RANSAC", "ransac_homography_auc@3", scope.All, thresholds(matching.Ransac)},
		{"homography_threshold_magsac", "Homography AUC against the inlier threshold, MAGSAC++", "magsac_homography_auc@3", scope.All, thresholds(matching.Magsac)},
		{"cost", overScenes + ", against time", catalogue.MAP, scope.All, cost},
		spread,
		{heatID, "mAP of each scene", catalogue.MAP, scope.All, heat},
	})
	return slices.DeleteFunc(all, func(c entry) bool { // cameras have no homographies
		return poses != nil && strings.HasPrefix(c.id, "homography_threshold_")
	})
}

// judged reports whether runs have a ground truth of points.
func judged(runs []*fold.Run) bool {
	return slices.ContainsFunc(runs, func(r *fold.Run) bool {
		return slices.ContainsFunc(r.Summary.Descriptors, func(d store.SummaryDescriptor) bool { _, has := d.Metrics.Get(catalogue.MAP); return has })
	})
}

// inID returns the name of an estimator as part of the ID of a chart.
func inID(estimator string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' {
			return '_'
		}
		return r
	}, estimator)
}

// estimators returns the usual estimators of homographies, or those of runs if one is under the
// preset of a paper or estimates poses.
func estimators(runs []*fold.Run) []string {
	var own []string
	preset := false
	for _, r := range runs {
		preset = preset || r.Config.Preset() != nil
		_, poses := matching.ByKind(r.Config.Evaluation.Estimators)
		preset = preset || poses != nil
		for _, e := range r.Config.Evaluation.Estimators {
			if !slices.Contains(own, e) {
				own = append(own, e)
			}
		}
	}
	if !preset || own == nil {
		return []string{"ransac", "magsac", "dlt"}
	}
	return own
}

// Of returns the charts of folded runs.
func Of(ctx context.Context, paths []string, opt Options) (*Report, error) {
	runs, err := compare.Open(paths, opt.Set, "draw the figures of each run on their own")
	if err != nil {
		return nil, err
	}
	choice, err := compare.Choose(runs, opt.Baseline, opt.Only, compare.Copies)
	if err != nil {
		return nil, err
	}
	runs.Systems = choice.Once
	out, err := OfOpen(ctx, runs, opt)
	if err == nil {
		out.Note = strings.Join(notes.Texts(choice.Equal), "; ")
	}
	return out, err
}

// OfOpen returns the charts of runs that compare.Open has opened for mAP.
func OfOpen(ctx context.Context, runs *fold.Runs, opt Options) (*Report, error) {
	d, err := newData(ctx, runs, opt)
	if err != nil {
		return nil, err
	}
	out := &Report{Charts: []Chart{}, Omitted: []Omission{}, Systems: []System{}, Hidden: []System{}, Baseline: d.baseline.Name}
	for _, s := range d.systems {
		out.Systems = append(out.Systems, System{s.Index, s.Name})
	}
	for _, s := range d.hidden {
		out.Hidden = append(out.Hidden, System{s.Index, s.Name})
	}
	if !opt.Page {
		out.Shown = d.left()
		out.aside = d.aside(scope.Viewpoint, scope.Illumination)
	}
	var metrics []*catalogue.Metric // of all charts
	for _, c := range list(estimators(runs.Runs), judged(runs.Runs)) {
		if c.id == heatID && !opt.Page {
			continue
		}
		drawn, err := c.build(ctx, d)
		var why missing
		if errors.As(err, &why) {
			// What a chart of all scenes lacks, those of categories lack, too.
			if !slices.ContainsFunc(out.Omitted, func(o Omission) bool { return o.Why == string(why) && strings.HasPrefix(c.id, o.ID+"_") }) {
				out.Omitted = append(out.Omitted, Omission{c.id, c.title, string(why)})
			}
			continue
		}
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return nil, err
		}
		chart := Chart{ID: c.id, Title: c.title, Kind: drawn.Kind(), Figure: drawn.Figure, in: c.in, spread: drawn.spread, said: append(drawn.said, d.spread(c.in, drawn.spread)...)}
		if opt.Page && c.in != scope.All { // their chart of all scenes says what is drawn
			chart.said[0] = table.Sentences(d.scenes(c.in)...)
		}
		metric := catalogue.Of(c.metric)
		if legend := d.legend(); legend.MatchesDiffer(metric) {
			chart.said = append(chart.said, table.Sentences(legend.Matches(matchesPerPair)...))
		}
		chart.Caption = chart.said
		if !opt.Page {
			chart.Caption = append(slices.Clip(chart.said), table.Sentences(append(d.scenes(c.in), d.setup(metric)...)...))
			metrics = append(metrics, metric)
		}
		out.Charts = append(out.Charts, chart)
	}
	for _, row := range out.Rows() {
		var graphs []*figure.Graph
		for _, c := range row {
			if g, is := c.Figure.(*figure.Graph); is && row[len(row)-1].in != scope.All {
				graphs = append(graphs, g)
			}
		}
		if graphs != nil {
			figure.ShareY(graphs, opt.Page)
		}
	}
	if !opt.Page { // which has them elsewhere
		for _, l := range notes.Lines(slices.Concat(compare.Rules(runs), compare.Facts(runs, scope.All, metrics...), d.legend().Facts())) {
			if l.Text = l.Paper; l.Paper != "" {
				out.Warnings = append(out.Warnings, l.String())
			}
		}
	}
	return out, nil
}
