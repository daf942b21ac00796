package charts

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// Names of the indexes that Write writes.
const (
	captionsFile = "captions.txt"
	latexFile    = "figures.tex"
)

// First lines of the indexes.
const (
	captionsTitle = "Captions of figures by descbench"
	latexTitle    = "% Needs the package graphicx and figures in PDF or PNG.\n"
)

// arranged returns the charts for a width. On that of a page, a chart of all scenes and those of both
// categories are panels of one figure; on that of a third, they have titles.
func (r *Report) arranged(width vg.Length) (out []Chart) {
	for i := 0; i < len(r.Charts); {
		first, from := r.Charts[i], i
		for i++; i < len(r.Charts) && r.Charts[i].ID == first.ID+"_"+r.Charts[i].in; i++ {
		}
		of := r.Charts[from:i]
		if len(of) == 1 || width == figure.Column || width == figure.Page && len(of) < 3 {
			out = append(out, of...)
			continue
		}
		var panels []figure.Panel
		for _, c := range of {
			title := strings.ToUpper(c.in[:1]) + c.in[1:]
			if c.in == scope.All {
				title = "Overall"
			}
			panels = append(panels, figure.Panel{Title: title, Of: c.Figure.(figure.Drawing)})
			if width == figure.Third {
				one := figure.SideBySide(panels[len(panels)-1:])
				c.Figure, c.Kind = one, one.Kind()
				out = append(out, c)
			}
		}
		if width == figure.Page {
			all := figure.SideBySide(panels)
			if first.Figure, first.Kind = all, all.Kind(); strings.Contains(first.said, bootstrap) {
				first.said = strings.TrimSpace(first.said + " " + r.aside)
			}
			out = append(out, first)
		}
	}
	for i, c := range out {
		out[i].said = strings.TrimSpace(c.said + " " + figure.Shortened(c.Figure.(figure.Drawing), width))
		out[i].Caption = r.caption(out[i])
	}
	return out
}

// caption returns the caption of a chart with what others of its scope share.
func (r *Report) caption(c Chart) string {
	return strings.TrimSpace(c.said + " " + r.setups[c.in] + " " + r.notes)
}

// Write writes every chart of a report without those of pages to a folder, at a width and in formats such as "svg",
// and two indexes: captions.txt with captions and what is left out, and figures.tex
// with a LaTeX figure for each chart. It returns the names of the files, those of the
// indexes last. Of runs, it removes the figures of an earlier call that it does not write.
func (r *Report) Write(ctx context.Context, dir string, formats []string, width vg.Length) ([]string, error) {
	if err := forLaTeX(dir); err != nil {
		return nil, err
	}
	r.Charts = r.arranged(width)
	var files []string
	var earlier []byte
	if r.Systems != nil { // calls for tasks of patches share a folder
		earlier, _ = os.ReadFile(filepath.Join(dir, latexFile)) // what cannot be read lists nothing
	}
	indexes := []struct{ name, text, mark string }{{captionsFile, r.captions(formats), captionsTitle}, {latexFile, r.latex(dir, formats, width), latexTitle}}
	for _, index := range indexes { // nothing is written if a file of others is there
		if err := store.Replaceable(filepath.Join(dir, index.name), nil, index.mark); err != nil {
			return nil, plan.Fault(err)
		}
	}
	for _, c := range r.Charts {
		for _, format := range formats {
			files = append(files, c.ID+"."+format)
		}
	}
	for _, name := range files {
		if err := figure.Replaceable(filepath.Join(dir, name)); err != nil {
			return nil, plan.Fault(err)
		}
	}
	for i, name := range files {
		drawing := r.Charts[i/len(formats)].Figure.(figure.Drawing)
		if err := cmp.Or(ctx.Err(), figure.Write(filepath.Join(dir, name), drawing, width)); err != nil {
			return nil, plan.Fault(err)
		}
	}
	for _, index := range indexes {
		files = append(files, index.name)
		if err := store.WriteOwn(filepath.Join(dir, index.name), []byte(index.text), index.mark); err != nil {
			return nil, plan.Fault(err)
		}
	}
	for _, included := range includedFile.FindAllStringSubmatch(string(earlier), -1) {
		for _, format := range []string{"svg", "pdf", "png"} {
			name := included[1] + "." + format
			if path := filepath.Join(dir, name); !slices.Contains(files, name) && figure.Replaceable(path) == nil {
				if err := store.IgnoreMissing(os.Remove(path)); err != nil {
					return nil, plan.Fault(err)
				}
			}
		}
	}
	return files, nil
}

var includedFile = regexp.MustCompile(`\{\\descbenchfolder/(\w+)\}`)

