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

// ClassifyFiles are the input files of classify: results of positives, results of
// negatives and lists of pairs; or results of both classes.
type ClassifyFiles struct {
	Positives, Negatives, Pairs, Results []string
}

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
// used by the benchmark. Classify computes the distances of pairs. roc adds the ROC curve
// of the imbalanced protocol.
func Classify(ctx context.Context, o Original, f ClassifyFiles, roc bool) (*Ratings, error) {
	c := &classification{run: run{Original: o, task: y2016.Classification, command: "classify"}, ctx: ctx, files: f, computed: make(map[*y2016.Results]*patches.Set)}
	if err := c.findDrawn(f.Pairs); err != nil {
		return nil, err
	}
	if len(o.Sources) == 0 {
		if err := c.read(); err != nil {
			return nil, err
		}
	}
	for _, c.source = range o.Sources {
		if err := c.read(); err != nil {
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
	if err := c.draw(roc); err != nil {
		return nil, err
	}
	out, err := c.finish(ctx, list)
	if err != nil {
		return nil, err
	}
	if roc {
		out.Facts = append(out.Facts, fact.New(fact.ROCImbalanced).Of("imbalanced"))
	}
	if len(list) == 0 {
		out.Facts = append(out.Facts, fact.New(fact.OneClass))
	}
	out.Facts = append(out.Facts, about...)
	out.Table = report.Classification(rows, distance, roc)
	return out, nil
}

// A classification is the state of one call of Classify.
type classification struct {
	run
	ctx   context.Context
	files ClassifyFiles

	computed             map[*y2016.Results]*patches.Set
	positives, negatives []*y2016.Results
	list                 []*combination
}

// add adds the combination of two files, or of a file that holds both classes: its name has both
// names, or that one.
func (c *classification) add(positives, negatives *y2016.Results, from origin, classes *y2016.Classes) {
	l := &combination{positives: positives.File, negatives: negatives.File, from: from}
	l.evaluation = evaluation{name: y2016.TaskName(l.positives), descriptor: from.descriptor, set: c.computed[positives], classes: classes, digests: classes.Digests}
	if positives != negatives {
		l.name += "_" + y2016.TaskName(l.negatives)
	}
	if l.set != nil {
		l.distance = c.Distance
	}
	c.list = append(c.list, l)
}

// read reads or computes all distances.
func (c *classification) read() error {
	for _, files := range []struct {
		paths []string
		of    y2016.Label
		list  *[]*y2016.Results
	}{{c.files.Positives, y2016.Positive, &c.positives}, {c.files.Negatives, y2016.Negative, &c.negatives}} {
		for _, path := range files.paths {
			r, err := readResults(path, files.of)
			if err != nil {
				return err
			}
			*files.list = append(*files.list, r)
		}
	}
	if c.files.Pairs != nil {
		return c.comparePairs()
	}
	for _, path := range c.files.Results {
		r, err := readResults(path, y2016.Both)
		if err == nil {
			err = c.divide(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func readResults(path string, of y2016.Label) (*y2016.Results, error) {
	return patches.ReadFile(files.Open, path, func(name string, in io.Reader) (*y2016.Results, error) {
		return y2016.ReadResults(name, in, of)
	})
}

// comparePairs computes the distances of pairs and groups the files by class.
func (c *classification) comparePairs() error {
	lists := make([]*y2016.Pairs, len(c.files.Pairs))
	var wanting []interface{ Want(patches.Wanted) }
	for i, path := range c.files.Pairs {
		var err error
		lists[i], err = patches.ReadFile(files.Open, path, func(name string, in io.Reader) (*y2016.Pairs, error) {
			return y2016.ReadPairs(name, in, y2016.LabelOf(path))
		})
		if err != nil {
			return err
		}
		wanting = append(wanting, lists[i])
	}
	set, err := c.load(c.ctx, wanting...)
	if err != nil {
		return err
	}
	results := make([]*y2016.Results, len(lists))
	for i, p := range lists {
		if results[i], err = y2016.Compare(c.ctx, set, p, c.Distance, c.Jobs); err != nil {
			return err
		}
	}
	for i, r := range results {
		c.computed[r] = set
		if r.File, err = c.save(set.Name, lists[i].File, r.Write); err != nil {
			return err
		}
		switch lists[i].Class() {
		case y2016.Positive:
			c.positives = append(c.positives, r)
		case y2016.Negative:
			c.negatives = append(c.negatives, r)
		default:
			if err := c.divide(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// divide splits the results of one file into both classes.
func (c *classification) divide(r *y2016.Results) error {
	classes, err := y2016.Divide(r)
	if err != nil {
		return err
	}
	descriptor, err := c.descriptorOf(r.File)
	c.add(r, r, origin{descriptor, setOf(r.File)}, classes)
	return err
}

// combine combines every file of positives with every file of negatives of the same origin.
// The origins have the order in which the user named them, as in the figures of the other
// tasks.
func (c *classification) combine() error {
	of := make(map[*y2016.Results]origin)
	var origins, others []origin
	for _, class := range []struct {
		list []*y2016.Results
		from *[]origin
	}{{c.positives, &origins}, {c.negatives, &others}} {
		for _, r := range class.list {
			descriptor, err := c.descriptorOf(r.File)
			if err != nil {
				return err
			}
			if of[r] = (origin{descriptor, setOf(r.File)}); !slices.Contains(*class.from, of[r]) {
				*class.from = append(*class.from, of[r])
			}
		}
	}
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
				if of[n] == from && of[p] == from {
					c.add(p, n, from, y2016.NewClasses(p, n))
				}
			}
		}
	}
	return nil
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
// protocol, the precision-recall curves of the imbalanced protocol and, if roc is set, its ROC curves.
func (c *classification) draw(roc bool) error {
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
		if roc {
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
