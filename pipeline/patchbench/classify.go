package patchbench

import (
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
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/charts"
	"descbench/pipeline/files"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
)

// ClassifyFiles are the input files of classify: results of positives, results of
// negatives and lists of pairs; or results of both classes.
type ClassifyFiles struct {
	Positives, Negatives, Pairs, Results []string
}

// A combination is a file of positives and a file of negatives, which may be the
// same file.
type combination struct {
	positives, negatives string
	origin
	classes *y2016.Classes
	set     *patches.Set // nil if results were read
	result  *y2016.ClassificationResult
}

// Classify evaluates every combination of positives and negatives with the same
// descriptor and set. Combinations are ordered by negatives first, as in the names
// used by the benchmark. Classify computes the distances of pairs. roc adds the ROC curve
// of the imbalanced protocol.
func Classify(ctx context.Context, o Original, f ClassifyFiles, roc bool) (*Ratings, error) {
	c := &classification{run: run{Original: o, task: y2016.Classification}, ctx: ctx, files: f, computed: make(map[*y2016.Results]*patches.Set)}
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
	list, written, err := rate(ctx, &c.run, "classify", len(c.list), c.evaluate, func() error { return c.drawAll(roc) })
	if err != nil {
		return nil, err
	}
	out := &Ratings{Written: written, Facts: c.about("")}
	if roc {
		out.Facts = append(out.Facts, fact.New(fact.ROCImbalanced).Of("imbalanced"))
	}
	if len(list) == 0 {
		out.Facts = append(out.Facts, fact.New(fact.OneClass))
	}
	var rows []report.ClassifiedPair
	distance := ""
	for i, l := range c.list {
		row := report.ClassifiedPair{Descriptor: l.descriptor, Positives: y2016.TaskName(l.positives), Negatives: y2016.TaskName(l.negatives), Figures: l.result}
		rows, distance = append(rows, row), list[0].distance.Text(false)
		for _, f := range list[i].facts {
			out.Facts = append(out.Facts, f.Within(row.Positives+", "+row.Negatives))
		}
	}
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

// evaluate evaluates a combination.
func (c *classification) evaluate(i int) (*evaluation, error) {
	l := c.list[i]
	var err error
	if l.result, err = y2016.EvaluateClassification(l.classes); err != nil {
		return nil, err
	}
	p := &evaluation{name: l.name(), descriptor: l.descriptor, facts: l.result.Facts, set: l.set}
	if l.set != nil {
		p.distance = c.Distance
	}
	p.metrics = func() ([]scope.Metric, error) { return y2016.ClassificationMetrics(l.classes) }
	p.digests = func() (string, string) { return y2016.ClassificationDigests(l.classes) }
	return p, nil
}

// name returns the joined names of both files, or the name of the file that holds
// both classes.
func (l *combination) name() string {
	if l.positives == l.negatives {
		return y2016.TaskName(l.positives)
	}
	return y2016.TaskName(l.positives) + "_" + y2016.TaskName(l.negatives)
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
	c.list = append(c.list, &combination{
		positives: r.File, negatives: r.File, origin: origin{descriptor, setOf(r.File)}, classes: classes, set: c.computed[r],
	})
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
					c.list = append(c.list, &combination{positives: p.File, negatives: n.File, origin: from, classes: y2016.NewClasses(p, n), set: c.computed[p]})
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

// protocols are those of classification: the first is evaluated by the ROC curve, the
// second by precision and recall.
var protocols = [...]string{"balanced", "imbalanced"}

// curves are the classifiers of combinations of files by protocol, in files of a folder whose
// names begin with prefix.
type curves struct {
	folder, prefix, title string
	sizes                 [len(protocols)][2][]int // numbers of positives and of negatives
	systems               [len(protocols)][]binary.System
}

// add adds the systems of a combination under a name.
func (c *curves) add(name string, of [len(protocols)]binary.System, pairs [len(protocols)]*y2016.Classes) {
	for i, s := range of {
		c.sizes[i][0], c.sizes[i][1] = append(c.sizes[i][0], len(pairs[i].Positive)), append(c.sizes[i][1], len(pairs[i].Negative))
		s.Name, s.Index = name, len(c.systems[i])
		c.systems[i] = append(c.systems[i], s)
	}
}

// drawAll draws the requested graphs: those of a descriptor on a set, and those of
// several descriptors on the same combination of files. roc adds the ROC graph of the imbalanced
// protocol.
func (c *classification) drawAll(roc bool) error {
	if c.Figures == "" {
		return nil
	}
	at, err := binary.ParseOperatingPoint("youden")
	if err != nil {
		return err
	}
	var own, shared []*curves
	find := func(all *[]*curves, like curves) *curves {
		i := slices.IndexFunc(*all, func(c *curves) bool { return c.folder == like.folder && c.title == like.title })
		if i < 0 {
			i, *all = len(*all), append(*all, &like)
		}
		return (*all)[i]
	}
	for _, l := range c.list {
		var systems [len(protocols)]binary.System
		pairs := [...]*y2016.Classes{l.classes.Balanced(), l.classes}
		for i, classes := range pairs {
			curve, err := classes.Curve()
			if err != nil {
				return plan.Faultf("%s: %w", l.name(), err)
			}
			systems[i] = binary.NewSystem(l.name(), curve, at)
		}
		prefix := l.origin.set
		if prefix != "" {
			prefix += "_"
		}
		of := find(&own, curves{folder: l.descriptor, prefix: prefix, title: l.origin.String()})
		if slices.ContainsFunc(of.systems[0], func(s binary.System) bool { return s.Name == l.name() }) {
			return &patches.OptionError{Reason: fmt.Sprintf("%s: two combinations are called %s, so their curves would overwrite each other", of.title, l.name())}
		}
		of.add(l.name(), systems, pairs)
		find(&shared, curves{prefix: l.name() + "_", title: l.name()}).add(l.descriptor, systems, pairs)
	}
	for _, of := range own {
		of.systems = [...][]binary.System{shortNames(of.systems[0]), shortNames(of.systems[1])}
	}
	for _, of := range slices.Concat(own, shared) {
		if of.folder != "" || len(of.systems[0]) > 1 {
			c.drawGraphs(of, roc)
		}
	}
	return nil
}

// drawGraphs draws the ROC curves of the balanced protocol, the precision-recall
// curves of the imbalanced protocol and, if roc is set, its ROC curves.
func (c *classification) drawGraphs(of *curves, roc bool) {
	graph := func(name, what string, protocol int, graph *figure.Graph) {
		negatives := [...]string{"as many negatives as positives", "all negatives"}[protocol]
		text := fmt.Sprintf("Tasks of 2016, %s (%s): %s positive and %s negative pairs.", protocols[protocol], negatives, spelling.Span(of.sizes[protocol][0]...), spelling.Span(of.sizes[protocol][1]...))
		c.charts.Charts = append(c.charts.Charts, charts.Chart{ID: path.Join(of.folder, of.prefix+name), Title: what + " curves, " + of.title, Caption: c.caption(of.folder, text), Figure: graph})
	}
	graph("balanced_roc", "ROC", 0, report.ROC(of.systems[0], figure.NewLook))
	graph("imbalanced_pr", "Precision-recall", 1, report.PrecisionRecall(of.systems[1], figure.NewLook))
	if roc {
		graph("imbalanced_roc", "ROC", 1, report.ROC(of.systems[1], figure.NewLook))
	}
}

// shortNames returns the systems with shorter names: their common prefix, up to an
// underscore, is removed.
func shortNames(systems []binary.System) []binary.System {
	short := slices.Clone(systems)
	prefix := short[0].Name
	for _, s := range short {
		for !strings.HasPrefix(s.Name, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	prefix = prefix[:strings.LastIndex(prefix, "_")+1]
	for i := range short {
		name := strings.TrimPrefix(short[i].Name, prefix)
		if name == "" || len(short) == 1 {
			name = short[i].Name
		}
		short[i].Name = name
	}
	return short
}
