package features

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"time"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/eval/nearest"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/files/matchio"
)

// A Trial is what a program returned for a small image.
type Trial struct {
	Text string
	Err  error
}

// TryPrograms starts the programs of a config and calls each of their functions with a
// small image. Those that read HDF5 files, which have nothing of it, it only starts.
func TryPrograms(ctx context.Context, cfg *config.Config) ([]Trial, error) {
	detect.UseOneThread()
	p := newPrograms(slog.New(slog.DiscardHandler), nil)
	p.ctx = ctx
	defer p.close(nil)
	img, err := extract.Drawing()
	if err != nil {
		return nil, err
	}
	defer img.Close()
	commands := cfg.Commands()
	var trials []Trial
	for _, key := range slices.Sorted(maps.Keys(commands)) {
		text, err := p.try(cfg, commands[key], img)
		if err != nil {
			text = err.Error()
		}
		trials = append(trials, Trial{text, err})
	}
	return trials, ctx.Err()
}

func (p *programs) try(cfg *config.Config, c *config.Command, img detect.Image) (string, error) {
	begun := time.Now()
	if err := findProgram(cfg, c); err != nil {
		return "", err
	}
	f, err := p.function(c)
	if err != nil {
		return "", err
	}
	started := time.Since(begun)
	if c.Imported() != "" {
		return fmt.Sprintf("%s: %s: started in %.1f s", c.Key, f, started.Seconds()), nil
	}
	got, took, err := p.trial(c).tryCall(cfg, img)
	if err != nil {
		return "", fmt.Errorf("%s: %w", c.Key, err)
	}
	if took > 0 {
		got += fmt.Sprintf(" in %.0f ms", 1000*took.Seconds())
	}
	return fmt.Sprintf("%s: %s: started in %.1f s; %s", c.Key, f, started.Seconds(), got), nil
}

func (p *programs) trial(c *config.Command) call {
	return call{p, c, map[string]any{"scene": "doctor", "image": "doctor.png", "image0": "doctor.png", "image1": "doctor.png"}}
}

// tryCall describes, detects or matches keypoints on a grid over the image, or estimates from
// exact matches.
func (c call) tryCall(cfg *config.Config, img detect.Image) (got string, took time.Duration, err error) {
	if c.command.Operation == config.Estimate {
		return c.tryEstimate(cfg)
	}
	if c.command.Operation == config.Match {
		view := matchedImage{file: dataset.ImageFile{Width: img.Width(), Height: img.Height()}, image: pixels(img)}
		if c.command.Of != "" {
			set, m, err := c.rowsOf(cfg, c.command.Of, img)
			if m == nil || err != nil {
				return "not called, because " + c.command.Of + " has no rows of this image", 0, err
			}
			view.set, view.rows = &set, m
		}
		at := slices.IndexFunc(cfg.Descriptors, func(d config.Descriptor) bool { return keyOf(d) == c.command.Key })
		if view.set == nil && cfg.Descriptors[at].Keypoints != "" {
			view.set = new(grid(img))
		}
		other := view
		if view.set != nil { // fewer keypoints, so that not all of view have a match, in another order
			some := view.set.RowsInsideBorder(img.Width(), img.Height(), keypoints.Border{Px: 60})
			slices.Reverse(some)
			other.set = new(view.set.Select(some))
			if view.rows != nil {
				other.rows = view.rows.Select(some)
			}
		}
		found, took, err := c.match([2]matchedImage{view, other})
		if err == nil && view.set != nil {
			_, _, err = found.ByRow("the keypoint set", matchio.Numbering{Rows: view.set.Len()}, matchio.Numbering{Rows: other.set.Len()})
			err = c.wrong(err)
		}
		if err != nil {
			return "", took, err
		}
		judged, correct := 0, 0
		for _, at := range found.List {
			if view.set != nil {
				a, b := view.set.Keypoints[at.Row0], other.set.Keypoints[at.Row1]
				if !slices.Contains(other.set.Keypoints, a) {
					continue // it has no counterpart
				}
				at.X0, at.Y0, at.X1, at.Y1 = a.X, a.Y, b.X, b.Y
			}
			judged++
			if math.Hypot(float64(at.X1-at.X0), float64(at.Y1-at.Y0)) <= 3 {
				correct++
			}
		}
		got := fmt.Sprintf("%d matches of an image of %d×%d px with itself", len(found.List), img.Width(), img.Height())
		if judged < len(found.List) {
			got += fmt.Sprintf(", %d of them of keypoints that both sides have", judged)
		}
		if got += fmt.Sprintf(", %d of them correct", correct); 5*correct < judged || judged == 0 {
			return "", took, c.wrong(errors.New(got + "; want nearly all: rows of the keypoints of either image as it gets them, or positions in px of these images, x first"))
		}
		return got, took, nil
	}
	found, err := c.tryRows(img)
	set, m, took := found.set, found.rows, found.took
	switch {
	case err != nil:
		return "", took, err
	case set.Len() == 0:
		return "", took, c.wrong(fmt.Errorf("no keypoints in an image of %d×%d px with many corners and blobs", img.Width(), img.Height()))
	case m != nil && 4*m.CountInvalid() > m.Rows:
		return "", took, c.wrong(fmt.Errorf("%d of %d rows invalid (zeros, NaN or Inf)", m.CountInvalid(), m.Rows))
	case m != nil && 2*nearlyEqual(m) > m.Rows:
		return "", took, c.wrong(fmt.Errorf("%d of %d rows nearly equal to the row before, of another place in the image", nearlyEqual(m), m.Rows))
	case m == nil && set.Len() > 0 && c.command.Operation == config.DetectRows:
		return "", took, c.wrong(errNoRows)
	case c.command.Operation == config.Describe, c.command.Operation == config.DescribePatches:
		return fmt.Sprintf("%d rows of %s for %d keypoints, %d of them invalid", m.Rows, elements(m), set.Len(), m.CountInvalid()), took, nil
	}
	got = fmt.Sprintf("%d keypoints in an image of %d×%d px", set.Len(), img.Width(), img.Height())
	if m != nil {
		got += ", rows of " + elements(m)
	}
	if found.ignored != "" {
		got += fmt.Sprintf(" (not read: %s)", found.ignored)
	}
	return got, took, nil
}

