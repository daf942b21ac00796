package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Panel is a figure with a title above it.
type Panel struct {
	Title string
	Of    Figure
}

// Panels is a figure of several side by side, with one legend.
type Panels struct {
	Panels []Panel
}

// graph returns a graph with the curves of those of all panels, each in one piece, or nil if the
// panels are no graphs.
func (p *Panels) graph() *Graph {
	var all *Graph
	for _, panel := range p.Panels {
		g, is := panel.Of.(*Graph)
		switch {
		case !is:
			return nil
		case all == nil:
			all = new(*g)
			all.Curves = slices.Clone(g.Curves)
			continue
		}
		for _, c := range g.Curves {
			i := slices.IndexFunc(all.Curves, func(o Curve) bool { return o.System == c.System })
			if i < 0 {
				all.Curves = append(all.Curves, c)
				continue
			}
			of := &all.Curves[i]
			of.Along = slices.Concat(of.Along, make([]*Interval, len(of.Points)-len(of.Along)), c.Along)
			of.Points = slices.Concat(of.Points, c.Points)
		}
	}
	return all
}

// legend has what any panel has.
func (p *Panels) legend() legend {
	if g := p.graph(); g != nil { // in which curves are equal if they are so in all panels
		return g.legend()
	}
	var all legend
	for _, panel := range p.Panels {
		for _, e := range panel.Of.legend() {
			if !slices.ContainsFunc(all, func(o entry) bool { return o.name == e.name }) {
				all = append(all, e)
			}
		}
	}
	return all
}

// SideBySide returns panels. Bars of the same systems have the order of those of the first panel,
// whose names then stand for all.
func SideBySide(panels []Panel) *Panels {
	out := &Panels{slices.Clone(panels)}
	first, named := panels[0].Of.(*Bars)
	for i, panel := range panels {
		b, is := panel.Of.(*Bars)
		if !named || !is || len(b.Bars) != len(first.Bars) {
			return &Panels{panels}
		}
		sorted := *b
		sorted.Bars, sorted.unnamed = nil, i > 0
		for _, bar := range first.Bars {
			at := slices.IndexFunc(b.Bars, func(o Bar) bool { return o.Name == bar.Name && o.Group == bar.Group })
			if at < 0 {
				return &Panels{panels}
			}
			sorted.Bars = append(sorted.Bars, b.Bars[at])
		}
		out.Panels[i].Of = &sorted
	}
	if len(panels) > 1 {
		out.Panels[0].Of.(*Bars).room = Page / 4
	}
	return out
}

// widths returns the widths of panels in that of all: equal, but for names that stand for all.
func (p *Panels) widths(all vg.Length) (widths []vg.Length) {
	n, names := vg.Length(len(p.Panels)), vg.Length(0)
	if b, is := p.Panels[0].Of.(*Bars); is && b.room > 0 {
		names = b.named(all)
	}
	each := (all - names - (n-1)*2*gap) / n
	for i := range p.Panels {
		widths = append(widths, each)
		if i == 0 {
			widths[0] += names
		}
	}
	return widths
}

func (p *Panels) height(width vg.Length) (height vg.Length) {
	for i, w := range p.widths(width) {
		height = max(height, p.Panels[i].Of.height(w))
	}
	return rowHeight + height
}

func (p *Panels) draw(c draw.Canvas) error {
	left := c.Min.X
	style := textStyle()
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	for i, width := range p.widths(c.Max.X - c.Min.X) {
		at, panel := c, p.Panels[i]
		at.Min.X, at.Max.X = left, left+width
		left += width + 2*gap
		at.FillText(style, vg.Point{X: at.Center().X, Y: at.Max.Y}, panel.Title)
		at.Max.Y -= rowHeight
		if _, is := panel.Of.(*Bars); is {
			at.Min.Y = at.Max.Y - panel.Of.height(width)
		}
		if err := panel.Of.draw(at); err != nil {
			return err
		}
	}
	return nil
}
