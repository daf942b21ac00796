package patchbench

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"descbench/eval/binary"
	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/eval/spelling"
	"descbench/pipeline/files"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
)

// A combination is the evaluation of a file of positives and a file of negatives.
type combination struct {
	evaluation
	report.ClassifiedPair
	from origin
}

// Classify evaluates every combination of positives and negatives with the same
// descriptor and set. Combinations are ordered by negatives first, as in the names
// used by the benchmark. Classify computes the distances of pairs, or reads them.
func Classify(ctx context.Context, o Original) (*Ratings, error) {
	c := &classification{run: run{Original: o, task: y2016.Classification, command: "classify"}}
	if err := c.findDrawn(o.Pairs); err != nil {
		return nil, err
	}
	for _, path := range o.Results {
		r, err := patches.ReadFile(files.Open, path, y2016.ReadResults)
		if err == nil {
			err = c.take(classFile{Results: r})
		}
		if err != nil {
			return nil, err
		}
	}
	for _, c.source = range o.Sources {
		if err := c.compute(ctx); err != nil {
			return nil, err
		}
	}
	list, err := c.combine()
	if err != nil {
		return nil, err
	}
	var all []*evaluation
	var rows []report.ClassifiedPair
	var about []fact.Fact // the combinations
	distance := ""
	for _, l := range list {
		rows, all, distance = append(rows, l.ClassifiedPair), append(all, &l.evaluation), l.distance.Text(false)
		for _, f := range l.facts {
			about = append(about, f.Within(l.Positives+", "+l.Negatives))
		}
	}
	c.draw(list)
	out, err := c.finish(ctx, all)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		out.Facts = append(out.Facts, fact.New(fact.OneClass))
	}
	out.Facts = append(out.Facts, about...)
	out.Table = report.Classification(rows, distance)
	return out, nil
}

// A classification is the state of one call of Classify.
type classification struct {
	run
	files []classFile
}

// A classFile has the results of a file, all positive or all negative.
type classFile struct {
	*y2016.Results
	from  origin
	pairs string       // file; "" if results were read
	set   *patches.Set // nil if results were read
}

