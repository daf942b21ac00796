package main

import (
	"path/filepath"

	"github.com/spf13/pflag"

	"descbench/pipeline/plan"
	"descbench/pipeline/report"
)

// patchPR says where the precision-recall curves of matching and retrieval go.
type patchPR struct {
	curves, figures, format string
}

func (o *patchPR) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.curves, "curves", "", "write the mean precision-recall curves as CSV into a folder per descriptor in this one")
	fs.StringVar(&o.figures, "figures", "", "draw the mean precision-recall curves into a folder per descriptor in this one")
	fs.StringVar(&o.format, "format", "svg", "kind of --figures: svg, png or pdf")
}

// keep writes <descriptor>/<benchmark>_pr.csv and draws the figure of that name,
// where asked for.
func (o *patchPR) keep(descriptor, benchmark string, curves ...report.NamedCurve) (written []string, err error) {
	name := taskName(benchmark) + "_pr."
	if o.curves != "" {
		path := filepath.Join(o.curves, descriptor, name+"csv")
		if err := report.WriteMeanCurves(path, curves); err != nil {
			return nil, &plan.DataError{Err: err}
		}
		written = append(written, path)
	}
	if o.figures != "" {
		path := filepath.Join(o.figures, descriptor, name+o.format)
		if err := report.DrawMeanCurves(path, descriptor+", "+taskName(benchmark), curves); err != nil {
			return nil, &plan.DataError{Err: err}
		}
		written = append(written, path)
	}
	return written, nil
}
