package page

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"net/url"
	"slices"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/pipeline/charts"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// A mainPage is what the main page shows.
type mainPage struct {
	*results
	Runs     []run
	Failed   []string
	Warnings []string
	Ranking  ranking
	Leaders  []leader
	Charts   *charts.Report
	Looks    map[*fold.System]figure.Look
	Without  string              // why pages of scenes have no images; "" if all have them
	Metrics  []*catalogue.Metric // one of each definition
	Folder   string              // address of the pages of scenes
	Data     template.JS         // script
}

// A run is a run in the header.
type run struct {
	*fold.Run
	Digest string // of the results
	Behind string // how many of the requested scenes were evaluated
	Facts  []headLine
}

// script is what the page's script needs beyond the charts.
type script struct {
	Bands    int            `json:"bands"` // the most systems whose bands are shown
	Systems  []scriptSystem `json:"systems"`
	Baseline int            `json:"baseline"` // index of the system to compare with at first
	Against  []against      `json:"against"`  // by baseline
}

type scriptSystem struct {
	Name string `json:"name"`
	On   bool   `json:"on"`   // at first
	Set  int    `json:"set"`  // equal for equal keypoints and rules
	Rule string `json:"rule"` // of relevance
}

// against holds the differences to one baseline.
type against struct {
	Rows  []difference `json:"rows"`
	Notes []string     `json:"notes"` // on the correction, and what is not tested or left out
}

type difference struct {
	System int    `json:"system"`
	Scope  string `json:"scope"`
	Value  number `json:"value,omitzero"`
	Text   string `json:"text"`            // of the value, in percentage points
	Range  string `json:"range,omitempty"` // of its interval
	P      string `json:"p,omitempty"`     // corrected
	Mark   string `json:"mark,omitempty"`  // of the test
}

// A number is left out of JSON if it is undefined or infinite.
type number float64

// IsZero reports whether JSON omits the number.
func (n number) IsZero() bool { return math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) }

// newMainPage returns the main page. folder is the name of the folder with the pages
// of scenes.
func newMainPage(ctx context.Context, r *results, folder string, opt Options) (*mainPage, error) {
	best := charts.BestOnEach(r.Systems, r.Columns[0].Metric.Name, charts.MostColoured)
	looks := charts.Looks(r.Systems, best)
	drawn, err := charts.OfOpen(ctx, r.Runs, charts.Options{Baseline: opt.Baseline, Page: true, Looks: looks})
	if err != nil {
		return nil, err
	}
	p := &mainPage{results: r, Looks: looks, Failed: r.failures(), Warnings: r.remarks(), Ranking: newRanking(r), Charts: drawn, Folder: url.PathEscape(folder)}
	p.Leaders = r.leaders(p.Ranking)
	for _, of := range r.Runs.Runs {
		results, err := digest(of.Folder)
		if err != nil {
			return nil, err
		}
		e, err := of.RunFolder().ReadEnvironment()
		if err != nil {
			return nil, err
		}
		p.Runs = append(p.Runs, run{of, results, compare.ScenesBehind(of).String(), facts(of, e)})
	}
	for _, c := range p.Columns {
		if !slices.ContainsFunc(p.Metrics, func(m *catalogue.Metric) bool { return m.Family == c.Metric.Family }) {
			p.Metrics = append(p.Metrics, c.Metric)
		}
	}
	data := script{
		Bands: figure.MostBands, Systems: r.scriptSystems(best), Against: r.against(),
		Baseline: slices.Index(r.Systems, drawn.Baseline),
	}
	p.Data, err = encode(data)
	return p, err
}

// encode returns data as JSON that cannot end a script.
func encode(data any) (template.JS, error) {
	text, err := json.Marshal(data) // escapes < > & and line separators
	if err != nil {
		return "", fmt.Errorf("data of the page: %w", err)
	}
	return template.JS(text), nil
}

// scriptSystems returns the systems, of which the best are on.
func (r *results) scriptSystems(best []*fold.System) []scriptSystem {
	sets, _ := fold.KeypointSets(r.Systems)
	var out []scriptSystem
	for _, s := range r.Systems {
		out = append(out, scriptSystem{Name: s.Name, On: slices.Contains(best, s), Set: sets[s], Rule: string(s.Run.Config.Evaluation.Relevance)})
	}
	return out
}

// marks are those of verdicts of tests.
var marks = map[string]string{"better": " †", "worse": " †", "~": " ~"}

// against returns the differences to each baseline.
func (r *results) against() []against {
	index := make(map[string]int)
	for i, s := range r.Systems {
		index[s.Name] = i
	}
	out := []against{}
	more := ""
	if len(r.Systems) > 2 {
		more = " p is corrected for one baseline: if you test with several, multiply p by their number."
	}
	for _, c := range r.Comparisons {
		one := against{Rows: []difference{}, Notes: []string{}}
		for _, row := range c.Rows {
			d := difference{System: index[row.Descriptor], Scope: row.Scope, Value: number(row.Difference), Mark: marks[row.Verdict]}
			if p := float64(row.PHolm); !math.IsNaN(p) {
				d.P = table.P.Format(p)
			}
			value, low, high := table.Points.Rounded(row.Cell(), table.Points.Decimals(true))
			if d.Text = figure.Minus(value); low != "" {
				d.Range = figure.Minus(low) + " to " + figure.Minus(high)
			}
			one.Rows = append(one.Rows, d)
		}
		if text := c.Tested(); text != "" {
			one.Notes = append(one.Notes, text+"."+more)
		}
		if text, _ := c.Untested(); text != "" {
			one.Notes = append(one.Notes, "Differences without a mark are not tested: "+text+".")
		}
		for _, l := range notes.Lines(slices.DeleteFunc(slices.Clone(c.Facts), func(f fact.Fact) bool {
			return f.Kind != fact.Apart && f.Kind != fact.OtherKeypoints && !notes.Apart(f.Kind)
		})) {
			one.Notes = append(one.Notes, l.String()+".")
		}
		out = append(out, one)
	}
	return out
}
