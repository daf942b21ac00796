package figure

import (
	"fmt"
	"image"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Match joins a keypoint of the left image with one of the right. Positions are px
// of their images, from the centre of the first pixel.
type Match struct {
	Left, Right Point
	Truth       *Point    // in the right image, where Left should have been matched; nil if not shown
	Line        *[2]Point // in the right image, the ends of the line that Left should have been matched on; nil if not shown
}

// A MatchClass is matches of one kind, such as correct ones. Its place, counted from the
// last class, selects its look.
type MatchClass struct {
	Name    string  // in the legend
	Matches []Match // a random sample, if there are fewer than Count
	Count   int     // in the legend
}

// A Pair is two images side by side with lines between matched keypoints. Later
// classes are drawn over earlier ones.
type Pair struct {
	Images  [2]image.Image
	Classes []MatchClass
}

// matchStyles are the lines of classes from the last to the first, with dashes that tell
// them apart in grey.
var matchStyles = []draw.LineStyle{
	{Color: color.RGBA{0, 114, 178, 255}, Width: 0.7},
	{Color: color.RGBA{213, 94, 0, 255}, Width: 0.6, Dashes: []vg.Length{4, 2}},
	{Color: color.RGBA{204, 121, 167, 255}, Width: 0.5, Dashes: []vg.Length{1.2, 1.6}},
	{Color: color.RGBA{0, 158, 115, 255}, Width: 0.5, Dashes: []vg.Length{6, 2, 1.5, 2}},
	{Color: grey, Width: 0.5, Dashes: []vg.Length{1, 3}},
}

const betweenImages = 4 * vg.Length(1)

func (p *Pair) style(class int) draw.LineStyle {
	return matchStyles[(len(p.Classes)-1-class)%len(matchStyles)]
}

func (p *Pair) truthStyle(class int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: p.style(class).Color, Radius: 1.3 * markRadius, Shape: draw.RingGlyph{}}
}

func (p *Pair) legend() legend {
	var l legend
	for i := len(p.Classes) - 1; i >= 0; i-- {
		line, count := p.style(i), p.Classes[i].Count
		line.Width *= 2
		name := fmt.Sprintf("%s: %d", p.Classes[i].Name, count)
		switch drawn := len(p.Classes[i].Matches); {
		case count == 0:
		case drawn == 0:
			l = append(l, entry{name: name + ", not shown"})
		case drawn < count:
			l = append(l, entry{name: fmt.Sprintf("%s, %d shown", name, drawn), line: &line})
		default:
			l = append(l, entry{name: name, line: &line})
		}
	}
	if class := slices.IndexFunc(p.Classes, func(c MatchClass) bool {
		return slices.ContainsFunc(c.Matches, func(m Match) bool { return m.Truth != nil })
	}); class >= 0 {
		l = append(l, entry{name: "ground truth of a missed query", mark: new(p.truthStyle(class))})
	}
	if slices.ContainsFunc(p.Classes, func(c MatchClass) bool {
		return slices.ContainsFunc(c.Matches, func(m Match) bool { return m.Line != nil })
	}) {
		l = append(l, entry{name: "epipolar line of a wrong match", line: &epipolarStyle})
	}
	return l
}

// epipolarStyle is that of lines on which correct matches would be.
var epipolarStyle = draw.LineStyle{Color: color.RGBA{240, 228, 66, 255}, Width: 0.5}

// scale returns the size of a pixel if both images have the same scale and fill a
// width.
func (p *Pair) scale(width vg.Length) vg.Length {
	return (width - betweenImages) / vg.Length(p.Images[0].Bounds().Dx()+p.Images[1].Bounds().Dx())
}

func (p *Pair) height(width vg.Length) vg.Length {
	return p.scale(width) * vg.Length(max(p.Images[0].Bounds().Dy(), p.Images[1].Bounds().Dy()))
}

func (p *Pair) draw(c draw.Canvas) {
	px := p.scale(c.Max.X - c.Min.X)
	var corners [2]vg.Point // top left corner of each image
	left := c.Min.X
	for i, img := range p.Images {
		size := img.Bounds().Size()
		corners[i] = vg.Point{X: left, Y: c.Max.Y}
		c.DrawImage(vg.Rectangle{
			Min: vg.Point{X: left, Y: c.Max.Y - px*vg.Length(size.Y)},
			Max: vg.Point{X: left + px*vg.Length(size.X), Y: c.Max.Y},
		}, img)
		left += px*vg.Length(size.X) + betweenImages
	}
	at := func(image int, point Point) vg.Point {
		return vg.Point{X: corners[image].X + px*vg.Length(point.X+0.5), Y: corners[image].Y - px*vg.Length(point.Y+0.5)}
	}
	for i, class := range p.Classes {
		style := p.style(i)
		halo := draw.LineStyle{Color: color.NRGBA{255, 255, 255, 130}, Width: style.Width + 0.7}
		dot := draw.GlyphStyle{Color: style.Color, Radius: 1.1, Shape: draw.CircleGlyph{}}
		for _, m := range class.Matches {
			if m.Line != nil {
				from, to := at(1, m.Line[0]), at(1, m.Line[1])
				c.StrokeLine2(epipolarStyle, from.X, from.Y, to.X, to.Y)
			}
			a, b := at(0, m.Left), at(1, m.Right)
			c.StrokeLine2(halo, a.X, a.Y, b.X, b.Y)
			c.StrokeLine2(style, a.X, a.Y, b.X, b.Y)
			c.DrawGlyphNoClip(dot, a)
			c.DrawGlyphNoClip(dot, b)
		}
		for _, m := range class.Matches {
			if m.Truth != nil {
				c.DrawGlyphNoClip(p.truthStyle(i), at(1, *m.Truth))
			}
		}
	}
}
