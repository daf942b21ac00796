package keypointsets

import (
	"cmp"
	"context"
	"image"
	"image/color"
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

// Draw writes a PNG of an image of a scene, counted from 0, with the keypoints of the strongest
// responses, all if top is 0. It returns their number.
func Draw(path string, scene *dataset.Scene, image int, set keypoints.Set, top int) (drawn int, err error) {
	picture, err := scene.Picture(image)
	if err != nil {
		return 0, err
	}
	drawn = drawKeypoints(picture, set, top)
	return drawn, plan.Fault(figure.WritePNG(path, picture))
}

var (
	// Visible on light and dark backgrounds, and rare in photographs.
	lineColor = color.RGBA{R: 0, G: 255, B: 90, A: 255}
	edgeColor = color.NRGBA{A: 77}
)

const (
	lineWidth = 1.1 // px
	edgeWidth = 2.2 // px, width of the dark outline below the bright line
	// pointRadius is the radius of keypoints whose size is not known.
	pointRadius = 2.0 // px
)

// drawKeypoints draws the keypoints with the strongest responses, all if top is 0, as
// circles of their sizes, and a line from the centre to the circle in the direction of
// the angle, if there is one. It draws all dark outlines below all bright lines, and
// large circles below small ones, so that dense keypoints stay visible. It returns the
// number of keypoints drawn.
func drawKeypoints(picture *image.RGBA, set keypoints.Set, top int) int {
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
			x, y, radius := float64(p.X)+0.5, float64(p.Y)+0.5, float64(p.Size)/2 // from the corner of the picture
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
				canvas.SetColor(lineColor)
				canvas.SetLineWidth(lineWidth)
			}
			canvas.Stroke()
		}
	}
	return len(rows)
}
