// Package charts turns folded runs into the charts of a report: which figures there
// are, in which order, what they show and what their captions say.
package charts

import (
	"cmp"
	"context"
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
	ID       string  // names files: letters, digits and underscores
	Title    string  // one line
	Caption  Caption // what is shown, of which scenes, under which protocol
	Figure   figure.Figure
	Setup    []string // sentences of a figure of its own, for the text of a paper, as those of a table
	Warnings []string // of a figure of its own

	split bool // it is of all scenes or a category, beside those of the others
	row   int  // of those that belong together
}

// A Caption is plain text in sentences.
type Caption []string

// String returns the text.
func (c Caption) String() string {
	return strings.Join(slices.DeleteFunc(slices.Clone(c), func(s string) bool { return s == "" }), " ")
}

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

// A builder draws a chart in a scope; its error is missing if there are no data for it.
type builder = func(ctx context.Context, d *data, in string) (drawing, error)

// An Omission is a chart that the runs lack the data for.
type Omission struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Why   string `json:"why"`
}

// Options select what charts show.
type Options struct {
	Only     []string                     // names of the systems to show; empty for all
	Most     int                          // without Only, show the best, at most so many; 0 for all
	Baseline string                       // system to compare with; "" for the first one shown
	Page     bool                         // those of a page, which says elsewhere what is common to them
	Set      []string                     // changes to labels
	Looks    map[*fold.System]figure.Look // nil: those of Looks
}

// A Report holds the charts of runs. Its JSON says what a folder of figures lacks, and how to read them.
type Report struct {
	Charts   []Chart    `json:"-"`                  // in the order of a report
	Omitted  []Omission `json:"omitted"`            // charts without data
	Shown    string     `json:"shown,omitempty"`    // how many systems are shown, and which are not; "" if all are
	Warnings []string   `json:"warnings,omitempty"` // about what charts show, and which systems equal others and are not shown
}

// Rows returns the charts that belong together: one of all scenes with those of viewpoint and of
// illumination, neighbours that have no such others, and that of single scenes alone.
func (r *Report) Rows() (rows [][]Chart) {
	for i, c := range r.Charts {
		if i == 0 || c.row != r.Charts[i-1].row {
			rows = append(rows, nil)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], c)
	}
	return rows
}

// A missing error says why a chart has no data.
type missing string

func (m missing) Error() string { return string(m) }

// sceneID is the chart of single scenes, which has a row for each.
const sceneID = "by_scene"

// matchesPerPair has no estimator whose threshold captions would name.
var matchesPerPair = catalogue.Of("matches_per_pair")

// An entry is a chart to build.
type entry struct {
	id, title string
	metric    string // that warnings concern
	split     bool   // also over the scenes of viewpoint and of illumination
	build     builder
}

// scopes returns the scopes of the entry's charts.
func (e entry) scopes() []string {
	if e.split {
		return []string{scope.All, scope.Viewpoint, scope.Illumination}
	}
	return []string{scope.All}
}

// overScenes is the title of charts of mAP that is a mean over scenes.
const overScenes = "mAP, mean over scenes"