// captions lists files with titles and captions, and what is left out.
func (r *Report) captions(formats []string) string {
	var b strings.Builder
	b.WriteString(captionsTitle + "\n\n")
	setup := r.setups[scope.All]
	if setup != "" {
		fmt.Fprintf(&b, "set-up of all figures; those of a category name its scenes\nruns:%s\n%s %s\n\n", r.titles, setup, r.notes)
	}
	if r.Warnings != nil {
		fmt.Fprintf(&b, "warnings\n%s.\n\n", strings.Join(r.Warnings, ".\n"))
	}
	for _, c := range r.Charts {
		var files []string
		for _, format := range formats {
			files = append(files, c.ID+"."+format)
		}
		scenes := ""
		if c.in != scope.All {
			scenes = " " + r.setups[c.in]
		}
		fmt.Fprintf(&b, "%s\n%s. %s\n\n", strings.Join(files, ", "), c.Title, strings.TrimSpace(c.said+scenes))
	}
	for _, o := range r.Omitted {
		fmt.Fprintf(&b, "left out: %s (%s): %s\n", o.ID, o.Title, o.Why)
	}
	return b.String()
}

// latex returns a figure environment per chart. LaTeX finds the PDF or PNG file
// itself.
func (r *Report) latex(dir string, formats []string, width vg.Length) string {
	b := strings.Builder{}
	b.WriteString(latexTitle)
	if len(formats) == 1 && formats[0] == "svg" {
		b.WriteString("% The figures are in SVG only, which LaTeX cannot include: write PDF or PNG, too.\n")
	}
	if r.titles != "" {
		b.WriteString("% Runs:" + r.titles + "\n")
	}
	b.WriteString(definedFolder(dir))
	if path, err := filepath.Abs(dir); err == nil {
		dir = path // of "."
	}
	command := func(in string) string { return `\descbenchsetup` + strings.TrimPrefix(in, scope.All) }
	for _, in := range slices.Sorted(maps.Keys(r.setups)) {
		fmt.Fprintf(&b, "%% Scenes (%s), which end captions below; change or empty them here.\n\\def%s{ %s}\n", in, command(in), table.EscapeLaTeX(r.setups[in]))
	}
	notes := r.notes
	if r.Warnings != nil {
		notes = strings.TrimSpace(notes + " " + strings.Join(r.Warnings, ". ") + ".")
	}
	if notes != "" {
		fmt.Fprintf(&b, "%% What readers of the figures must know: print this command once, in the text or a caption.\n\\def\\descbenchnotes{%s}\n", table.EscapeLaTeX(notes))
	}
	if r.Note != "" {
		b.WriteString("% " + r.Note + "\n")
	}
	for _, c := range r.Charts {
		setup := ""
		if r.setups != nil {
			setup = command(c.in)
		}
		c.Caption = c.said
		b.WriteString(c.latex(width, filepath.Base(dir)+":", setup))
	}
	return b.String()
}

// figureFolder is the macro whose value is the folder of figures.
const figureFolder = `\descbenchfolder`

// forLaTeX returns an error if LaTeX cannot include files of a path.
func forLaTeX(path string) error {
	if i := strings.IndexAny(inDocument(path), `%#~"{}\`); i >= 0 {
		return &config.Error{File: path, Msg: fmt.Sprintf("LaTeX cannot include figures whose path has %c: choose another name", inDocument(path)[i])}
	}
	return nil
}

// inDocument returns a path as LaTeX takes it. Of an absolute one, which may name the author, it
// returns the last name.
func inDocument(path string) string {
	if filepath.IsAbs(path) {
		path = filepath.Base(path)
	}
	return filepath.ToSlash(filepath.Clean(path))
}

func definedFolder(dir string) string {
	return fmt.Sprintf("%% The folder of the figure files; change it to the one from your document.\n\\def%s{%s}\n", figureFolder, inDocument(dir))
}

// latex returns a figure environment of the chart, whose file is in the figureFolder and whose
// label begins with the name of a set and a separator. The command setup ends its caption.
func (c Chart) latex(width vg.Length, set, setup string) string {
	environment, measure := "figure", `\columnwidth`
	switch width {
	case figure.Page:
		environment, measure = "figure*", `\textwidth`
	case figure.Third:
		measure = `0.32\textwidth`
	}
	return fmt.Sprintf("\\begin{%s}\n  \\centering\n  \\includegraphics[width=%s]{%s/%s}\n  \\caption{%s. %s%s}\n  \\label{fig:%s%s}\n\\end{%s}\n",
		environment, measure, figureFolder, c.ID, table.EscapeLaTeX(c.Title), table.EscapeLaTeX(c.Caption), setup, set, c.ID, environment)
}

// WriteOne writes a chart of its own at a width, and beside it, with the
// extension .tex, a LaTeX figure, with the set-up and the warnings as comments.
func (c Chart) WriteOne(path string, width vg.Length) error {
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	if err := cmp.Or(forLaTeX(filepath.Dir(path)), forLaTeX(filepath.Base(path))); err != nil {
		return err
	}
	if err := figure.Write(path, c.Figure.(figure.Drawing), width); err != nil {
		return plan.Fault(err)
	}
	c.ID = filepath.Base(stem)
	notes := ""
	if c.Setup != "" {
		notes = "% to say in the text: " + table.EscapeLaTeX(c.Setup) + "\n"
	}
	for _, w := range c.Warnings {
		notes += "% Warning: " + w + "\n"
	}
	return plan.Fault(store.WriteOwn(stem+".tex", []byte(latexTitle+notes+definedFolder(filepath.Dir(path))+c.latex(width, "", "")), latexTitle))
}