// compute computes and writes all distances of a descriptor.
func (c *classification) compute(ctx context.Context) error {
	lists := make([]*y2016.Pairs, len(c.Pairs))
	for i, path := range c.Pairs {
		var err error
		if lists[i], err = patches.ReadFile(files.Open, path, y2016.ReadPairs); err != nil {
			return err
		}
	}
	set, err := c.load(ctx, func(w patches.Wanted) {
		for _, p := range lists {
			p.Want(w)
		}
	})
	if err != nil {
		return err
	}
	for _, p := range lists {
		r, err := y2016.Compare(ctx, set, p, c.Distance, c.Jobs)
		if err != nil {
			return err
		}
		if r.File, err = c.save(set.Name, p.File, r.Write); err == nil {
			err = c.take(classFile{Results: r, pairs: p.File, set: set})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// take keeps a file for combinations with others. It returns an error if there is one of the same
// class, descriptor and name: their combinations would have the same names.
func (c *classification) take(f classFile) error {
	descriptor, err := c.descriptorOf(f.File)
	if err != nil {
		return err
	}
	f.from = origin{descriptor, setOf(f.File)}
	for _, other := range c.files {
		if other.Positive == f.Positive && other.from == f.from && y2016.TaskName(other.File) == y2016.TaskName(f.File) {
			return &patches.OptionError{Reason: fmt.Sprintf("%s and %s have the same name and descriptor, want each once", other.File, f.File)}
		}
	}
	c.files = append(c.files, f)
	return nil
}

// combine combines every file of positives with every file of negatives of the same origin.
// The origins have the order in which the user named them, as in the figures of the other
// tasks.
func (c *classification) combine() (list []*combination, err error) {
	origins, others := c.origins(true), c.origins(false)
	if (origins == nil || others == nil) && c.Sources == nil {
		return nil, &patches.OptionError{Reason: "all pairs belong to one class: want files of positives (label 1) and of negatives (label 0)"}
	} else if origins == nil || others == nil { // distances were written
		return nil, nil
	}
	if len(origins) != len(others) || slices.ContainsFunc(origins, func(o origin) bool { return !slices.Contains(others, o) }) {
		return nil, &patches.OptionError{Reason: fmt.Sprintf("positives of %s, negatives of %s: want both from the same descriptors and sets; "+
			"the folder of a file names its descriptor, unless --name does", origins, others)}
	}
	for _, from := range origins {
		for _, n := range c.files {
			for _, p := range c.files {
				if n.Positive || !p.Positive || n.from != from || p.from != from {
					continue
				}
				pair := report.ClassifiedPair{
					Descriptor: from.descriptor, Positives: y2016.TaskName(p.File), Negatives: y2016.TaskName(n.File),
					Result: y2016.EvaluateClassification(p.Results, n.Results),
				}
				l := evaluation{
					name: pair.Positives + "_" + strings.TrimPrefix(pair.Negatives, from.prefix()), descriptor: from.descriptor, set: p.set,
					asked: []string{p.pairs, n.pairs}, answered: []string{p.File, n.File}, facts: pair.Result.Facts, metrics: pair.Result.Metrics,
				}
				if l.set != nil {
					l.distance = c.Distance
				}
				list = append(list, &combination{l, pair, from})
			}
		}
	}
	return list, nil
}

// origins returns those of the files of a class.
func (c *classification) origins(positive bool) (origins []origin) {
	for _, f := range c.files {
		if f.Positive == positive && !slices.Contains(origins, f.from) {
			origins = append(origins, f.from)
		}
	}
	return origins
}

// An origin is the descriptor and the set of results. Only results with the same
// origin are combined.
type origin struct {
	descriptor string
	set        string // train, test or ""
}

func (o origin) String() string {
	if o.set == "" {
		return o.descriptor
	}
	return o.descriptor + " (" + o.set + ")"
}

// prefix begins the names of the files of the set.
func (o origin) prefix() string {
	if o.set == "" {
		return ""
	}
	return o.set + "_"
}

// setOf returns the set at the start of a file name: train, test or "".
func setOf(path string) string {
	if set, _, found := strings.Cut(y2016.TaskName(path), "_"); found && (set == "train" || set == "test") {
		return set
	}
	return ""
}

// A curve is that of a combination, under a name.
type curve struct {
	*combination
	name string
}

// draw draws the requested graphs: those of a descriptor on a set, and those of
// several descriptors on the same combination of files. They have the ROC curves of the balanced
// protocol, and the precision-recall curves of the imbalanced protocol.
func (c *classification) draw(list []*combination) {
	if c.Figures == "" {
		return
	}
	var own, shared []*graph[curve]
	for _, l := range list {
		prefix := l.from.prefix()
		own = plot(own, graph[curve]{descriptor: l.descriptor, file: prefix, title: l.from.String()}, curve{l, strings.TrimPrefix(l.name, prefix)})
		shared = plot(shared, graph[curve]{file: l.name + "_", title: l.name}, curve{l, l.descriptor})
	}
	for _, g := range graphsOf(own, shared) {
		c.drawProtocol(g, "balanced_roc", "ROC", 0, report.ROC)
		c.drawProtocol(g, "imbalanced_pr", "Precision-recall", 1, report.PrecisionRecall)
	}
}

// drawProtocol adds the chart of a protocol.
func (c *classification) drawProtocol(g *graph[curve], file, what string, protocol int, figureOf func([]binary.System, report.LookOf) *figure.Graph) {
	var systems []binary.System
	var positives, negatives []int
	for i, l := range g.curves {
		s := binary.NewSystem(l.name, l.Result.Curves[protocol], binary.BestYouden)
		s.Index = i
		systems = append(systems, s)
		positives, negatives = append(positives, int(s.Summary.Positives)), append(negatives, int(s.Summary.Negatives))
	}
	which := [...]string{"as many negatives as positives", "all negatives"}[protocol]
	text := fmt.Sprintf("Tasks of 2016, %s (%s): %s positive and %s negative pairs.", y2016.Protocols[protocol], which, spelling.Span(positives...), spelling.Span(negatives...))
	c.chart(g.descriptor, g.file+file, what+" curves, "+g.title, text, figureOf(systems, figure.NewLook))
}
