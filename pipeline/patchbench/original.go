package patchbench

import (
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/eval/ranking"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/charts"
	"descbench/pipeline/files"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// Original holds the options of match, retrieve and classify, the tasks of 2016.
type Original struct {
	// Files of match and retrieve. Labels are empty or have one file per benchmark.
	Benchmarks, Labels []string
	Pairs              []string // lists of pairs of classify
	// Files of results to read. Those of match and retrieve have one per benchmark for the first descriptor,
	// then for the second, and so on; those of classify are in any order.
	Results []string

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
	name            string // of the benchmark
	descriptor      string
	asked, answered []string         // files of the benchmark, "" if unknown, and of the results
	distance        patches.Distance // "" if results were read
	facts           []fact.Fact
	set             *patches.Set // descriptors; nil if there are none
	metrics         func() []scope.Metric

	// Of match and retrieve: the result, and what it is a mean over, "5 queries".
	result *y2016.Result
	over   string
}

// A run is the state of one call of match, retrieve or classify.
type run struct {
	Original
	task    y2016.Task
	command string      // match, retrieve or classify
	source  *Source     // of the current descriptor; nil to read results
	drawn   []fact.Fact // that descbench drew the tasks
	written []string    // files
	charts  charts.Report
}

// rate rates every descriptor on every benchmark by match or retrieve: the descriptors of
// the sources, or those whose results are read.
func (r *run) rate(ctx context.Context, evaluate func(ctx context.Context, p *evaluation, benchmark, labels string) error,
	tabulate func(rows []report.BenchmarkRow, distance string) *table.Table) (*Ratings, error) {
	if err := r.findDrawn(r.Benchmarks); err != nil {
		return nil, err
	}
	n := len(r.Benchmarks)
	descriptors := max(1, len(r.Sources), len(r.Results)/n)
	var list []*evaluation
	for i := range n * descriptors {
		if r.Sources != nil {
			r.source = r.Sources[i/n]
		}
		benchmark, labels := r.Benchmarks[i%n], ""
		if len(r.Labels) > 0 {
			labels = r.Labels[i%n]
		}
		p := &evaluation{name: y2016.TaskName(benchmark), asked: []string{benchmark, labels}}
		if r.Results != nil {
			p.answered = r.Results[i : i+1]
		}
		err := evaluate(ctx, p, benchmark, labels)
		if err == nil && p.set != nil {
			p.descriptor = p.set.Name
		} else if err == nil {
			p.descriptor, err = r.descriptorOf(p.answered[0])
		}
		p.metrics = func() []scope.Metric { return p.result.Metrics() }
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	r.drawMeans(list)
	out, err := r.finish(ctx, list)
	if err != nil {
		return nil, err
	}
	var rows []report.BenchmarkRow
	var results []*y2016.Result // of a descriptor
	for i, p := range list {
		rows, results = append(rows, report.BenchmarkRow{Descriptor: p.descriptor, Benchmark: p.name, Result: p.result}), append(results, p.result)
		for _, f := range p.facts {
			if n > 1 {
				f = f.Within(p.name)
			}
			if descriptors > 1 {
				f = f.On(p.descriptor)
			}
			out.Facts = append(out.Facts, f)
		}
		if n > 1 && len(results) == n {
			rows = append(rows, report.BenchmarkRow{Descriptor: list[i+1-n].descriptor, Benchmark: fmt.Sprintf("mean of %d", n), Result: y2016.Mean(results)})
			results = nil
		}
	}
	out.Table = tabulate(rows, list[0].distance.Text(false))
	return out, nil
}

// finish writes the charts, and the evaluations to the database.
func (r *run) finish(ctx context.Context, list []*evaluation) (*Ratings, error) {
	if r.charts.Charts != nil {
		files, err := r.charts.Write(ctx, r.Figures, r.Formats, figure.Column)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			r.written = append(r.written, filepath.Join(r.Figures, file))
		}
	}
	var entries []Result
	for _, p := range list {
		if r.Database == "" {
			break
		}
		entry, err := r.entry(p)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	entered, err := enterAll(ctx, r.Database, r.Version, entries)
	return &Ratings{Facts: r.about(""), Written: append(r.written, entered...)}, err
}

// findDrawn finds out whether descbench drew the tasks of files, and from other strips than those described.
func (r *run) findDrawn(files []string) error {
	for _, file := range files {
		tasks, err := drawnTasks(filepath.Dir(filepath.Dir(file)))
		if err != nil {
			return err
		}
		if tasks.Edition == 2016 && tasks.Split != nil && r.drawn == nil {
			sequences := tasks.Split.Test
			if setOf(file) == "train" {
				sequences = tasks.Split.Train
			}
			r.drawn = append(r.drawn, fact.New(fact.OwnTasks).With("sequences", float64(len(sequences))))
			for _, s := range r.Sources {
				s.placed = append(s.placed, tasks.otherStrips(s, sequences)...)
			}
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

// entry returns the entry of an evaluation for the database.
func (r *run) entry(p *evaluation) (entry Result, err error) {
	asked, err := digestOf(p.asked)
	if err != nil {
		return entry, err
	}
	answered, err := digestOf(p.answered)
	if err != nil {
		return entry, err
	}
	entry = Result{
		Protocol: Protocol{
			Task: r.command, Benchmark: p.name, Protocol: "2016", Distance: string(p.distance),
			Definitions: map[string]string{"": asked}, Data: answered,
		},
		Result: ranking.Result{Descriptor: p.descriptor, Facts: slices.Concat(p.facts, r.drawn)},
	}
	if p.set != nil {
		entry.Dimension, entry.Type = p.set.Dim, p.set.Type.String()
		source := r.Sources[slices.IndexFunc(r.Sources, func(s *Source) bool { return s.Name == p.set.Name })]
		entry.Strips, entry.Facts = source.stripsOf(p.set.Sequences()), append(entry.Facts, source.placed...)
	}
	entry.Metrics = p.metrics()
	return entry, nil
}

// digestOf returns a digest of files, of which "" stands for none.
func digestOf(paths []string) (string, error) {
	var digests []string
	for _, path := range paths {
		if path == "" {
			digests = append(digests, "")
			continue
		}
		digest, err := plan.FileDigest(path)
		if err != nil {
			return "", plan.Fault(err)
		}
		digests = append(digests, digest)
	}
	return store.SHA256([]byte(strings.Join(digests, "\n"))), nil
}

// load returns the descriptors of the images that want adds, or nil without a
// source. Invalid rows are zeros: the files of 2016 must name a nearest neighbour of each.
func (r *run) load(ctx context.Context, want func(patches.Wanted)) (*patches.Set, error) {
	if r.source == nil {
		return nil, nil
	}
	wanted := patches.Wanted{}
	want(wanted)
	set, err := patches.Load(ctx, files.Open, r.source.dir, wanted, r.Jobs)
	if err != nil {
		return nil, err
	}
	return set.Zeroed()
}

// answers reads the results of an evaluation. If there is no results file, it computes
// the results for the benchmark and writes them.
func answers[A any](r *run, p *evaluation, benchmark string, read func(name string, in io.Reader) (A, error), compute func() (A, []fact.Fact, error), write func(io.Writer, A) error) (A, error) {
	if p.answered != nil {
		return patches.ReadFile(files.Open, p.answered[0], read)
	}
	a, facts, err := compute()
	if err != nil {
		return a, err
	}
	p.distance, p.facts = r.Distance, append(p.set.Facts(), facts...)
	file, err := r.save(p.set.Name, benchmark, func(w io.Writer) error { return write(w, a) })
	p.answered = []string{file}
	return a, err
}

// save writes the results for a benchmark or pairs file.
func (r *run) save(descriptor, benchmark string, write func(io.Writer) error) (string, error) {
	file := y2016.ResultsPath(filepath.Join(r.Out, "results"), r.task, descriptor, benchmark)
	r.written = append(r.written, file)
	return file, store.WriteFile(file, write)
}

// A graph shows curves of a descriptor, or of several.
type graph[C any] struct {
	descriptor  string // "" for several
	file, title string
	over        string // what mean curves are means over
	curves      []C
}

// plot adds a curve to the graph of this title in a list, which gets it if it lacks one.
func plot[C any](list []*graph[C], to graph[C], curve C) []*graph[C] {
	i := slices.IndexFunc(list, func(g *graph[C]) bool { return g.title == to.title })
	if i < 0 {
		i, list = len(list), append(list, &to)
	}
	list[i].curves = append(list[i].curves, curve)
	return list
}

// graphsOf returns the graphs of descriptors, and those that show several.
func graphsOf[C any](own, shared []*graph[C]) []*graph[C] {
	return append(own, slices.DeleteFunc(shared, func(g *graph[C]) bool { return len(g.curves) == 1 })...)
}

// drawMeans adds the charts <descriptor>/<benchmark>_pr and, of several descriptors,
// <benchmark>_<curve>_pr.
func (r *run) drawMeans(list []*evaluation) {
	if r.Figures == "" {
		return
	}
	var own, shared []*graph[report.NamedCurve]
	for _, p := range list {
		for _, f := range p.result.Figures {
			if f.Curve == "" {
				continue
			}
			file, curve := p.name+"_"+f.Curve, report.NamedCurve{Name: f.Curve, Curve: f.MeanCurve(), MAP: f.Mean}
			own = plot(own, graph[report.NamedCurve]{descriptor: p.descriptor, file: p.name, title: p.descriptor + ", " + p.name, over: p.over}, curve)
			curve.Name = p.descriptor
			shared = plot(shared, graph[report.NamedCurve]{file: file, title: file, over: p.over}, curve)
		}
	}
	for _, g := range graphsOf(own, shared) {
		text := "Tasks of 2016, mean over " + g.over + ". Precision is interpolated."
		r.chart(g.descriptor, g.file+"_pr", "Mean precision-recall curves, "+g.title, text, report.MeanGraph(g.curves))
	}
}

// chart adds a chart of a descriptor, or of all, with what must be known of them below its text.
func (r *run) chart(descriptor, file, title, text string, shown figure.Figure) {
	caption := charts.Caption{text}
	for _, note := range notes.Strings(notes.Lines(r.about(descriptor))) {
		caption = append(caption, "Note: "+note+".")
	}
	r.charts.Charts = append(r.charts.Charts, charts.Chart{ID: path.Join(descriptor, file), Title: title, Caption: caption, Figure: shown})
}

// descriptorOf returns the name of the descriptor of a results file.
func (r *run) descriptorOf(results string) (string, error) {
	if r.Name != "" {
		return r.Name, nil
	}
	return y2016.DescriptorOf(results)
}

// Match evaluates matching benchmarks. It reads the results if there are results
// files and computes them otherwise.
func Match(ctx context.Context, o Original) (*Ratings, error) {
	r := &run{Original: o, task: y2016.Matching, command: "match"}
	return r.rate(ctx, r.match, report.MatchingOf2016)
}

func (r *run) match(ctx context.Context, p *evaluation, benchmark, labelled string) error {
	b, err := patches.ReadFile(files.Open, benchmark, y2016.ReadMatchingBenchmark)
	if err != nil {
		return err
	}
	var labels *y2016.MatchingLabels
	if labelled != "" {
		labels, err = patches.ReadFile(files.Open, labelled, func(name string, in io.Reader) (*y2016.MatchingLabels, error) {
			return y2016.ReadMatchingLabels(name, in, b)
		})
		if err != nil {
			return err
		}
	}
	if p.set, err = r.load(ctx, b.Want); err != nil {
		return err
	}
	matches, err := answers(r, p, benchmark, func(name string, in io.Reader) ([]y2016.Matches, error) {
		return y2016.ReadMatches(name, in, b, labels)
	}, func() ([]y2016.Matches, []fact.Fact, error) {
		matches, err := y2016.Match(ctx, p.set, b, r.Distance, r.Jobs)
		return matches, nil, err
	}, y2016.WriteMatches)
	if err != nil {
		return err
	}
	p.result, err = y2016.EvaluateMatching(matches, labels)
	p.over = spelling.Count(len(matches), "image pair")
	return err
}

// Retrieve evaluates retrieval benchmarks. Without results files it computes the
// results from the source. With both, the source only provides the numbers of
// patches.
func Retrieve(ctx context.Context, o Original) (*Ratings, error) {
	r := &run{Original: o, task: y2016.Retrieval, command: "retrieve"}
	return r.rate(ctx, r.retrieve, report.RetrievalOf2016)
}

func (r *run) retrieve(ctx context.Context, p *evaluation, benchmark, labelled string) error {
	b, err := patches.ReadFile(files.Open, benchmark, y2016.ReadRetrievalBenchmark)
	if err != nil {
		return err
	}
	if p.set, err = r.load(ctx, b.Want); err != nil {
		return err
	}
	clusters := b.SamePlace()
	if labelled != "" {
		clusters, err = patches.ReadFile(files.Open, labelled, func(name string, in io.Reader) ([][]patches.Signature, error) {
			return y2016.ReadClusters(name, in, b, p.set)
		})
		if err != nil {
			return err
		}
	}
	rankings, err := answers(r, p, benchmark, func(name string, in io.Reader) ([][]patches.Signature, error) {
		return y2016.ReadRankings(name, in, b, p.set)
	}, func() ([][]patches.Signature, []fact.Fact, error) {
		return y2016.Retrieve(ctx, p.set, b, r.Distance, r.Jobs)
	}, func(w io.Writer, rankings [][]patches.Signature) error { return y2016.WriteRankings(w, b, rankings) })
	if err != nil {
		return err
	}
	p.result, err = y2016.EvaluateRetrieval(b, clusters, rankings, p.set)
	p.over = fmt.Sprintf("%d queries", len(b.Queries))
	return err
}
