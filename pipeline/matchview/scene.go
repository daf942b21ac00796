package matchview

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"image/jpeg"
	"math"
	"strings"

	"golang.org/x/image/draw"

	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/pipeline/dataset"
	"descbench/pipeline/fold"
	"descbench/pipeline/report/figure"
)

// A ScenePage is what the page of one scene shows. Positions are px of the images of the data set.
type ScenePage struct {
	Name        string
	TolerancePx float64
	Images      []Image  // image k at index k-1; empty if NoImages
	NoImages    string   // why there are no images
	Systems     []string // those that have records of the scene
	Matchers    bool     // some of their matches are imported
	Epipolar    bool     // matches are judged by epipolar lines
	Depth       bool     // there are Occluded and Unknown queries
	Pairs       []*Pair
}

// An Image is an image of a scene, reduced.
type Image struct {
	Width  int // of the original, px
	Height int
	URI    template.URL // a JPEG
}

// A Pair is the pair of image 1 and image K, drawn side by side.
type Pair struct {
	K             int
	Width, Height int // of the drawing
	Image, Left   int // index of image K, and where it begins
	Systems       []Shown
}

// Shown is what is shown of the matches of one system.
type Shown struct {
	Index   int // among the systems of the page
	Name    string
	Matcher bool     // its matches are imported or judged by epipolar lines, so that Wrong has all that are wrong
	AP      *float64 // mean average precision of the pair's processed queries; nil without any
	Hit     *float64 // share of the processed queries whose ground truth has rank 1; nil without any
	Paths   []Path

	Correct, Missed, Wrong, Unmatched, Occluded, Unknown int // numbers of queries
}

// A Path is a path of an SVG with what is drawn of the matches of a class.
type Path struct {
	Class string // of the matches
	Part  string // line, dots, truth or epipolar
	D     string
}

// Limits of a scene's page, which keep it below about 1.5 MB.
const (
	imageWidth    = 640   // px, at most
	imageQuality  = 75    // of JPEG
	matchesOfPair = 40    // correct and missed ones of a system
	matchesInPage = 8_000 // of all systems and pairs
)

// Scene returns what the page of a scene shows of the systems that have records of it. The scenes are in the folder
// data, with "" where the run had them.
func Scene(ctx context.Context, systems []*fold.System, data, name string) (*ScenePage, error) {
	out := &ScenePage{Name: name, TolerancePx: systems[0].Rules.TolerancePx}
	var from *fold.System // one with records
	for _, s := range systems {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		records, err := s.Records(name)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			out.Epipolar = out.Epipolar || r.Pair.Placeless()
			of := shown(s, r, max(1, min(matchesOfPair, matchesInPage/(len(records)*len(systems)))))
			of.Index, of.Name = len(out.Systems), s.Name
			out.Matchers = out.Matchers || of.Matcher && !r.Pair.Placeless()
			out.Depth = out.Depth || of.Occluded+of.Unknown > 0
			p := out.pair(&r.Pair)
			p.Systems = append(p.Systems, of)
		}
		if len(records) > 0 {
			from, out.Systems = s, append(out.Systems, s.Name)
		}
	}
	if from == nil {
		out.NoImages = "no descriptor has records of this scene: all failed, or the run was shared without units"
		return out, nil
	}
	var err error
	if out.Images, err = imagesOf(ctx, from, data, name); err != nil {
		out.NoImages = err.Error()
	}
	return out, ctx.Err()
}

// pair returns the pair that a record is of.
func (s *ScenePage) pair(r *record.Pair) *Pair {
	for _, p := range s.Pairs {
		if p.K == int(r.K) {
			return p
		}
	}
	left := offset(r)
	p := &Pair{K: int(r.K), Image: int(r.K) - 1, Left: left, Width: left + int(r.WidthK), Height: int(max(r.Height1, r.HeightK))}
	s.Pairs = append(s.Pairs, p)
	return p
}

// offset returns where the right image of a pair begins in a drawing.
func offset(r *record.Pair) int { return int(r.Width1) + int(max(r.Width1, r.WidthK))/80 }

