package keypointfiles

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"descbench/eval/scope"
	"descbench/keypoints"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// FindImage returns the indices of a scene and of one of its images, which also
// hold for every stored set. imageName is 1 to 6 or the name of the image file,
// with or without its extension.
func (k *Sets) FindImage(sceneName, imageName string) (scene, img int, err error) {
	if scene, err = k.FindScene(sceneName); err != nil {
		return 0, 0, err
	}
	for i, file := range k.scenes[scene].Images {
		stem := strings.TrimSuffix(file.File, filepath.Ext(file.File))
		if file.File == "" {
			continue // a stored set of fewer images
		}
		if imageName == strconv.Itoa(i+1) || imageName == file.File || imageName == stem {
			return scene, i, nil
		}
	}
	return 0, 0, plan.Faultf("%s: no image %q, want 1 to %d", sceneName, imageName, scope.Images)
}

// FindScene returns the index of a scene. It returns an error if the config does
// not select the scene.
func (k *Sets) FindScene(name string) (int, error) {
	for i, s := range k.scenes {
		if s.Name == name {
			return i, nil
		}
	}
	if k.file != "" {
		return 0, plan.Faultf("%s: no scene %q among the %d scenes of the set", k.file, name, len(k.scenes))
	}
	if _, err := dataset.Find(k.config.Dataset.Root, []string{name}, "all"); err != nil {
		return 0, err // suggests the nearest name
	}
	return 0, plan.Faultf("scene %s is in %s but the config does not select it", name, k.config.Dataset.Root)
}

// Draw writes a PNG of an image with its keypoints. scene and img are counted
// from 0.
func (k *Sets) Draw(ctx context.Context, path string, scene, img int, set keypoints.Set) error {
	from := k.scenes[scene]
	if k.file != "" {
		var err error
		if from, err = openSameScene(ctx, k.config.Dataset.Root, k.file, from); err != nil {
			return err
		}
	}
	picture, err := from.Picture(img)
	if err != nil {
		return err
	}
	drawKeypoints(picture, set)
	return plan.Fault(store.WriteFile(path, func(w io.Writer) error {
		if err := png.Encode(w, picture); err != nil {
			return fmt.Errorf("encode PNG: %w", err)
		}
		return nil
	}))
}

var (
	// Visible on light and dark backgrounds, and rare in photographs.
	lineColor = color.RGBA{R: 0, G: 255, B: 90, A: 255}
	edgeColor = color.RGBA{A: 255}
)

const (
	lineWidth = 1.2 // px
	edgeWidth = 2.6 // px, width of the dark outline below the bright line
	edgeAlpha = 0.45
	// pointRadius is the radius of keypoints whose size is not known.
	pointRadius = 2.0 // px
)

// drawKeypoints draws every keypoint as a circle of its size, and a line from
// the centre to the circle in the direction of its angle, if it has one. It draws
// all dark outlines below all bright lines, so that dense keypoints stay visible.
func drawKeypoints(picture *image.RGBA, set keypoints.Set) {
	for _, stroke := range []struct {
		color color.RGBA
		width float64
		alpha float64
	}{{edgeColor, edgeWidth, edgeAlpha}, {lineColor, lineWidth, 1}} {
		for _, p := range set.Keypoints {
			if !p.Finite() {
				continue
			}
			m := mark{x: float64(p.X), y: float64(p.Y), radius: float64(p.Size) / 2}
			if m.radius <= 0 {
				m.radius = pointRadius
			}
			if p.Angle >= 0 {
				// Clockwise in the image, whose y grows downwards.
				sin, cos := math.Sincos(float64(p.Angle) * math.Pi / 180)
				m.dx, m.dy = m.radius*cos, m.radius*sin
			}
			m.draw(picture, stroke.color, stroke.width, stroke.alpha)
		}
	}
}

// A mark is a circle and a line from its centre by (dx, dy).
type mark struct{ x, y, radius, dx, dy float64 }

// distance returns the distance of a point from the circle or the line, in px.
func (m mark) distance(x, y float64) float64 {
	x, y = x-m.x, y-m.y
	d := math.Abs(math.Hypot(x, y) - m.radius)
	if m.dx == 0 && m.dy == 0 {
		return d
	}
	along := max(0, min(1, (x*m.dx+y*m.dy)/(m.dx*m.dx+m.dy*m.dy)))
	return min(d, math.Hypot(x-along*m.dx, y-along*m.dy))
}

// draw blends the colour into each pixel according to the share of the pixel that
// a line of the given width covers, estimated from the pixel's distance.
func (m mark) draw(picture *image.RGBA, c color.RGBA, width, alpha float64) {
	b := picture.Bounds()
	reach := m.radius + width/2 + 1
	fromX, toX := max(b.Min.X, int(math.Floor(max(m.x-reach, -1)))), min(float64(b.Max.X-1), m.x+reach)
	fromY, toY := max(b.Min.Y, int(math.Floor(max(m.y-reach, -1)))), min(float64(b.Max.Y-1), m.y+reach)
	for y := fromY; float64(y) <= toY; y++ {
		for x := fromX; float64(x) <= toX; x++ {
			covered := alpha * max(0, min(1, width/2+0.5-m.distance(float64(x), float64(y))))
			if covered == 0 {
				continue
			}
			pixel := picture.Pix[picture.PixOffset(x, y):]
			for i, v := range [...]uint8{c.R, c.G, c.B} {
				pixel[i] = uint8(math.Round((1-covered)*float64(pixel[i]) + covered*float64(v)))
			}
		}
	}
}
