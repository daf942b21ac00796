package patchbench

import (
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"

	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/eval/patches/y2017"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/charts"
	"descbench/pipeline/files"
	"descbench/pipeline/notes"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// Original holds the options of match, retrieve and classify, the tasks of 2016.
type Original struct {
	Sources  []*Source        // one per descriptor; nil to read results
	Distance patches.Distance // distance to compute results with
	Name     string           // name of the descriptor for results that are read; "" for the name of their folder
	Out      string           // results are written to the subfolder results
	Jobs     int

	// Folder for graphs, with a subfolder per descriptor, and graphs of all descriptors if
	// there are several; "" for none.
	Figures  string
	Formats  []string // file formats of graphs: svg, png, pdf
	Database string   // SQLite file to store metrics in; "" for none
	Version  string   // of the program
}

// Ratings are all evaluations of a call of match or retrieve, and the files it wrote.
type Ratings struct {
	// Table has a row for a descriptor on each benchmark, and on the mean of several, then
	// those of the next descriptor.
	Table   *table.Table
	Facts   []fact.Fact
	Written []string
}

// An evaluation is that of one descriptor on a benchmark by match or retrieve, or on a
// combination of positives and negatives by classify.
type evaluation struct {
	name       string // of the benchmark
	descriptor string
	results    string           // results file; "" for classify
	distance   patches.Distance // "" if results were read
	facts      []fact.Fact
	set        *patches.Set // descriptors; nil if there are none
	metrics    func() ([]scope.Metric, error)
	digests    func() (asked, answered string) // digests of the benchmark and of the results
	curves     func() []report.NamedCurve      // nil if there are no curves
	over       string                          // what curves are means over: "5 queries"
}

// A run is the state of one call of match, retrieve or classify.
type run struct {
	Original
	task    y2016.Task
	source  *Source     // of the current descriptor; nil to read results
	drawn   []fact.Fact // that descbench drew the tasks
	graphs  []sharedGraph
	written []string // files
	charts  charts.Report
}

// A sharedGraph has a curve of a benchmark of each descriptor.
type sharedGraph struct {
	name   string // <benchmark>_<curve>
	over   string
	curves []report.NamedCurve
}

// rateFiles rates every descriptor on every benchmark of 2016: the descriptors of
// the sources, or those whose results are read. mean returns the mean over results.
func rateFiles[R any](ctx context.Context, r *run, task string, f Files, evaluate func(ctx context.Context, p *evaluation, benchmark, labels string) (*R, error),
	mean func(all []*R) *R, tabulate func(rows []report.BenchmarkRow[R], distance string) *table.Table) (*Ratings, error) {
	n := len(f.Benchmarks)
	descriptors := max(1, len(r.Sources), len(f.Results)/n)
	var results []*R
	if err := r.findDrawn(f.Benchmarks); err != nil {
		return nil, err
	}
	list, written, err := rate(ctx, r, task, n*descriptors, func(i int) (*evaluation, error) {
		if r.Sources != nil {
			r.source = r.Sources[i/n]
		}
		p := &evaluation{results: at(f.Results, i), name: y2016.TaskName(f.Benchmarks[i%n])}
		result, err := evaluate(ctx, p, f.Benchmarks[i%n], at(f.Labels, i%n))
		if results = append(results, result); p.set != nil {
			p.descriptor = p.set.Name
		}
		return p, err
	}, func() error { r.drawTogether(); return nil })
	if err != nil {
		return nil, err
	}
	out := &Ratings{Written: written, Facts: r.about("")}
	var rows []report.BenchmarkRow[R]
	for i := 0; i < len(list); i += n {
		for k, p := range list[i : i+n] {
			rows = append(rows, report.BenchmarkRow[R]{Descriptor: p.descriptor, Benchmark: p.name, Result: results[i+k]})
			for _, f := range p.facts {
				if n > 1 {
					f = f.Within(p.name)
				}
				if descriptors > 1 {
					f = f.On(p.descriptor)
				}
				out.Facts = append(out.Facts, f)
			}
		}
		if n > 1 {
			rows = append(rows, report.BenchmarkRow[R]{Descriptor: list[i].descriptor, Benchmark: fmt.Sprintf("mean of %d", n), Result: mean(results[i : i+n])})
		}
	}
	out.Table = tabulate(rows, list[0].distance.Text(false))
	return out, nil
}

// findDrawn finds out whether descbench drew the tasks of files.
func (r *run) findDrawn(files []string) error {
	for _, file := range files {
		var tasks struct {
			Settings struct {
				Edition int
				Split   y2017.Split
			}
		}
		if err := readRecord(filepath.Join(filepath.Dir(filepath.Dir(file)), tasksFile), &tasks); err != nil {
			return err
		}
		if sequences := tasks.Settings.Split.Test; tasks.Settings.Edition == 2016 && r.drawn == nil {
			if setOf(file) == "train" {
				sequences = tasks.Settings.Split.Train
			}
			r.drawn = append(r.drawn, fact.New(fact.OwnTasks).With("sequences", float64(len(sequences))))
		}
	}
	return nil
}

// about tells who drew the tasks, and how a descriptor, or all of them, was placed on patches, if not
// as others are.
func (r *run) about(descriptor string) []fact.Fact {
	facts := slices.Clone(r.drawn)
	for _, s := range r.Sources {
		if descriptor == "" || s.Name == descriptor {
			facts = append(facts, fact.About(s.Name, s.placed)...)
		}
	}
	return facts
}

// caption returns a text with sentences about the tasks and a descriptor, or all of them.
func (r *run) caption(descriptor string, text ...string) charts.Caption {
	for _, note := range notes.Strings(notes.Lines(r.about(descriptor))) {
		text = append(text, "Note: "+note+".")
	}
	return text
}

// rate makes the evaluations one by one and stores what the options request. draw is called at
// the end to draw graphs over all of them.
func rate(ctx context.Context, r *run, task string, n int, evaluate func(i int) (*evaluation, error), draw func() error) (list []*evaluation, written []string, err error) {
	var entries []Result
	for i := range n {
		p, err := evaluate(i)
		if err != nil {
			return nil, nil, err
		}
		if p.descriptor == "" {
			if p.descriptor, err = r.descriptorOf(p.results); err != nil {
				return nil, nil, err
			}
		}
		if p.curves != nil && r.Figures != "" {
			r.drawCurves(p)
		}
		if r.Database != "" {
			entry, err := p.result(task, r)
			if err != nil {
				return nil, nil, err
			}
			entries = append(entries, entry)
		}
		list = append(list, p)
	}
	if err := draw(); err != nil {
		return nil, nil, err
	}
	if r.charts.Charts != nil {
		files, err := r.charts.Write(ctx, r.Figures, r.Formats, figure.Column)
		if err != nil {
			return nil, nil, err
		}
		for _, file := range files {
			r.written = append(r.written, filepath.Join(r.Figures, file))
		}
	}
	entered, err := enterAll(ctx, r.Database, r.Version, entries)
	return list, append(r.written, entered...), err
}

// result returns the entry for the database.
func (p *evaluation) result(task string, of *run) (Result, error) {
	asked, answered := p.digests()
	r := Result{
		Protocol: Protocol{
			Task: task, Benchmark: p.name, Protocol: "2016", Distance: string(p.distance),
			Definitions: map[string]string{"": asked}, Data: answered,
		},
		Descriptor: p.descriptor, Facts: slices.Concat(p.facts, of.drawn),
	}
	if p.set != nil {
		r.Dimension, r.Type = p.set.Dim, p.set.Type.String()
		source := of.Sources[slices.IndexFunc(of.Sources, func(s *Source) bool { return s.Name == p.set.Name })]
		r.Strips, r.Facts = source.stripsOf(p.set.Sequences()), append(r.Facts, source.placed...)
	}
	var err error
	r.Metrics, err = p.metrics()
	return r, err
}

// load returns the descriptors of the images that benchmarks need, or nil without a
// source. Invalid rows are zeros: the files of 2016 must name a nearest neighbour of each.
func (r *run) load(ctx context.Context, benchmarks ...interface{ Want(patches.Wanted) }) (*patches.Set, error) {
	if r.source == nil {
		return nil, nil
	}
	wanted := patches.Wanted{}
	for _, b := range benchmarks {
		b.Want(wanted)
	}
	set, err := patches.Load(ctx, files.Open, r.source.dir, wanted, r.Jobs)
	if err != nil {
		return nil, err
	}
	return set.Zeroed()
}

// answers reads the results of an evaluation. If there is no results file, it computes
// the results for the benchmark and writes them.
func answers[A any](r *run, p *evaluation, benchmark string, read func(name string, in io.Reader) (A, error), compute func() (A, []fact.Fact, error), write func(io.Writer, A) error) (A, error) {
	if p.results != "" {
		return patches.ReadFile(files.Open, p.results, read)
	}
	a, facts, err := compute()
	if err != nil {
		return a, err
	}
	p.distance, p.facts = r.Distance, append(p.set.Facts(), facts...)
	p.results, err = r.save(p.set.Name, benchmark, func(w io.Writer) error { return write(w, a) })
	return a, err
}

// save writes the results for a benchmark or pairs file.
func (r *run) save(descriptor, benchmark string, write func(io.Writer) error) (string, error) {
	file := y2016.ResultsPath(filepath.Join(r.Out, "results"), r.task, descriptor, benchmark)
	r.written = append(r.written, file)
	return file, store.WriteFile(file, write)
}

// drawCurves draws the graph <descriptor>/<benchmark>_pr, and keeps the curves for graphs of
// several descriptors.
func (r *run) drawCurves(p *evaluation) {
	curves := p.curves()
	for _, c := range curves {
		graph := p.name + "_" + c.Name
		i := slices.IndexFunc(r.graphs, func(g sharedGraph) bool { return g.name == graph })
		if i < 0 {
			i, r.graphs = len(r.graphs), append(r.graphs, sharedGraph{name: graph, over: p.over})
		}
		r.graphs[i].curves = append(r.graphs[i].curves, report.NamedCurve{Name: p.descriptor, Curve: c.Curve, MAP: c.MAP})
	}
	r.drawMean(p.descriptor, p.name, p.over, curves)
}

// drawTogether draws the graphs that several descriptors share.
func (r *run) drawTogether() {
	for _, g := range r.graphs {
		if len(g.curves) > 1 {
			r.drawMean("", g.name, g.over, g.curves)
		}
	}
}

// drawMean adds the chart of mean curves of a descriptor, or of all, over what there is in a benchmark.
func (r *run) drawMean(descriptor, name, over string, curves []report.NamedCurve) {
	title := name
	if descriptor != "" {
		title = descriptor + ", " + name
	}
	text := "Tasks of 2016, mean over " + over + ". Precision is interpolated."
	r.charts.Charts = append(r.charts.Charts, charts.Chart{ID: path.Join(descriptor, name) + "_pr", Title: "Mean precision-recall curves, " + title, Caption: r.caption(descriptor, text), Figure: report.MeanGraph(curves)})
}

// descriptorOf returns the name of the descriptor of a results file.
func (r *run) descriptorOf(results string) (string, error) {
	if r.Name != "" {
		return r.Name, nil
	}
	return y2016.DescriptorOf(results)
}

// Files are the files of benchmarks of 2016. Labels are empty or have one file per
// benchmark. Results are empty or have one file per benchmark for the first
// descriptor, then for the second, and so on.
type Files struct {
	Benchmarks, Labels, Results []string
}

// at returns file i, or "" if there are no files.
func at(files []string, i int) string {
	if len(files) == 0 {
		return ""
	}
	return files[i]
}

// Match evaluates matching benchmarks. It reads the results if there are results
// files and computes them otherwise.
func Match(ctx context.Context, o Original, f Files) (*Ratings, error) {
	r := &run{Original: o, task: y2016.Matching}
	return rateFiles(ctx, r, "match", f, r.match, func(all []*y2016.MatchingResult) *y2016.MatchingResult {
		return &y2016.MatchingResult{MatchingMean: y2016.MeanMatching(all)}
	}, report.MatchingOf2016)
}

func (r *run) match(ctx context.Context, p *evaluation, benchmark, labelled string) (*y2016.MatchingResult, error) {
	b, err := patches.ReadFile(files.Open, benchmark, y2016.ReadMatchingBenchmark)
	if err != nil {
		return nil, err
	}
	var labels *y2016.MatchingLabels
	if labelled != "" {
		labels, err = patches.ReadFile(files.Open, labelled, func(name string, in io.Reader) (*y2016.MatchingLabels, error) {
			return y2016.ReadMatchingLabels(name, in, b)
		})
		if err != nil {
			return nil, err
		}
	}
	if p.set, err = r.load(ctx, b); err != nil {
		return nil, err
	}
	matches, err := answers(r, p, benchmark, func(name string, in io.Reader) ([]y2016.Matches, error) {
		return y2016.ReadMatches(name, in, b, labels)
	}, func() ([]y2016.Matches, []fact.Fact, error) {
		matches, err := y2016.Match(ctx, p.set, b, r.Distance, r.Jobs)
		return matches, nil, err
	}, y2016.WriteMatches)
	if err != nil {
		return nil, err
	}
	f, err := y2016.EvaluateMatching(matches, labels)
	if err != nil {
		return nil, err
	}
	p.metrics = func() ([]scope.Metric, error) { return f.Metrics(), nil }
	p.over = spelling.Count(len(f.Pairs), "image pair")
	p.digests = func() (string, string) { return y2016.MatchingDigests(matches, labels) }
	p.curves = func() []report.NamedCurve {
		byDistance, byRatio := f.Curves()
		return []report.NamedCurve{{Name: "by_distance", Curve: byDistance, MAP: f.MAPOverCorrect}, {Name: "by_ratio", Curve: byRatio, MAP: f.MAP2NNR}}
	}
	return f, nil
}

// Retrieve evaluates retrieval benchmarks. Without results files it computes the
// results from the source. With both, the source only provides the numbers of
// patches.
func Retrieve(ctx context.Context, o Original, f Files) (*Ratings, error) {
	r := &run{Original: o, task: y2016.Retrieval}
	return rateFiles(ctx, r, "retrieve", f, r.retrieve, func(all []*y2016.RetrievalResult) *y2016.RetrievalResult {
		return &y2016.RetrievalResult{RetrievalMean: y2016.MeanRetrieval(all)}
	}, report.RetrievalOf2016)
}

func (r *run) retrieve(ctx context.Context, p *evaluation, benchmark, labelled string) (*y2016.RetrievalResult, error) {
	b, err := patches.ReadFile(files.Open, benchmark, y2016.ReadRetrievalBenchmark)
	if err != nil {
		return nil, err
	}
	if p.set, err = r.load(ctx, b); err != nil {
		return nil, err
	}
	clusters := b.SamePlace()
	if labelled != "" {
		clusters, err = patches.ReadFile(files.Open, labelled, func(name string, in io.Reader) ([][]patches.Signature, error) {
			return y2016.ReadClusters(name, in, b, p.set)
		})
		if err != nil {
			return nil, err
		}
	}
	rankings, err := answers(r, p, benchmark, func(name string, in io.Reader) ([][]patches.Signature, error) {
		return y2016.ReadRankings(name, in, b, p.set)
	}, func() ([][]patches.Signature, []fact.Fact, error) {
		return y2016.Retrieve(ctx, p.set, b, r.Distance, r.Jobs)
	}, func(w io.Writer, rankings [][]patches.Signature) error { return y2016.WriteRankings(w, b, rankings) })
	if err != nil {
		return nil, err
	}
	f, err := y2016.EvaluateRetrieval(b, clusters, rankings, p.set)
	if err != nil {
		return nil, err
	}
	p.metrics = func() ([]scope.Metric, error) { return f.Metrics(), nil }
	p.over = fmt.Sprintf("%d queries", f.Queries)
	p.digests = func() (string, string) { return y2016.RetrievalDigests(b, clusters, rankings) }
	p.curves = func() []report.NamedCurve {
		images, places := f.Curves()
		return []report.NamedCurve{{Name: "images", Curve: images, MAP: f.ImageMAP}, {Name: "patches", Curve: places, MAP: f.PatchMAP}}
	}
	return f, nil
}