// shown returns what is shown of the system's matches of a pair: of limit correct and missed ones a random sample in
// which each has its share, and of others as much in proportion.
func shown(s *fold.System, r record.Records, limit int) Shown {
	m := byClass(s, r, limit)
	out := Shown{
		Matcher: r.Pair.Imported != "" || r.Pair.Placeless(),
		Correct: m[Correct].count, Missed: m[Missed].count, Wrong: m[Wrong].count,
		Unmatched: m[Unmatched].count, Occluded: m[Occluded].count, Unknown: m[Unknown].count,
	}
	out.AP, out.Hit = rates(s, r)
	names := map[Class]string{Correct: "correct", Missed: "missed", Wrong: "wrong", Occluded: "occluded", Unknown: "unknown"}
	judged := out.Correct + out.Missed
	if out.Matcher {
		names[Wrong], judged = "missed", out.Correct+out.Wrong
	}
	for _, class := range []Class{Unknown, Occluded, Wrong, Missed, Correct} { // the important ones on top
		share := float64(limit) / float64(max(limit, judged))
		m[class].keep(int(math.Ceil(share * float64(m[class].count))))
		out.Paths = append(out.Paths, paths(names[class], &r.Pair, m[class].matches(class, &r.Pair))...)
	}
	return out
}

// paths returns what is drawn of matches of a class: epipolar lines, lines between dots, and rings at ground truths.
func paths(class string, r *record.Pair, matches []figure.Match) (drawn []Path) {
	left, radius := offset(r), max(int(r.Width1)/80, 3)
	var epipolar, lines, dots, truths strings.Builder
	move := func(to *strings.Builder, command string, p figure.Point, left int) {
		fmt.Fprintf(to, "%s%.1f %.1f", command, p.X+0.5+float64(left), p.Y+0.5)
	}
	for _, m := range matches {
		if m.Line != nil {
			move(&epipolar, "M", m.Line[0], left)
			move(&epipolar, "L", m.Line[1], left)
		}
		move(&lines, "M", m.Left, 0)
		move(&lines, "L", m.Right, left)
		for i, end := range []figure.Point{m.Left, m.Right} {
			move(&dots, "M", end, i*left)
			dots.WriteString("h0")
		}
		if m.Truth != nil {
			move(&truths, "M", figure.Point{X: m.Truth.X - float64(radius), Y: m.Truth.Y}, left)
			fmt.Fprintf(&truths, "a%[1]d %[1]d 0 1 0 %[2]d 0a%[1]d %[1]d 0 1 0 -%[2]d 0", radius, 2*radius)
		}
	}
	for _, p := range []Path{{class, "epipolar", epipolar.String()}, {class, "line", lines.String()}, {class, "dots", dots.String()}, {class, "truth", truths.String()}} {
		if p.D != "" {
			drawn = append(drawn, p)
		}
	}
	return drawn
}

// rates returns the mean average precision of the pair's processed queries and the share whose ground truth has
// rank 1, nil without any.
func rates(s *fold.System, r record.Records) (ap, hit *float64) {
	n, sum, first := 0, 0.0, 0.0
	for i := range r.Queries {
		if q := &r.Queries[i]; s.Rules.Processes(q, &r.Pair) {
			rank := ranking.Rank(q.Less, q.Equal, s.Rules.Ties)
			n++
			sum += 1 / rank
			if rank <= 1 {
				first++
			}
		}
	}
	if n == 0 {
		return nil, nil
	}
	return new(sum / float64(n)), new(first / float64(n))
}

// imagesOf returns the images of a scene, reduced.
func imagesOf(ctx context.Context, from *fold.System, data, name string) (images []Image, err error) {
	scene, err := openScene(ctx, from, data, name)
	if err != nil {
		return nil, err
	}
	for i, of := range scene.Images {
		uri, err := reduced(scene, i)
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return nil, err
		}
		images = append(images, Image{of.Width, of.Height, uri})
	}
	return images, nil
}

// reduced returns image i of a scene as a data URI, reduced to imageWidth.
func reduced(scene *dataset.Scene, i int) (template.URL, error) {
	picture, err := scene.Picture(i)
	if err != nil {
		return "", err
	}
	var small image.Image = picture
	if size := picture.Bounds().Size(); size.X > imageWidth {
		to := image.NewRGBA(image.Rect(0, 0, imageWidth, max(1, size.Y*imageWidth/size.X)))
		draw.BiLinear.Scale(to, to.Bounds(), picture, picture.Bounds(), draw.Src, nil)
		small = to
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, small, &jpeg.Options{Quality: imageQuality}); err != nil {
		return "", fmt.Errorf("%s, image %d: %w", scene.Name, i+1, err)
	}
	return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), nil
}
