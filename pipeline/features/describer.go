package features

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/descriptors/extract/patchcut"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

// A Describer computes one pixel-based descriptor for images that do not belong
// to a scene. It caches nothing. Close ends its program, if it has one.
type Describer struct {
	descriptor config.Descriptor
	programs   *programs
}

// NewDescriber returns a Describer and starts the descriptor's program, which is killed
// when ctx ends.
func NewDescriber(ctx context.Context, d config.Descriptor, log *slog.Logger) (*Describer, error) {
	detect.UseOneThread()
	p := &Describer{d, newPrograms(log, nil)}
	p.programs.ctx = ctx
	if _, _, err := p.programs.settingsOf(d); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Settings identifies what raw rows depend on in addition to images and keypoints:
// the settings, the content of a program's files, and the software that computes them.
func (p *Describer) Settings() (string, error) {
	settings, _, err := p.programs.settingsOf(p.descriptor)
	if err != nil {
		return "", err
	}
	return settings + "; " + plan.CurrentEnvironment("").ExtractionKey(), nil
}

// Files returns the names of the files whose digests are in Settings, by digest.
func (p *Describer) Files() map[string]string {
	p.programs.mu.Lock()
	defer p.programs.mu.Unlock()
	names := make(map[string]string)
	for path, digest := range p.programs.digests {
		names[digest] = filepath.Base(path)
	}
	return names
}

// Close ends the program.
func (p *Describer) Close() { p.programs.close(nil) }

// DescribePatches returns the row of the same keypoint in each of count images, in
// the form in which rows are compared: pooled, rooted and normalised as the
// descriptor's config says. It calls patch for one image after the other and closes
// what it returns. It is safe for concurrent use.
func (p *Describer) DescribePatches(count int, patch func(i int) (detect.Image, error), k keypoints.Keypoint) (*descriptors.Matrix, error) {
	m, err := p.raw(count, patch, scaled(p.descriptor, slices.Repeat([]keypoints.Keypoint{k}, count)))
	if err != nil {
		return nil, err
	}
	return compared(p.descriptor, m)
}

// raw returns the raw rows of the keypoints of count images, at least one, with the same
// number of keypoints each, one image after the other.
func (p *Describer) raw(count int, image func(i int) (detect.Image, error), kps []keypoints.Keypoint) (*descriptors.Matrix, error) {
	d, per := p.descriptor, len(kps)/count
	each := func(use func(i int, img detect.Image, kps []keypoints.Keypoint) error) error {
		for i := range count {
			img, err := image(i)
			if err != nil {
				return err
			}
			err = use(i, img, kps[i*per:(i+1)*per])
			img.Close()
			if err != nil {
				return err
			}
		}
		return nil
	}
	if d.Command != nil && d.Command.Operation == config.DescribePatches {
		m, _, err := call{p.programs, d.Command, nil}.patches(len(kps), func(use func(int, []float32) error) error {
			return each(func(i int, img detect.Image, kps []keypoints.Keypoint) error {
				return patchcut.Each(img, kps, *d.Command.Patches, func(j int, patch []float32) error { return use(i*per+j, patch) })
			})
		})
		return m, err
	}
	var all *descriptors.Matrix
	err := each(func(i int, img detect.Image, kps []keypoints.Keypoint) error {
		m, err := p.describe(i, img, kps)
		if err == nil && all != nil && (m.Dim != all.Dim || m.Type != all.Type) {
			err = fmt.Errorf("rows of %s, want %s as before", elements(m), elements(all))
		}
		if err != nil {
			return fmt.Errorf("patch %d: %w", i, err)
		}
		if all == nil {
			all = descriptors.New(count*per, m.Dim, m.Type)
		}
		for k := range per {
			all.CopyRow(i*per+k, m, k)
		}
		return nil
	})
	return all, err
}

// describe returns the raw rows of the keypoints of image i.
func (p *Describer) describe(i int, img detect.Image, kps []keypoints.Keypoint) (*descriptors.Matrix, error) {
	d := p.descriptor
	if d.Command == nil {
		return extract.Extract(img, kps, d.Type, d.Params)
	}
	m, _, err := call{p.programs, d.Command, map[string]any{"image": fmt.Sprint("patch ", i)}}.describe(img, kps)
	return m, err
}
