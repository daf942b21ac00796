package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/plot/vg"

	"descbench/pipeline/charts"
	"descbench/pipeline/page"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// figureFlags are the flags of descbench report for figures.
type figureFlags struct {
	dir     string // --figures: folder
	formats []string
	width   string
}

func (o *figureFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.dir, "figures", "", "write all charts as figures to this folder, and no web pages")
	registerFormats(fs, "format", &o.formats)
	fs.StringVar(&o.width, "width", "", "width of figures: column (84 mm), page (174 mm, charts by category as panels of one figure) (default: page with --pair, else column)")
	allows(fs, "width", "column", "page")
	needs(fs, []string{"width"}, "figures", "pair")
}

// registerFormats registers the flag for the file formats of --figures.
func registerFormats(fs *pflag.FlagSet, name string, formats *[]string) {
	fs.StringSliceVar(formats, name, []string{"svg"}, "file formats of --figures, separated by commas: svg, pdf, png")
	allows(fs, name, "svg", "pdf", "png")
	needs(fs, []string{name}, "figures")
}

// sortedFormats returns each format once.
func sortedFormats(formats []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(formats)))
}

// widths are the values of --width.
var widths = map[string]vg.Length{"column": figure.Column, "page": figure.Page}

// shownByDefault is the largest number of descriptors that figures show unless
// --only names them. More look alike in grey.
const shownByDefault = 12

// write writes the figures of runs and prints what was written.
func (o *figureFlags) write(cmd *cobra.Command, flags *commonFlags, runs []string, of page.Options) error {
	report, err := charts.Of(cmd.Context(), runs, charts.Options{Only: of.Only, Most: shownByDefault, Baseline: of.Baseline, Set: of.Set})
	if err != nil {
		return err
	}
	formats := sortedFormats(o.formats)
	files, err := report.Write(cmd.Context(), o.dir, formats, widths[cmp.Or(o.width, "column")])
	if err != nil {
		return err
	}
	if flags.json {
		return printJSON(cmd.OutOrStdout(), figuresJSON{o.dir, files, report})
	}
	return o.print(cmd.OutOrStdout(), report, formats)
}

// figuresJSON is the output of descbench report --figures --json.
type figuresJSON struct {
	Figures string   `json:"figures"` // folder
	Files   []string `json:"files"`
	*charts.Report
}

func (o *figureFlags) print(out io.Writer, r *charts.Report, formats []string) error {
	var ids []string
	for _, c := range r.Charts {
		ids = append(ids, c.ID)
	}
	pattern := "*." + formats[0]
	if len(formats) > 1 {
		pattern = "*.{" + strings.Join(formats, ",") + "}"
	}
	fmt.Fprintf(out, "figures: %s (%s)\n", filepath.Join(o.dir, pattern), strings.Join(ids, ", "))
	fmt.Fprintf(out, "captions: %s\n", filepath.Join(o.dir, "*.txt"))
	if r.Shown != "" {
		fmt.Fprintln(out, table.Wrap(r.Shown, table.PageWidth))
	}
	if r.Note != "" {
		fmt.Fprintln(out, table.Wrap("note: "+r.Note, table.PageWidth))
	}
	for _, w := range r.Warnings {
		fmt.Fprintln(out, table.Wrap("warning: "+w, table.PageWidth))
	}
	for _, c := range r.Omitted {
		fmt.Fprintf(out, "left out: %s: %s\n", c.ID, c.Why)
	}
	return nil
}
