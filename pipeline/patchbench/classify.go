package patchbench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"descbench/eval/binary"
	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/eval/spelling"
	"descbench/pipeline/charts"
	"descbench/pipeline/files"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
)

// A combination is the evaluation of a file of positives and a file of negatives, which may be
// the same file.
type combination struct {
	evaluation
	positives, negatives string
	from                 origin
	measured             *y2016.ClassificationResult
}

// Classify evaluates every combination of positives and negatives with the same
// descriptor and set. Combinations are ordered by negatives first, as in the names
// used by the benchmark. Classify computes the distances of pairs.
func Classify(ctx context.Context, o Original) (*Ratings, error) {
	c := &classification{run: run{Original: o, task: y2016.Classification, command: "classify"}}
	if err := c.findDrawn(o.Pairs); err != nil {
		return nil, err
	}
	if len(o.Sources) == 0 {
		if err := c.read(ctx); err != nil {
			return nil, err
		}
	}
	for _, c.source = range o.Sources {
		if err := c.read(ctx); err != nil {
			return nil, err
		}
	}
	if err := c.combine(); err != nil {
		return nil, err
	}
	var list []*evaluation
	var rows []report.ClassifiedPair
	var about []fact.Fact // the combinations
	distance := ""
	for _, l := range c.list {
		var err error
		if l.measured, err = y2016.EvaluateClassification(l.classes); err != nil {
			return nil, err
		}
		l.facts = l.measured.Facts
		row := report.ClassifiedPair{Descriptor: l.descriptor, Positives: y2016.TaskName(l.positives), Negatives: y2016.TaskName(l.negatives), Result: l.measured}
		rows, list, distance = append(rows, row), append(list, &l.evaluation), c.list[0].distance.Text(false)
		for _, f := range l.facts {
			about = append(about, f.Within(row.Positives+", "+row.Negatives))
		}
	}
	if err := c.draw(); err != nil {
		return nil, err
	}
	out, err := c.finish(ctx, list)
	if err != nil {
		return nil, err
	}
	if o.ROC {
		out.Facts = append(out.Facts, fact.New(fact.ROCImbalanced).Of("imbalanced"))
	}
	if len(list) == 0 {
		out.Facts = append(out.Facts, fact.New(fact.OneClass))
	}
	out.Facts = append(out.Facts, about...)
	out.Table = report.Classification(rows, distance, o.ROC)
	return out, nil
}

// A classification is the state of one call of Classify.
type classification struct {
	run
	positives, negatives []classFile
	list                 []*combination
}

// A classFile has the results of a file.
type classFile struct {
	*y2016.Results
	from origin
	set  *patches.Set // nil if results were read
}

// add adds the combination of two files, or of a file that holds both classes: its name has both
// names, or that one.
func (c *classification) add(positives, negatives classFile, classes *y2016.Classes) {
	l := &combination{positives: positives.File, negatives: negatives.File, from: positives.from}
	l.evaluation = evaluation{name: y2016.TaskName(l.positives), descriptor: l.from.descriptor, set: positives.set, classes: classes, digests: classes.Digests}
	if l.positives != l.negatives {
		l.name += "_" + y2016.TaskName(l.negatives)
	}
	if l.set != nil {
		l.distance = c.Distance
	}
	c.list = append(c.list, l)
}

