package keypointsets

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"git.sr.ht/~sbinet/gg"

	"descbench/keypoints"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/report/figure"
)

// OpenScene opens a scene that the config selects, without decoding its images.
func (s Source) OpenScene(ctx context.Context, name string) (*dataset.Scene, error) {
	if _, _, err := plan.Source(s.Config.Dataset).Find([]string{name}, "all"); err != nil {
		return nil, err // suggests the nearest name
	}
	p, err := s.plan()
	if err != nil {
		return nil, err
	}
	if !slices.Contains(p.Scenes, name) {
		return nil, plan.Faultf("scene %s is in %s but the config does not select it", name, s.Config.Dataset.Root)
	}
	return plan.OpenScene(ctx, s.Config.Dataset, name)
}

// FindImage returns the index of an image of a scene. name is its number or the name
// of its file, with or without extension.
func FindImage(scene *dataset.Scene, name string) (int, error) {
	for i, file := range scene.Images {
		stem := strings.TrimSuffix(file.File, filepath.Ext(file.File))
		if name == strconv.Itoa(i+1) || name == file.File || name == stem {
			return i, nil
		}
	}
	return 0, plan.Faultf("%s: no image %q, want 1 to %d", scene.Name, name, len(scene.Images))
}

// A Drawing says what Draw shows. Images are counted from 0.
type Drawing struct {
	Image int
	With  int // a second image, to the right of the first; negative for none
	Top   int // keypoints with the strongest responses to draw, of each image; 0: all
}

// repeatedPx is the distance in px within which a keypoint of the other image makes
// a keypoint repeated.
const repeatedPx = 3

// Draw writes a PNG of an image of a scene with its keypoints. With a second image, keypoints
// that have a keypoint of the other image within repeatedPx of their projection have
// another colour; one of the images must be the first of the scene. It returns the
// number of keypoints drawn in both images, and which are blue.
func Draw(path string, d Drawing, scene *dataset.Scene, sets []keypoints.Set) (drawn int, blue []string, err error) {
	picture, err := scene.Picture(d.Image)
	if err != nil {
		return 0, nil, err
	}
	if d.With < 0 {
		drawn = drawKeypoints(picture, 0, sets[d.Image], d.Top, func(int) color.RGBA { return lineColor })
	} else {
		m, err := scene.Mapping(max(d.Image, d.With))
		if err != nil {
			return 0, nil, err
		}
		if !m.KnowsPlaces() {
			return 0, nil, plan.Faultf("%s: its images have cameras without depth, which do not say where a keypoint lies in the other image", scene.Name)
		}
		other, err := scene.Picture(d.With)
		if err != nil {
			return 0, nil, err
		}
		left, right := picture.Bounds(), other.Bounds()
		both := image.NewRGBA(image.Rect(0, 0, left.Dx()+betweenPx+right.Dx(), max(left.Dy(), right.Dy())))
		draw.Draw(both, both.Bounds(), image.White, image.Point{}, draw.Src)
		draw.Draw(both, left, picture, image.Point{}, draw.Src)
		draw.Draw(both, right.Add(image.Pt(left.Dx()+betweenPx, 0)), other, image.Point{}, draw.Src)
		picture = both
		if d.With == 0 {
			m = m.Inverse()
		}
		a, b := sets[d.Image], sets[d.With]
		add := func(at int, m keypoints.Mapping, a, b keypoints.Set, image, other int) {
			repeated := 0
			n := drawKeypoints(picture, at, a, d.Top, repeatedColor(m.Places(a.Keypoints), b, &repeated))
			drawn += n
			blue = append(blue, fmt.Sprintf("%d of %d drawn in image %d have a partner among all %d keypoints of image %d", repeated, n, image+1, b.Len(), other+1))
		}
		add(0, m, a, b, d.Image, d.With)
		add(left.Dx()+betweenPx, m.Inverse(), b, a, d.With, d.Image)
	}
	return drawn, blue, plan.Fault(figure.WritePNG(path, picture))
}

// repeatedColor returns the colour of each row, given the places in the image of b, and counts
// the repeated.
func repeatedColor(places []keypoints.Place, b keypoints.Set, repeated *int) func(row int) color.RGBA {
	index := keypoints.IndexOf(b.Keypoints, repeatedPx)
	return func(row int) color.RGBA {
		if found, _ := index.Nearest(places[row].X, places[row].Y); found >= 0 {
			*repeated++
			return repeatedLine
		}
		return singleLine
	}
}

var (
	// Visible on light and dark backgrounds, and rare in photographs.
	lineColor = color.RGBA{R: 0, G: 255, B: 90, A: 255}
	// Readers with colour vision deficiency can tell these apart (Okabe and Ito,
	// Color Universal Design, 2008).
	repeatedLine = color.RGBA{R: 86, G: 180, B: 233, A: 255}
	singleLine   = color.RGBA{R: 230, G: 159, B: 0, A: 255}
	edgeColor    = color.NRGBA{A: 77}
)

const (
	lineWidth = 1.1 // px
	edgeWidth = 2.2 // px, width of the dark outline below the bright line
	// pointRadius is the radius of keypoints whose size is not known.
	pointRadius = 2.0 // px
	betweenPx   = 8   // between two images
)

// drawKeypoints draws the keypoints with the strongest responses, all if top is 0, as
// circles of their sizes, and a line from the centre to the circle in the direction of
// the angle, if there is one. It draws all dark outlines below all bright lines, and
// large circles below small ones, so that dense keypoints stay visible. The image
// begins at column left of the picture. It returns the number of keypoints drawn.
func drawKeypoints(picture *image.RGBA, left int, set keypoints.Set, top int, colorOf func(row int) color.RGBA) int {
	if top == 0 {
		top = set.Len()
	}
	rows := set.TopRows(top, keypoints.ByResponse)
	rows = slices.DeleteFunc(rows, func(row int) bool { return !set.Keypoints[row].Finite() })
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(set.Keypoints[b].Size, set.Keypoints[a].Size) })
	canvas := gg.NewContextForRGBA(picture)
	for _, edge := range []bool{true, false} {
		for _, row := range rows {
			p := set.Keypoints[row]
			x, y, radius := float64(p.X)+float64(left)+0.5, float64(p.Y)+0.5, float64(p.Size)/2 // from the corner of the picture
			if radius <= 0 {
				radius = pointRadius
			}
			canvas.DrawCircle(x, y, radius)
			if p.Angle >= 0 {
				// Clockwise in the image, whose y grows downwards.
				sin, cos := math.Sincos(float64(p.Angle) * math.Pi / 180)
				canvas.DrawLine(x, y, x+radius*cos, y+radius*sin)
			}
			if edge {
				canvas.SetColor(edgeColor)
				canvas.SetLineWidth(edgeWidth)
			} else {
				canvas.SetColor(colorOf(row))
				canvas.SetLineWidth(lineWidth)
			}
			canvas.Stroke()
		}
	}
	return len(rows)
}
