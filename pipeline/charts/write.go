package charts

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot/vg"

	"descbench/pipeline/plan"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// captionMark is the first line of the texts beside figures.
const captionMark = "Caption of a figure by descbench"

// captionFiles are the ends of the names of the files with the caption of a figure: as a text, and as a figure of LaTeX.
var captionFiles = []string{".txt", ".tex"}

// Write writes every chart to a folder, at a width and in formats such as "svg", each with the files of its caption. It
// returns the names of the files.
func (r *Report) Write(ctx context.Context, dir string, formats []string, width vg.Length) (names []string, err error) {
	for _, c := range r.Charts { // nothing is written if a file of others is there
		for _, format := range formats {
			if err := figure.Replaceable(filepath.Join(dir, c.ID+"."+format)); err != nil {
				return nil, plan.Fault(err)
			}
		}
		for _, ext := range captionFiles {
			if err := store.Replaceable(filepath.Join(dir, c.ID+ext), nil, captionMark); err != nil {
				return nil, plan.Fault(err)
			}
		}
	}
	for _, c := range r.Charts {
		for _, format := range formats {
			if err := cmp.Or(ctx.Err(), figure.Write(filepath.Join(dir, c.ID+"."+format), c.Figure, width)); err != nil {
				return nil, plan.Fault(err)
			}
			names = append(names, c.ID+"."+format)
		}
		c.Caption = append(slices.Clip(c.Caption), figure.Shortened(c.Figure, width))
		c.Warnings = r.Warnings
		if err := c.writeCaption(filepath.Join(dir, c.ID), width); err != nil {
			return nil, err
		}
		for _, ext := range captionFiles {
			names = append(names, c.ID+ext)
		}
	}
	return names, nil
}

// WriteOne writes a chart of its own at a width, and its caption as Write does.
func (c Chart) WriteOne(path string, width vg.Length) error {
	if err := figure.Write(path, c.Figure, width); err != nil {
		return plan.Fault(err)
	}
	return c.writeCaption(path[:len(path)-len(filepath.Ext(path))], width)
}

// writeCaption writes the caption of a chart to the files of this stem, with what belongs in the
// text of a paper.
func (c Chart) writeCaption(stem string, width vg.Length) error {
	caption, setup := c.Title+". "+c.Caption.String(), table.Sentences(c.Setup...)
	name := filepath.Join(filepath.Base(filepath.Dir(stem)), filepath.Base(stem)) // figures of two runs have equal names
	text := captionMark + "\n\n" + caption + "\n"
	float, column := "figure", "\\columnwidth"
	if width == figure.Page {
		float, column = "figure*", "\\textwidth"
	}
	tex := fmt.Sprintf(`%% %s, for \usepackage{graphicx}, in the folder that contains this one, or in \graphicspath
\begin{%s}
\centering
\includegraphics[width=%s]{%s}
\caption{%s}
\label{fig:%s}
\end{%[2]s}
`, captionMark, float, column, name, table.EscapeLaTeX(caption), name)
	if setup != "" {
		text += "\nTo say in the text: " + setup + "\n"
		tex += "% to say in the text: " + table.EscapeLaTeX(setup) + "\n"
	}
	for _, w := range c.Warnings {
		text += "\nWarning: " + w + "\n"
		tex += "% warning: " + w + "\n"
	}
	for i, content := range []string{text, tex} {
		if err := store.WriteOwn(stem+captionFiles[i], []byte(content), captionMark); err != nil {
			return plan.Fault(err)
		}
	}
	return nil
}