// read reads or computes all distances of a descriptor.
func (c *classification) read(ctx context.Context) error {
	for _, files := range []struct {
		paths []string
		of    y2016.Label
	}{{c.Positives, y2016.Positive}, {c.Negatives, y2016.Negative}, {c.Results, y2016.Both}} {
		for _, path := range files.paths {
			r, err := readOf(path, files.of, y2016.ReadResults)
			if err == nil {
				err = c.take(classFile{Results: r}, files.of)
			}
			if err != nil {
				return err
			}
		}
	}
	if len(c.Pairs) == 0 {
		return nil
	}
	lists, results := make([]*y2016.Pairs, len(c.Pairs)), make([]*y2016.Results, len(c.Pairs))
	for i, path := range c.Pairs {
		var err error
		if lists[i], err = readOf(path, y2016.LabelOf(path), y2016.ReadPairs); err != nil {
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
	for i, p := range lists {
		if results[i], err = y2016.Compare(ctx, set, p, c.Distance, c.Jobs); err != nil {
			return err
		}
	}
	for i, r := range results {
		if r.File, err = c.save(set.Name, lists[i].File, r.Write); err == nil {
			err = c.take(classFile{Results: r, set: set}, lists[i].Class())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readOf reads a file of pairs of a label.
func readOf[T any](path string, of y2016.Label, read func(name string, in io.Reader, of y2016.Label) (T, error)) (T, error) {
	return patches.ReadFile(files.Open, path, func(name string, in io.Reader) (T, error) { return read(name, in, of) })
}

// take keeps a file for combinations with others or, if it has both classes, makes its own of it.
func (c *classification) take(f classFile, of y2016.Label) error {
	descriptor, err := c.descriptorOf(f.File)
	if err != nil {
		return err
	}
	f.from = origin{descriptor, setOf(f.File)}
	switch of {
	case y2016.Positive:
		c.positives = append(c.positives, f)
	case y2016.Negative:
		c.negatives = append(c.negatives, f)
	default:
		classes, err := y2016.Divide(f.Results)
		if err != nil {
			return err
		}
		c.add(f, f, classes)
	}
	return nil
}

// combine combines every file of positives with every file of negatives of the same origin.
// The origins have the order in which the user named them, as in the figures of the other
// tasks.
func (c *classification) combine() error {
	origins, others := originsOf(c.positives), originsOf(c.negatives)
	if origins == nil || others == nil {
		return nil
	}
	if len(origins) != len(others) || slices.ContainsFunc(origins, func(o origin) bool { return !slices.Contains(others, o) }) {
		return &patches.OptionError{Reason: fmt.Sprintf("positives of %s, negatives of %s: want both from the same descriptors and sets; "+
			"the folder of a file names its descriptor, unless --name does", origins, others)}
	}
	for _, from := range origins {
		for _, n := range c.negatives {
			for _, p := range c.positives {
				if n.from == from && p.from == from {
					c.add(p, n, y2016.NewClasses(p.Results, n.Results))
				}
			}
		}
	}
	return nil
}

func originsOf(list []classFile) (origins []origin) {
	for _, f := range list {
		if !slices.Contains(origins, f.from) {
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

// setOf returns the set at the start of a file name: train, test or "".
func setOf(path string) string {
	if set, _, found := strings.Cut(y2016.TaskName(path), "_"); found && (set == "train" || set == "test") {
		return set
	}
	return ""
}

// A graph shows the curves of combinations, under names, in files of a folder whose names begin
// with prefix.
type graph struct {
	folder, prefix, title string
	names                 []string
	list                  []*combination
}

// draw draws the requested graphs: those of a descriptor on a set, and those of
// several descriptors on the same combination of files. They have the ROC curves of the balanced
// protocol, and the precision-recall curves of the imbalanced protocol.
func (c *classification) draw() error {
	if c.Figures == "" {
		return nil
	}
	at, err := binary.ParseOperatingPoint("youden")
	if err != nil {
		return err
	}
	var own, shared []*graph
	add := func(all *[]*graph, to graph, name string, l *combination) error {
		i := slices.IndexFunc(*all, func(g *graph) bool { return g.folder == to.folder && g.title == to.title })
		if i < 0 {
			i, *all = len(*all), append(*all, &to)
		}
		g := (*all)[i]
		if g.folder != "" && slices.Contains(g.names, name) {
			return &patches.OptionError{Reason: fmt.Sprintf("%s: two combinations are called %s, so their curves would overwrite each other", g.title, name)}
		}
		g.names, g.list = append(g.names, name), append(g.list, l)
		return nil
	}
	for _, l := range c.list {
		prefix := l.from.set
		if prefix != "" {
			prefix += "_"
		}
		if err := add(&own, graph{folder: l.from.descriptor, prefix: prefix, title: l.from.String()}, l.name, l); err != nil {
			return err
		}
		if err := add(&shared, graph{prefix: l.name + "_", title: l.name}, l.from.descriptor, l); err != nil {
			return err
		}
	}
	for _, g := range own {
		g.names = shortNames(g.names)
	}
	shared = slices.DeleteFunc(shared, func(g *graph) bool { return len(g.list) == 1 })
	for _, g := range slices.Concat(own, shared) {
		c.chart(g, "balanced_roc", "ROC", 0, at, report.ROC)
		c.chart(g, "imbalanced_pr", "Precision-recall", 1, at, report.PrecisionRecall)
		if c.ROC {
			c.chart(g, "imbalanced_roc", "ROC", 1, at, report.ROC)
		}
	}
	return nil
}

// chart adds the chart of a protocol.
func (c *classification) chart(g *graph, file, what string, protocol int, at binary.OperatingPoint, figureOf func([]binary.System, report.LookOf) *figure.Graph) {
	var systems []binary.System
	var positives, negatives []int
	for i, l := range g.list {
		s := binary.NewSystem(g.names[i], l.measured.Curves[protocol], at)
		s.Index = i
		systems = append(systems, s)
		positives, negatives = append(positives, int(s.Summary.Positives)), append(negatives, int(s.Summary.Negatives))
	}
	which := [...]string{"as many negatives as positives", "all negatives"}[protocol]
	text := fmt.Sprintf("Tasks of 2016, %s (%s): %s positive and %s negative pairs.", y2016.Protocols[protocol], which, spelling.Span(positives...), spelling.Span(negatives...))
	c.charts.Charts = append(c.charts.Charts, charts.Chart{ID: path.Join(g.folder, g.prefix+file), Title: what + " curves, " + g.title, Caption: c.caption(g.folder, text), Figure: figureOf(systems, figure.NewLook)})
}

// shortNames returns names without their common prefix, up to an underscore.
func shortNames(names []string) []string {
	if len(names) == 1 {
		return names
	}
	prefix := names[0]
	for _, name := range names {
		for !strings.HasPrefix(name, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	prefix = prefix[:strings.LastIndex(prefix, "_")+1]
	short := slices.Clone(names)
	for i, name := range names {
		short[i] = cmp.Or(strings.TrimPrefix(name, prefix), name)
	}
	return short
}
