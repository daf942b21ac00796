package page

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"slices"

	"descbench/eval/catalogue"
	"descbench/pipeline/charts"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/report/figure"
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
	Bands   int            `json:"bands"` // the most systems whose bands are shown
	Systems []scriptSystem `json:"systems"`
}

type scriptSystem struct {
	Name string `json:"name"`
	On   bool   `json:"on"`  // at first
	Set  int    `json:"set"` // equal for equal keypoints and rules
}

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
	if p.Leaders, err = r.leaders(p.Ranking); err != nil {
		return nil, err
	}
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
	p.Data, err = encode(script{Bands: figure.MostBands, Systems: r.scriptSystems(best)})
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
		out = append(out, scriptSystem{Name: s.Name, On: slices.Contains(best, s), Set: sets[s]})
	}
	return out
}
