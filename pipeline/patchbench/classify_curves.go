package patchbench

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/binary"
	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
)

// protocols are those of classification: the first is evaluated by the ROC curve, the
// second by precision and recall.
var protocols = [...]string{"balanced", "imbalanced"}

// curves are the classifiers of one descriptor on one set, one per combination of files,
// by protocol.
type curves struct {
	origin
	systems [len(protocols)][]binary.System
}

// add adds the systems of a combination under another name.
func (c *curves) add(name string, of [len(protocols)]binary.System) {
	for i, s := range of {
		s.Name, s.Index = name, len(c.systems[i])
		c.systems[i] = append(c.systems[i], s)
	}
}

// drawAll writes the requested curves and graphs. roc adds the ROC graph of the
// imbalanced protocol.
func (c *classification) drawAll(roc bool) error {
	if c.Curves == "" && c.Figures == "" {
		return nil
	}
	all, err := curvesOf(c.list)
	if err != nil {
		return err
	}
	for i, of := range all {
		for j, s := range of.systems[0] {
			if slices.ContainsFunc(of.systems[0][:j], func(other binary.System) bool { return other.Name == s.Name }) ||
				slices.ContainsFunc(all[:i], func(other curves) bool { return other.origin == of.origin }) {
				return &patches.OptionError{Reason: fmt.Sprintf("%s: two combinations are called %s, so their curves would overwrite each other", of, s.Name)}
			}
		}
		if c.Curves != "" {
			if err := c.writeCurves(of); err != nil {
				return err
			}
		}
		if c.Figures != "" {
			if err := c.drawCurves(of, roc); err != nil {
				return err
			}
		}
	}
	if c.Figures == "" {
		return nil
	}
	return c.drawTogether(all, roc)
}

// drawTogether draws the curves of all descriptors in one graph, for each
// combination of files that several descriptors have.
func (c *classification) drawTogether(all []curves, roc bool) error {
	var names []string
	together := make(map[string]*curves)
	for _, of := range all {
		for i, s := range of.systems[0] {
			if together[s.Name] == nil {
				names, together[s.Name] = append(names, s.Name), &curves{}
			}
			together[s.Name].add(of.descriptor, [...]binary.System{s, of.systems[1][i]})
		}
	}
	for _, name := range names {
		if of := together[name]; len(of.systems[0]) > 1 {
			if err := c.drawGraphs("", name+"_", name, *of, roc); err != nil {
				return err
			}
		}
	}
	return nil
}

// curvesOf returns the curves of all combinations, grouped by descriptor and set.
func curvesOf(list []*Combination) ([]curves, error) {
	at, err := binary.ParseOperatingPoint("youden")
	if err != nil {
		return nil, err
	}
	var all []curves
	for _, l := range list {
		if n := len(all); n == 0 || all[n-1].origin != l.origin {
			all = append(all, curves{origin: l.origin})
		}
		of := &all[len(all)-1]
		var systems [len(protocols)]binary.System
		for i, classes := range []*y2016.Classes{l.classes.Balanced(), l.classes} {
			curve, err := classes.Curve()
			if err != nil {
				return nil, plan.Faultf("%s: %w", l.name(), err)
			}
			systems[i] = binary.NewSystem(l.name(), curve, at)
		}
		of.add(l.name(), systems)
	}
	return all, nil
}

// writeCurves writes a file per combination and protocol.
func (c *classification) writeCurves(of curves) error {
	for i, protocol := range protocols {
		for _, s := range of.systems[i] {
			path := report.CurveFile(filepath.Join(c.Curves, of.descriptor), s.Name+"_"+protocol)
			if err := c.draw(path, func(path string) error { return report.WriteCurve(path, s.Curve) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// drawCurves draws the ROC curves of the balanced protocol, the precision-recall
// curves of the imbalanced protocol and, if roc is set, its ROC curves.
func (c *classification) drawCurves(of curves, roc bool) error {
	prefix := ""
	if of.set != "" {
		prefix = of.set + "_"
	}
	short := curves{of.origin, [...][]binary.System{shortNames(of.systems[0]), shortNames(of.systems[1])}}
	return c.drawGraphs(of.descriptor, prefix, of.String(), short, roc)
}

// drawGraphs draws the graphs of curves to files with a prefix.
func (c *classification) drawGraphs(dir, prefix, title string, of curves, roc bool) error {
	graph := func(name, what string, graph *figure.Graph) error {
		return c.drawGraph(path.Join(dir, prefix+name), what+" of "+title, func(path string) error { return report.WriteGraph(path, title, graph) })
	}
	if err := graph("balanced_roc", "ROC curves, as many negatives as positives,", report.ROC(of.systems[0])); err != nil {
		return err
	}
	if err := graph("imbalanced_pr", "Precision-recall curves, all negatives,", report.PrecisionRecall(of.systems[1])); err != nil || !roc {
		return err
	}
	return graph("imbalanced_roc", "ROC curves, all negatives,", report.ROC(of.systems[1]))
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
