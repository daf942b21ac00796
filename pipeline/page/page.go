// Package page writes the results of folded runs as web pages that open from disk:
// a main page, and a page for each scene in the folder of the same name beside it.
// Pages load nothing from elsewhere. Equal results give equal bytes.
package page

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

//go:embed *.html *.css *.js
var assets embed.FS

// templates are the pages, which share style.css.
var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"wrap":   wrap,
	"style":  func(name string) template.CSS { return template.CSS(embedded(name)) },
	"script": func(name string) template.JS { return template.JS(embedded(name)) },
	"link":   sceneLink,
	"sample": figure.Sample,
	"draw":   figure.Embed,
	"share":  share,
	"minus":  figure.Minus,
	"isRate": func(m *catalogue.Metric) bool { return report.UnitOf(m) == table.Share },
}).ParseFS(assets, "*.html"))

// wrap returns a name whose line may break after a separator.
func wrap(name string) template.HTML {
	return template.HTML(strings.NewReplacer("_", "_<wbr>", "-", "-<wbr>", "/", "/<wbr>", ":", ":<wbr>").Replace(template.HTMLEscapeString(name)))
}

// share returns a share in per cent, or a dash.
func share(v *float64) string {
	if v == nil {
		return "–"
	}
	return table.Share.Format(*v)
}

func embedded(name string) string {
	b, err := assets.ReadFile(name)
	if err != nil {
		panic(err) // all names are in this package
	}
	return string(b)
}

// extension of every page.
const extension = ".html"

// folderOf returns the folder beside a main page that has its pages of scenes.
func folderOf(main string) string { return main[:len(main)-len(extension)] }

// Options select what a report shows.
type Options struct {
	Baseline string   // descriptor, or RUN:descriptor, to compare with at first; "" for the first one
	Only     []string // descriptors to show with the baseline, named as it; empty for all
	Set      []string // changes to labels
	Data     string   // folder of the scenes; "" for that of each run
}

// Write writes the report of folded runs to path, and the pages of scenes to the
// folder beside it that has the name of path without its extension. It returns an
// error if the runs have different protocols. without says why pages of scenes have no
// images, "" if all have them.
func Write(ctx context.Context, path string, runs []string, opt Options) (without string, err error) {
	if filepath.Ext(path) != extension {
		return "", &config.Error{File: "--out " + path, Msg: "want a name that ends in " + extension}
	}
	folder := folderOf(path)
	if info, err := os.Lstat(folder); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", plan.Faultf("%s: is a link, through which no pages are written; put a folder in its place, or publish the report with --out or by copying it", folder)
	}
	open, err := compare.Open(runs, opt.Set, "write one report per run")
	if err != nil {
		return "", err
	}
	if err := plan.Replaceable(path); err != nil {
		return "", err
	}
	choice, err := compare.Choose(open, opt.Baseline, opt.Only, compare.Copies)
	if err != nil {
		return "", err
	}
	open.Keep(choice.Chosen)
	r, err := newResults(ctx, open, choice.Baseline)
	if err != nil {
		return "", err
	}
	for _, c := range r.Comparisons {
		c.LeftOut = choice.LeftOut
	}
	main, err := newMainPage(ctx, r, filepath.Base(folder), opt)
	if err != nil {
		return "", err
	}
	main.Warnings = append(main.Warnings, notes.Texts(choice.Equal)...)
	if main.Without, err = r.writeScenes(ctx, folder, filepath.Base(path), opt); err != nil {
		return "", err
	}
	// The main page is last, because it links to the others.
	return main.Without, write(filepath.Dir(path), path, "report"+extension, main)
}

// write writes one page below a folder.
func write(root, path, name string, data any) error {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return plan.WritePage(root, path, b.Bytes())
}

// A results holds the results of all runs.
type results struct {
	*fold.Runs
	Columns []report.Selected // of the ranking; systems are sorted and compared by the first
	// Comparisons holds those with the baseline of each keypoint set: the chosen one there, else the first. Systems that
	// are alone on their keypoints are compared with the chosen one. It is nil with a single system.
	Comparisons []*report.Comparison
	against     map[*fold.System]*report.Comparison
	with        func(baseline *fold.System) (*report.Comparison, error) // compares with another baseline
}

// newResults compares the systems of runs that compare.Open has opened, if every run has the first metric of
// the ranking.
func newResults(ctx context.Context, runs *fold.Runs, baseline *fold.System) (*results, error) {
	r := &results{Runs: runs, Columns: columns(runs)}
	if there := slices.DeleteFunc(slices.Clone(r.Columns), func(c report.Selected) bool { return !hasMetric(runs.Systems, c.Metric) }); len(there) > 0 {
		r.Columns = there
	}
	headline := compare.Headline(runs)
	if i := slices.IndexFunc(r.Columns, func(c report.Selected) bool { return c.Metric == headline }); i > 0 { // others follow as the preset has them
		first := r.Columns[i]
		r.Columns = slices.Insert(slices.Delete(r.Columns, i, i+1), 0, first)
	}
	for _, one := range runs.Runs {
		if !hasMetric(one.Systems, r.Columns[0].Metric) {
			return r, nil
		}
	}
	if len(r.Systems) < 2 {
		return r, nil
	}
	var err error
	if r.with, err = compare.With(ctx, runs, r.Columns[0].Metric); err != nil {
		return nil, err
	}
	chosen, err := r.with(baseline)
	if err != nil {
		return nil, err
	}
	r.Comparisons, r.against = append(r.Comparisons, chosen), make(map[*fold.System]*report.Comparison)
	for _, group := range fold.ByKeypoints(r.Systems) {
		c := chosen
		if len(group) > 1 && !slices.Contains(group, baseline) {
			if c, err = r.with(group[0]); err != nil {
				return nil, err
			}
			r.Comparisons = append(r.Comparisons, c)
		}
		for _, s := range group {
			r.against[s] = c
		}
	}
	return r, nil
}

// hasMetric reports whether any system has a metric over all scenes.
func hasMetric(systems []*fold.System, metric *catalogue.Metric) bool {
	return slices.ContainsFunc(systems, func(s *fold.System) bool { _, there := s.Metric(scope.All, metric.Name); return there })
}
