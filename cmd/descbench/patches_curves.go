package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/binary"
	"descbench/eval/patches/original"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
)

// patchCurves are the classifiers of one descriptor on one set: of every
// combination of files, by each protocol.
type patchCurves struct {
	patchOrigin
	balanced, imbalanced []report.System
}

// saveCurves writes the curves and draws the figures that were asked for, as
// classify does.
func (c *patchClassification) saveCurves(list []patchCombination) error {
	if c.opt.curves == "" && c.opt.figures == "" {
		return nil
	}
	all, err := curvesOf(list)
	if err != nil {
		return err
	}
	for i, of := range all {
		for j, s := range of.balanced {
			if slices.ContainsFunc(of.balanced[:j], func(other report.System) bool { return other.Name == s.Name }) ||
				slices.ContainsFunc(all[:i], func(other patchCurves) bool { return other.patchOrigin == of.patchOrigin }) {
				return usageError{fmt.Errorf("%s: two combinations are called %s, under which their curves would be written", of, s.Name)}
			}
		}
		if c.opt.curves != "" {
			if err := c.writeCurves(of); err != nil {
				return err
			}
		}
		if c.opt.figures != "" {
			if err := c.drawCurves(of); err != nil {
				return err
			}
		}
	}
	return nil
}

// curvesOf makes systems of the combinations, by descriptor and set.
func curvesOf(list []patchCombination) ([]patchCurves, error) {
	at, err := binary.ParseOperatingPoint("youden")
	if err != nil {
		return nil, err
	}
	var all []patchCurves
	for _, l := range list {
		origin := patchOrigin{l.descriptor, l.set}
		if n := len(all); n == 0 || all[n-1].patchOrigin != origin {
			all = append(all, patchCurves{patchOrigin: origin})
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
			*protocol.systems = append(*protocol.systems, system)
		}
	}
	return all, nil
}

// writeCurves writes a file per combination and protocol.
func (c *patchClassification) writeCurves(of patchCurves) error {
	for _, protocol := range []struct {
		name    string
		systems []report.System
	}{{"balanced", of.balanced}, {"imbalanced", of.imbalanced}} {
		for _, s := range protocol.systems {
			path := curveFile(filepath.Join(c.opt.curves, of.descriptor), s.Name+"_"+protocol.name)
			if err := report.WriteCurve(path, s.Curve); err != nil {
				return &plan.DataError{Err: err}
			}
			c.written = append(c.written, path)
		}
	}
	return nil
}

// drawCurves draws the ROC curves of the balanced protocol, the precision-recall
// curves of the imbalanced one, and the latter's ROC curves on request alone.
func (c *patchClassification) drawCurves(of patchCurves) error {
	draw := func(name string, write func(string, string, []report.System) error, systems []report.System) error {
		if of.set != "" {
			name = of.set + "_" + name
		}
		path := filepath.Join(c.opt.figures, of.descriptor, name+"."+c.opt.format)
		if err := write(path, of.String(), shortNames(systems)); err != nil {
			return &plan.DataError{Err: err}
		}
		c.written = append(c.written, path)
		return nil
	}
	if err := draw("balanced_roc", report.WriteROC, of.balanced); err != nil {
		return err
	}
	if err := draw("imbalanced_pr", report.WritePrecisionRecall, of.imbalanced); err != nil {
		return err
	}
	if !c.opt.roc {
		return nil
	}
	return draw("imbalanced_roc", report.WriteROC, of.imbalanced)
}

// shortNames returns the systems under names without what all begin with, up to
// an underscore, and cut off in the middle where they are too long for a legend.
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

// checkFigureFormat checks the kind of figures.
func checkFigureFormat(format string) error {
	if err := report.CheckFigure("x." + format); err != nil {
		return usageError{fmt.Errorf("--format: found %q, want svg, png or pdf", format)}
	}
	return nil
}