// nearlyEqual counts the valid rows whose distance to the row before is below 1 % of their length.
func nearlyEqual(m *descriptors.Matrix) (rows int) {
	zeros := descriptors.New(1, m.Dim, m.Type)
	for i := 1; i < m.Rows; i++ {
		if !m.IsInvalid(i) && nearest.SquaredDistance(m, i-1, m, i) < 1e-4*nearest.SquaredDistance(m, i, zeros, 0) {
			rows++
		}
	}
	return rows
}

// tryRows returns the keypoints that a program detects in the image, or else those of a
// grid, and their rows.
func (c call) tryRows(img detect.Image) (out described, err error) {
	if op := c.command.Operation; op != config.Describe && op != config.DescribePatches {
		return c.detect(pixels(img))
	}
	out.set = grid(img)
	out.rows, out.took, err = c.describe(img, out.set.Keypoints)
	return out, err
}

// grid returns keypoints that are as far from the edges of the image as the default border. Nearer ones are
// left out by OpenCV's compute.
func grid(img detect.Image) (set keypoints.Set) {
	const border, spacing = 40, 12
	for y := border; y < img.Height()-border; y += spacing {
		for x := border; x < img.Width()-border; x += spacing {
			set.Keypoints = append(set.Keypoints, keypoints.Keypoint{X: float32(x), Y: float32(y), Size: 12, Angle: float32(x % 360), ClassID: -1})
		}
	}
	return set
}

// rowsOf returns keypoints and rows of a descriptor of the config; no rows if they are
// not computed from the image.
func (p *programs) rowsOf(cfg *config.Config, name string, img detect.Image) (set keypoints.Set, m *descriptors.Matrix, err error) {
	d := *cfg.Named(name)
	switch {
	case d.File != nil || d.Fusion != nil:
		return set, nil, nil
	case d.Command != nil:
		var found described
		found, err = p.trial(d.Command).tryRows(img)
		set, m = found.set, found.rows
	default:
		kind, _ := descriptors.FindKind(d.Type)
		detector, _ := keypoints.FindDetector(kind.Detector())
		if set, err = extract.Detect(img, detector.Name, keypoints.Defaults(detector.Params)); err == nil {
			m, err = extract.Extract(img, scaled(d, set.Keypoints), d.Type, d.Params)
		}
	}
	if err == nil && m != nil {
		m, err = compared(d, m)
	}
	return set, m, err
}
