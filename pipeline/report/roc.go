package report

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"descbench/pipeline/store"
)

const (
	figureSide   = 14 * vg.Centimeter
	figureMargin = 2 * vg.Millimeter
	figureDPI    = 200 // for PNG
)

// canvases maps file extensions to the canvases of the figure formats.
var canvases = map[string]func() vg.CanvasWriterTo{
	".svg": func() vg.CanvasWriterTo { return vgsvg.New(figureSide, figureSide) },
	".png": func() vg.CanvasWriterTo {
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(figureSide, figureSide), vgimg.UseDPI(figureDPI))}
	},
	".pdf": func() vg.CanvasWriterTo {
		withoutDates()
		return vgpdf.New(figureSide, figureSide)
	},
}

// withoutDates keeps the creation date out of PDF files.
var withoutDates = sync.OnceFunc(func() {
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultCatalogSort(true)
})

// CheckFigure returns an error if the file extension is not that of a figure
// format.
func CheckFigure(path string) error {
	if canvases[strings.ToLower(filepath.Ext(path))] == nil {
		return fmt.Errorf("figure %s: want a name that ends in .svg, .png or .pdf", path)
	}
	return nil
}

// WriteROC draws the ROC graph: the curve of each system, its operating point,
// and the chance diagonal. It skips systems without samples of both classes.
// Equal systems give equal bytes.
//
// Source: Fawcett, An introduction to ROC analysis, Pattern Recognition Letters
// 27, 2006.
func WriteROC(path, title string, systems []System) error {
	return writeGraph(path, title, func() (*plot.Plot, error) { return rocGraph(systems) })
}

// writeGraph writes the figure that build returns, with a title unless it is
// empty.
func writeGraph(path, title string, build func() (*plot.Plot, error)) error {
	if err := CheckFigure(path); err != nil {
		return err
	}
	canvas := canvases[strings.ToLower(filepath.Ext(path))]()
	graph, err := build()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	graph.Title.Text = title
	graph.Title.TextStyle.Font.Variant = "Sans"
	graph.Title.Padding = vg.Points(4)
	graph.Draw(draw.Crop(draw.New(canvas), figureMargin, -2*figureMargin, figureMargin, -2*figureMargin))
	return store.WriteFile(path, func(w io.Writer) error {
		_, err := canvas.WriteTo(w)
		return err
	})
}

// newGraph returns an empty graph of two rates, each from 0 to 1.
func newGraph(x, y string) *plot.Plot {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = x, y
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Tick.Marker, p.Y.Tick.Marker = fifths, fifths
	for _, style := range []*draw.TextStyle{&p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		style.Font.Variant = "Sans"
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{Y: 224}, color.Gray{Y: 224}
	p.Add(grid)
	p.Legend.Padding = vg.Points(3)
	p.Legend.YOffs, p.Legend.XOffs = vg.Points(6), -vg.Points(6)
	return p
}

func rocGraph(systems []System) (*plot.Plot, error) {
	p := newGraph("false positive rate (1 - specificity)", "true positive rate (sensitivity)")
	chance, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	if err != nil {
		return nil, err
	}
	chance.Color = color.Gray{Y: 128}
	chance.Dashes = []vg.Length{vg.Points(2), vg.Points(2)}
	p.Add(chance)
	for i, s := range systems {
		if err := addSystem(p, i, s); err != nil {
			return nil, err
		}
	}
	p.Legend.Add("chance", chance)
	return p, addPointsLegend(p, systems)
}

var fifths = plot.ConstantTicks{
	{Value: 0, Label: "0"}, {Value: 0.2, Label: "0.2"}, {Value: 0.4, Label: "0.4"},
	{Value: 0.6, Label: "0.6"}, {Value: 0.8, Label: "0.8"}, {Value: 1, Label: "1"},
}

// colours is a palette for readers with colour vision deficiency: Okabe and Ito,
// Color Universal Design, 2008, without yellow and black.
var colours = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255}, {230, 159, 0, 255}, {86, 180, 233, 255},
}

func addSystem(p *plot.Plot, i int, s System) error {
	if math.IsNaN(s.Summary.ROCAUC) {
		return nil
	}
	curve := make(plotter.XYs, len(s.Curve))
	for j, c := range s.Curve {
		curve[j] = plotter.XY{X: c.FalsePositiveRate(), Y: c.TruePositiveRate()}
	}
	line, err := addCurve(p, i, curve, fmt.Sprintf("%s (AUC %s)", s.Name, fixed(s.Summary.ROCAUC, 4)))
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	if s.At == nil {
		return nil
	}
	point, err := dot(plotter.XY{X: s.At.FalsePositiveRate(), Y: s.At.TruePositiveRate()}, line.Color)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	p.Add(point)
	return nil
}

// addCurve adds the curve of system i and its name.
func addCurve(p *plot.Plot, i int, curve plotter.XYs, name string) (*plotter.Line, error) {
	line, err := plotter.NewLine(curve)
	if err != nil {
		return nil, err
	}
	line.Color = colours[i%len(colours)]
	line.Width = vg.Points(1.5)
	if round := i / len(colours); round > 0 { // colours are used up: dashes, longer in every round
		line.Dashes = []vg.Length{vg.Points(4 * float64(round)), vg.Points(2)}
	}
	p.Add(line)
	p.Legend.Add(name, line)
	return line, nil
}

func dot(at plotter.XY, c color.Color) (*plotter.Scatter, error) {
	point, err := plotter.NewScatter(plotter.XYs{at})
	if err != nil {
		return nil, err
	}
	point.Color, point.Shape, point.Radius = c, draw.CircleGlyph{}, vg.Points(4)
	return point, nil
}

// addPointsLegend explains in the legend which operating point the dots mark.
func addPointsLegend(p *plot.Plot, systems []System) error {
	for _, s := range systems {
		if s.At == nil || math.IsNaN(s.Summary.ROCAUC) {
			continue
		}
		point, err := dot(plotter.XY{}, color.Gray{Y: 64})
		if err != nil {
			return err
		}
		p.Legend.Add("operating point: "+s.Rule, point)
		return nil
	}
	return nil
}
