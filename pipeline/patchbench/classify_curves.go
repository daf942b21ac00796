package patchbench

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"descbench/eval/binary"
	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/pipeline/charts"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
)

// protocols are those of classification: the first is evaluated by the ROC curve, the
// second by precision and recall.
var protocols = [...]string{"balanced", "imbalanced"}

// curves are the classifiers of combinations of files by protocol, in files of a folder whose
// names begin with prefix.
type curves struct {
	folder, prefix, title string
	systems               [len(protocols)][]binary.System
}

// add adds the systems of a combination under a name.
func (c *curves) add(name string, of [len(protocols)]binary.System) {
	for i, s := range of {
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
		for i, classes := range []*y2016.Classes{l.classes.Balanced(), l.classes} {
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
		of.add(l.name(), systems)
		find(&shared, curves{prefix: l.name() + "_", title: l.name()}).add(l.descriptor, systems)
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
	graph := func(name, what, negatives string, graph *figure.Graph) {
		c.charts.Charts = append(c.charts.Charts, charts.Chart{ID: path.Join(of.folder, of.prefix+name), Title: what + " curves, " + of.title, Caption: charts.Caption{negatives}, Figure: graph})
	}
	graph("balanced_roc", "ROC", "As many negatives as positives.", report.ROC(of.systems[0]))
	graph("imbalanced_pr", "Precision-recall", "All negatives.", report.PrecisionRecall(of.systems[1]))
	if roc {
		graph("imbalanced_roc", "ROC", "All negatives.", report.ROC(of.systems[1]))
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
