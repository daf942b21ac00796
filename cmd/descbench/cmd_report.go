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

	"descbench/eval/spelling"
	"descbench/pipeline/charts"
	"descbench/pipeline/compare"
	"descbench/pipeline/page"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// A reportChoice says what descbench report writes.
type reportChoice struct {
	runs    []string
	out     string       // --out: the main page, or the picture
	pages   page.Options // of the pages
	pair    pairPicture  // --pair: a picture instead of pages
	figures figureFlags
	methods string // --methods: a text for a paper instead of pages, as text or latex
}

func newReportCommand(flags *commonFlags) *cobra.Command {
	var choice reportChoice
	cmd := &cobra.Command{
		Use:   "report RUN...",
		Short: "Write the results of finished runs as web pages",
		Long: `Report writes report.html to the first run folder: the ranking of descriptors with
intervals, charts, and which differences are significant. The folder report beside it has
a page for each scene. The pages open from disk and load nothing from the network.

Several runs are shown together. They need the same protocol. A descriptor name
that occurs in several runs is shown as RUN:descriptor.

--pair writes a picture instead: two images side by side with the correct and the
wrong nearest neighbours of a descriptor, with --matched its matches. It needs the images.

--figures DIR writes the charts as figures for papers instead: one file per chart and
format. A descriptor has the same colour, dash and mark in every figure. --baseline adds
the mAP of one to the bars. FILE.txt beside a figure or picture has its caption, and
FILE.tex is a figure of LaTeX, which needs PDF or PNG.

--methods prints how a run was made and evaluated, as a paragraph for a paper, from the
data to the versions and seeds. --methods=latex escapes it for LaTeX.`,
		Example: `  descbench report runs/demo
  descbench report runs/a runs/b --out both.html
  descbench report runs/demo --figures figures --format pdf,svg --only sift,rootsift
  descbench report runs/demo --methods=latex > methods.tex
  descbench report runs/demo --pair v_synth_001/4 --descriptor sift -o pair.png`,
		Args: someArgs("run folder"),
		RunE: ofReadable(func(cmd *cobra.Command, args []string, _ int) error {
			choice.runs = args
			if err := flags.onlyLabels(); err != nil {
				return err
			}
			choice.pages.Set = flags.set
			if err := choice.pair.check(choice.out); err != nil {
				return err
			}
			if choice.pair.pair != "" {
				return choice.pair.write(cmd, flags, args, choice.out, widths[cmp.Or(choice.figures.width, "page")])
			}
			if choice.methods != "" {
				return choice.printMethods(cmd, flags)
			}
			if choice.figures.dir != "" {
				return choice.figures.write(cmd, flags, args, choice.pages)
			}
			return choice.writePages(cmd, flags)
		}),
	}
	f := cmd.Flags()
	choice.figures.register(f)
	f.StringVarP(&choice.out, "out", "o", "", "main page (default: report.html in the first run folder), or file of --pair: .png, .svg or .pdf")
	f.StringVar(&choice.pages.Baseline, "baseline", "", "descriptor that differences refer to: NAME or RUN:NAME (default: the first; on keypoint sets without it, the first there)")
	f.StringSliceVar(&choice.pages.Only, "only", nil, "descriptors to show, separated by commas: NAME, RUN:NAME or a pattern such as 'sift*', of a descriptor or a keypoint set (default: all; with --figures the 12 with the highest mAP, equally many on each keypoint set)")
	flags.addLabels(f)
	choice.pair.register(f)
	f.StringVar(&choice.methods, "methods", "", "print how the run was made and evaluated, for a paper: text or latex")
	f.Lookup("methods").NoOptDefVal = "text"
	allows(f, "methods", "text", "latex")
	excludes(f, "methods", "figures", "out", "pair")
	excludes(f, "figures", "out", "pair")
	excludes(f, "pair", "baseline", "only")
	flags.addMoved(f)
	return cmd
}

// writePages writes the web pages and prints where.
func (c *reportChoice) writePages(cmd *cobra.Command, flags *commonFlags) error {
	path := cmp.Or(c.out, filepath.Join(c.runs[0], page.MainFile))
	c.pages.Data = flags.data
	without, err := page.Write(cmd.Context(), path, c.runs, c.pages)
	if err != nil {
		return err
	}
	if without != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), table.Wrap("note: "+without, table.PageWidth))
	}
	return flags.print(cmd, map[string]string{"report": path}, "report: %s\n", path)
}

// printMethods prints the methods of each run as a paragraph.
func (c *reportChoice) printMethods(cmd *cobra.Command, flags *commonFlags) error {
	var texts []string
	for _, run := range c.runs {
		sentences, err := compare.Methods(cmd.Context(), run, compare.Options{Baseline: c.pages.Baseline, Only: c.pages.Only, Set: c.pages.Set})
		if err != nil {
			return err
		}
		text := table.Sentences(sentences...)
		if c.methods == "latex" {
			text = table.EscapeLaTeX(text)
		}
		texts = append(texts, text)
	}
	if flags.json {
		return printJSON(cmd.OutOrStdout(), map[string][]string{"methods": texts})
	}
	for i, text := range texts {
		texts[i] = table.WrapIndented(text, table.PageWidth, "")
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(texts, "\n\n"))
	return err
}

// figureFlags are the flags of descbench report for figures.
type figureFlags struct {
	dir     string // --figures: folder
	formats []string
	width   string
}

func (o *figureFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&o.dir, "figures", "", "write all charts as figures to this folder, and no web pages")
	registerFormats(fs, "format", &o.formats)
	fs.StringVar(&o.width, "width", "", "width of figures: column (84 mm), page (174 mm) (default: page with --pair, else column)")
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

// write writes the figures of runs and prints what was written.
func (o *figureFlags) write(cmd *cobra.Command, flags *commonFlags, runs []string, of page.Options) error {
	report, err := charts.Of(cmd.Context(), runs, charts.Options{Only: of.Only, Most: charts.MostColoured, Baseline: of.Baseline, Set: of.Set})
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
	ids := spelling.Words(r.Charts, func(c charts.Chart) string { return c.ID })
	pattern := "*." + formats[0]
	if len(formats) > 1 {
		pattern = "*.{" + strings.Join(formats, ",") + "}"
	}
	line := func(format string, args ...any) {
		fmt.Fprintln(out, table.Wrap(fmt.Sprintf(format, args...), table.PageWidth))
	}
	line("figures: %s (%s)", filepath.Join(o.dir, pattern), strings.Join(ids, ", "))
	line("captions: %s", filepath.Join(o.dir, "*.{txt,tex}"))
	if r.Shown != "" {
		line("%s", r.Shown)
	}
	for _, w := range r.Warnings {
		line("warning: %s", w)
	}
	for _, c := range r.Omitted {
		line("left out: %s: %s", c.ID, c.Why)
	}
	return nil
}
