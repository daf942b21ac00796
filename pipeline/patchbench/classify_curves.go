package patchbench

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/binary"
	"descbench/eval/patches"
	"descbench/eval/patches/original"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
)

// curves are the classifiers of one descriptor on one set: one per combination of
// files and protocol.
type curves struct {
	origin
	balanced, imbalanced []report.System
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
		for j, s := range of.balanced {
			if slices.ContainsFunc(of.balanced[:j], func(other report.System) bool { return other.Name == s.Name }) ||
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
		for _, protocol := range []struct {
			classes *original.Classes
			systems *[]report.System
		}{{l.classes.Balanced(), &of.balanced}, {l.classes, &of.imbalanced}} {
			system, err := fold.NewSystem(l.name(), protocol.classes.Samples(), at)
			if err != nil {
				return nil, err
			}
			system.Index = len(*protocol.systems)
			*protocol.systems = append(*protocol.systems, system)
		}
	}
	return all, nil
}

// writeCurves writes a file per combination and protocol.
func (c *classification) writeCurves(of curves) error {
	for _, protocol := range []struct {
		name    string
		systems []report.System
	}{{"balanced", of.balanced}, {"imbalanced", of.imbalanced}} {
		for _, s := range protocol.systems {
			path := report.CurveFile(filepath.Join(c.Curves, of.descriptor), s.Name+"_"+protocol.name)
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
	graph := func(name string, write func(string, string, []report.System) error, systems []report.System) error {
		if of.set != "" {
			name = of.set + "_" + name
		}
		return c.draw(filepath.Join(c.Figures, of.descriptor, name+"."+c.Format), func(path string) error {
			return write(path, of.String(), shortNames(systems))
		})
	}
	if err := graph("balanced_roc", report.WriteROC, of.balanced); err != nil {
		return err
	}
	if err := graph("imbalanced_pr", report.WritePrecisionRecall, of.imbalanced); err != nil || !roc {
		return err
	}
	return graph("imbalanced_roc", report.WriteROC, of.imbalanced)
}

// shortNames returns the systems with shorter names: their common prefix, up to an
// underscore, is removed, and names too long for a legend are cut in the middle.
func shortNames(systems []report.System) []report.System {
	const most = 44
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
		if n := len(name); n > most {
			name = name[:most/2-1] + "…" + name[n-most/2+1:]
		}
		short[i].Name = name
	}
	return short
}
