package main

import (
	"fmt"
	"path/filepath"

	"descbench/eval/binary"
	"descbench/eval/patches/original"
	"descbench/pipeline"
	"descbench/pipeline/report"
)

// patchCurves are the classifiers of one descriptor: of every combination of
// files, by each protocol.
type patchCurves struct {
	descriptor           string
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
	for _, of := range all {
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

// curvesOf makes systems of the combinations, by the descriptor that the place
// of their results names.
func curvesOf(list []patchCombination) ([]patchCurves, error) {
	at, err := binary.ParseOperatingPoint("youden")
	if err != nil {
		return nil, err
	}
	var all []patchCurves
	for _, l := range list {
		path, err := filepath.Abs(l.results)
		if err != nil {
			return nil, err
		}
		name := original.DescriptorOf(path)
		if n := len(all); n == 0 || all[n-1].descriptor != name {
			all = append(all, patchCurves{descriptor: name})
		}
		of := &all[len(all)-1]
		for _, protocol := range []struct {
			classes *original.Classes
			systems *[]report.System
		}{{l.classes.Balanced(), &of.balanced}, {l.classes, &of.imbalanced}} {
			system, err := pipeline.NewSystem(l.name(), protocol.classes.Samples(), at)
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
				return &pipeline.DataError{Err: err}
			}
			c.written = append(c.written, path)
		}
	}
	return nil
}

// drawCurves draws the ROC curves of the balanced protocol, the precision-recall
// curves of the imbalanced one, and the latter's ROC curves on request alone.
func (c *patchClassification) drawCurves(of patchCurves) error {
	draw := func(name string, write func(string, []report.System) error, systems []report.System) error {
		path := filepath.Join(c.opt.figures, of.descriptor, name+"."+c.opt.format)
		if err := write(path, systems); err != nil {
			return &pipeline.DataError{Err: err}
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

// checkFigureFormat checks the kind of figures.
func checkFigureFormat(format string) error {
	if err := report.CheckFigure("x." + format); err != nil {
		return usageError{fmt.Errorf("--format: found %q, want svg, png or pdf", format)}
	}
	return nil
}
