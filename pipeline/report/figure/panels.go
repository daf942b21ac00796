package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Panel is a figure with a title above it.
type Panel struct {
	Title string  `json:"title"`
	Of    Drawing `json:"figure"`
}

// Panels is a figure of several side by side, with one legend. Graphs have the same range of Y.
type Panels struct {
	Panels []Panel `json:"panels"`
}

// Kind returns "panels".
func (p *Panels) Kind() string { return "panels" }

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

// width returns the width of a panel in that of all.
func (p *Panels) width(all vg.Length) vg.Length {
	n := vg.Length(len(p.Panels))
	return (all - (n-1)*2*gap) / n
}

func (p *Panels) height(width vg.Length) (height vg.Length) {
	for _, panel := range p.Panels {
		height = max(height, panel.Of.height(p.width(width)))
	}
	return rowHeight + height
}

func (p *Panels) draw(c draw.Canvas) error {
	width, all := p.width(c.Max.X-c.Min.X), p.graph()
	style := textStyle()
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	for i, panel := range p.Panels {
		at := c
		at.Min.X += vg.Length(i) * (width + 2*gap)
		at.Max.X = at.Min.X + width
		at.FillText(style, vg.Point{X: at.Center().X, Y: at.Max.Y}, panel.Title)
		at.Max.Y -= rowHeight
		if g, is := panel.Of.(*Graph); is && all != nil {
			alike := *g
			_, alike.Y = all.axes(all.banded() != nil)
			panel.Of = &alike
		} else {
			at.Min.Y = at.Max.Y - panel.Of.height(width)
		}
		if err := panel.Of.draw(at); err != nil {
			return err
		}
	}
	return nil
}