// list returns all charts in the order of a report, with those of homographies, or of poses, by
// estimators. Images with cameras have only few of them, unless depth says what is correct.
func list(estimators []string, judged bool) []entry {
	matches := entry{"matches", "Matches of an image pair", "matches_per_pair", false, matches}
	estimators, poses := matching.ByKind(estimators)
	var estimated []entry
	for _, e := range poses {
		estimated = append(estimated, entry{"pose_" + inID(e), "Pose AUC, " + e, catalogue.With(catalogue.PoseAUC, e, 10), false, poseAUC(e)})
	}
	if poses != nil && !judged {
		return append(estimated, matches)
	}
	for _, e := range estimators {
		estimated = append(estimated, entry{"homography_" + inID(e), "Homography accuracy, " + cmp.Or(estimatorNames[e], e), catalogue.With(catalogue.HomographyAccuracy, e, 3), true, accuracy(e)})
	}
	return slices.Concat([]entry{
		{"map", overScenes, catalogue.MAP, true, mapBars},
		{"mma", "Mean matching accuracy (MMA)", "mma@3", true, mma},
		{"difficulty", overScenes + ", of each image k", catalogue.MAP, true, difficulty},
	}, estimated, []entry{
		{"cumulative_match", "Cumulative match curve", catalogue.MAP, false, cumulative},
		{"roc", "ROC curve", "roc_auc", false, classifier(report.ROC, "How well the distance separates correct from wrong nearest neighbours. The triangle marks the threshold with the best Youden index.")},
		{"precision_recall", "Precision-recall curve", "roc_auc", false, classifier(report.PrecisionRecall, "How well the distance separates correct from wrong nearest neighbours. Chance is the share of positives.")},
		matches,
		{"repeatability", overScenes + ", against repeatability@3", catalogue.MAP, false, repeatability},
		{"cost", overScenes + ", against time", catalogue.MAP, false, cost},
		{sceneID, "mAP of each scene", catalogue.MAP, false, byScene},
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

// estimators returns those of runs, each once: of homographies the usual ones, and all under the preset of a paper.
func estimators(runs []*fold.Run) (list []string) {
	for _, r := range runs {
		for _, name := range r.Config.Evaluation.Estimators {
			e, _ := matching.ParseEstimator(name)
			_, usual := estimatorNames[name]
			if (usual || e.Pose() || r.Config.Preset() != nil) && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
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
		out.Warnings = append(out.Warnings, notes.Texts(choice.Equal)...)
	}
	return out, err
}

// OfOpen returns the charts of runs that compare.Open has opened for mAP.
func OfOpen(ctx context.Context, runs *fold.Runs, opt Options) (*Report, error) {
	d, err := newData(ctx, runs, opt)
	if err != nil {
		return nil, err
	}
	out := &Report{Omitted: []Omission{}}
	if !opt.Page {
		out.Shown = d.left()
	}
	var metrics []*catalogue.Metric // of all charts
	row, alone := 0, true
	for _, e := range list(estimators(runs.Runs), judged(runs.Runs)) {
		if own := e.split || e.id == sceneID; own || alone {
			row, alone = row+1, own
		}
		metric, lacks := catalogue.Of(e.metric), ""
		for _, in := range e.scopes() {
			id, title := e.id, e.title
			if in != scope.All {
				id, title = id+"_"+in, title+", "+in
			}
			drawn, err := e.build(ctx, d, in)
			var why missing
			if errors.As(err, &why) {
				if lacks != string(why) { // what a chart of all scenes lacks, those of categories lack, too
					out.Omitted = append(out.Omitted, Omission{id, title, string(why)})
				}
				if in == scope.All {
					lacks = string(why)
				}
				continue
			}
			if err := cmp.Or(ctx.Err(), err); err != nil {
				return nil, err
			}
			chart := Chart{ID: id, Title: title, Figure: drawn.Figure, split: e.split, row: row, Caption: append(drawn.said, d.spread(in, drawn.spread)...)}
			if opt.Page && in != scope.All { // their chart of all scenes says what is drawn
				chart.Caption[0] = table.Sentences(d.scenes(in)...)
			}
			if legend := d.legend(); legend.MatchesDiffer(metric) {
				chart.Caption = append(chart.Caption, table.Sentences(legend.Matches(matchesPerPair)...))
			}
			if !opt.Page {
				chart.Caption = append(chart.Caption, table.Sentences(append(d.scenes(in), d.setup(metric)...)...))
				metrics = append(metrics, metric)
			}
			out.Charts = append(out.Charts, chart)
		}
	}
	for _, row := range out.Rows() {
		var graphs []*figure.Graph
		var bars []*figure.Bars
		for _, c := range row {
			if g, is := c.Figure.(*figure.Graph); is && c.split {
				graphs = append(graphs, g)
			} else if b, is := c.Figure.(*figure.Bars); is && c.split {
				bars = append(bars, b)
			}
		}
		if graphs != nil {
			figure.ShareY(graphs, opt.Page)
		}
		figure.ShareX(bars)
	}
	if !opt.Page { // which has them elsewhere
		out.Warnings = notes.Papers(slices.Concat(compare.Rules(runs), compare.Facts(runs, scope.All, metrics...), d.legend().Facts()))
	}
	return out, nil
}
