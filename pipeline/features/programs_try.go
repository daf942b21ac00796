package features

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/descriptors/extract/patchnet"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/config"
)

// A Trial is what a program returned for a small image.
type Trial struct {
	Key  string // in the config
	Text string
	Err  error
}

// TryPrograms starts the programs of a config and calls each of their functions with a
// small image.
func TryPrograms(ctx context.Context, cfg *config.Config) ([]Trial, error) {
	detect.UseOneThread()
	p := newPrograms(slog.New(slog.DiscardHandler), nil)
	p.ctx = ctx
	defer p.close()
	img, err := extract.Drawing()
	if err != nil {
		return nil, err
	}
	defer img.Close()
	commands := cfg.Commands()
	var trials []Trial
	for _, key := range slices.Sorted(maps.Keys(commands)) {
		text, err := p.try(key, commands[key], img)
		trials = append(trials, Trial{key, text, err})
	}
	return trials, ctx.Err()
}

func (p *programs) try(key string, c *config.Command, img detect.Image) (string, error) {
	begun := time.Now()
	f, err := p.function(key, c)
	if err != nil {
		return "", err
	}
	started := time.Since(begun)
	got, took, err := p.tryCall(call{p, key, c, map[string]any{"scene": "doctor", "image": "doctor.png", "image0": "doctor.png", "image1": "doctor.png"}}, img)
	if err != nil {
		return "", err
	}
	if took > 0 {
		got += fmt.Sprintf(" in %.0f ms", 1000*took.Seconds())
	}
	return fmt.Sprintf("%s: %s: started in %.1f s; %s", key, f, started.Seconds(), got), nil
}

// tryCall describes, detects or matches keypoints on a grid over the image.
func (p *programs) tryCall(c call, img detect.Image) (got string, took time.Duration, err error) {
	const spacing = 16
	var kps []keypoints.Keypoint
	for y := spacing; y < img.Height(); y += spacing {
		for x := spacing; x < img.Width(); x += spacing {
			kps = append(kps, keypoints.Keypoint{X: float32(x), Y: float32(y), Size: 12, Angle: float32(x), ClassID: -1})
		}
	}
	var m *descriptors.Matrix
	switch c.command.Operation {
	case config.Describe:
		m, took, err = c.describe(img, kps)
	case config.DescribePatches:
		m, took, err = c.patches(len(kps), func(use func(int, []float32)) error {
			return patchnet.EachPatch(img, kps, netOptions(*c.command.Patches), use)
		})
	case config.Match:
		if c.command.Of != "" {
			return "not called, because it needs the rows of " + c.command.Of, 0, nil
		}
		found, _, took, err := c.match([2]matchedImage{{image: &img}, {image: &img}})
		if err != nil {
			return "", took, err
		}
		return fmt.Sprintf("%d matches of an image of %d×%d px with itself", len(found.List), img.Width(), img.Height()), took, nil
	default:
		set, rows, took, err := c.detect(img)
		if err != nil {
			return "", took, err
		}
		got = fmt.Sprintf("%d keypoints in an image of %d×%d px", set.Len(), img.Width(), img.Height())
		if rows != nil {
			got += ", rows of " + elements(rows)
		}
		return got, took, nil
	}
	if err != nil {
		return "", took, err
	}
	return fmt.Sprintf("%d rows of %s for %d keypoints, %d of them invalid", m.Rows, elements(m), len(kps), m.CountInvalid()), took, nil
}
