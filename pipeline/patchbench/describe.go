package patchbench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"descbench/descriptors"
	"descbench/eval/patches"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/features"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A Describer describes the patches of strips by one descriptor.
type Describer struct {
	descriptor config.Descriptor
	keypoint   keypoints.Keypoint // in a patch without margin
	margin     int
	rows       *features.Describer
}

// NewDescriber returns a describer for a descriptor of a checked config,
// which must be no fusion and not imported. openCVScript takes the keypoint of
// hpatches-benchmark's script for OpenCV: (32.5, 32.5), size 65/5.303, without
// orientation, octave 0. Close frees the describer.
func NewDescriber(d config.Descriptor, openCVScript bool) (*Describer, error) {
	refuse := func(format string, args ...any) error {
		return &config.Error{File: "descriptor " + d.Name, Msg: fmt.Sprintf(format, args...)}
	}
	if d.Fusion != nil || d.File != nil {
		return nil, refuse("type %s cannot describe patches: want a type that looks at pixels", d.Type)
	}
	p := &Describer{descriptor: d}
	kind, _ := descriptors.FindKind(d.Type)
	switch {
	case d.ONNX != nil: // the network sees the whole patch
		kind.Patch.Size = patches.PatchSide / d.ONNX.Magnification
	case kind.Patch.Size == 0:
		return nil, refuse("type %s: no keypoint is known at which its window fits a patch", d.Type)
	case openCVScript && kind.ByClass:
		return nil, refuse("type %s cannot describe the keypoint of the script for OpenCV, which has no level: want the keypoint that fits", d.Type)
	}
	p.margin, p.keypoint = kind.Patch.Margin, kind.PatchKeypoint(d.Params)
	if openCVScript {
		// As cv2.KeyPoint(32.5, 32.5, 65/5.303) has it.
		p.keypoint = keypoints.Keypoint{X: 32.5, Y: 32.5, Size: patches.PatchSide / 5.303, Angle: -1, ClassID: -1}
	}
	if kind.AnyKeypoint != nil {
		p.descriptor.Params = maps.Clone(d.Params)
		maps.Copy(p.descriptor.Params, kind.AnyKeypoint)
	}
	var err error
	p.rows, err = features.NewDescriber(p.descriptor)
	return p, err
}

// Close frees the networks.
func (p *Describer) Close() { p.rows.Close() }

// describe returns the rows of all patches of a strip as they are compared:
// rooted and normalised as the descriptor says. It may be called by several
// goroutines at once.
func (p *Describer) describe(ctx context.Context, path string) (*descriptors.Matrix, error) {
	strip, err := dataset.ReadStrip(path)
	if err != nil {
		return nil, plan.Fault(err)
	}
	defer strip.Close()
	var all *descriptors.Matrix
	for i := range strip.Len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m, err := p.patch(strip, i)
		if err != nil {
			return nil, fmt.Errorf("%s: patch %d: %w", path, i, err)
		}
		if all == nil {
			all = descriptors.New(strip.Len(), m.Dim, m.Type)
			all.UnitNorm = m.UnitNorm
		}
		all.CopyRow(i, m, 0)
	}
	return all, nil
}

func (p *Describer) patch(strip *dataset.Strip, i int) (*descriptors.Matrix, error) {
	pixels, err := strip.Patch(i, p.margin)
	if err != nil {
		return nil, err
	}
	img, err := detect.NewImage(pixels)
	if err != nil {
		return nil, err
	}
	defer img.Close()
	k := p.keypoint
	k.X += float32(p.margin)
	k.Y += float32(p.margin)
	return p.rows.Describe(img, []keypoints.Keypoint{k})
}

// Chosen returns the descriptors of the config at path that have these names; all
// that look at pixels if there are none.
func Chosen(cfg *config.Config, path string, names []string) ([]config.Descriptor, error) {
	var chosen []config.Descriptor
	var known []string
	for _, d := range cfg.Descriptors {
		known = append(known, d.Name)
		if slices.Contains(names, d.Name) || len(names) == 0 && d.Fusion == nil && d.File == nil {
			chosen = append(chosen, d)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, &config.Error{File: "--descriptor " + name, Msg: fmt.Sprintf("%s has none of this name, want one of %s", path, strings.Join(known, ", "))}
		}
	}
	return chosen, nil
}

// A Job is a folder of strips to be described.
type Job struct {
	Strips string // <sequence>/<image>.png
	Out    string // gets <descriptor>/<sequence>/<image>.csv
	NPZ    bool   // gets <image>.npz too, with the array descriptors
	Packed bool   // eight bits of a binary descriptor to a number
	Jobs   int
}

// A Described sums up what a Job did.
type Described struct {
	Descriptor string   `json:"descriptor"`
	Folder     string   `json:"folder"`
	Dimension  int      `json:"dimension"`
	Strips     int      `json:"strips"`
	Patches    int      `json:"patches"`
	Invalid    int      `json:"invalid"`             // patches without texture or otherwise not described, written as zeros
	Sequences  []string `json:"sequences,omitempty"` // in which there are invalid ones
}

// DescribeStrips describes all strips of a folder and writes the results,
// several strips at a time. progress is called with the number of strips done
// and of all, from one goroutine at a time.
func (p *Describer) DescribeStrips(ctx context.Context, job Job, progress func(done, all int)) (*Described, error) {
	strips, err := patches.Find(job.Strips, ".png", "strips")
	if err != nil {
		return nil, err
	}
	report := &Described{Descriptor: p.descriptor.Name, Folder: filepath.Join(job.Out, filepath.FromSlash(p.descriptor.Name))}
	for _, images := range strips {
		report.Strips += len(images)
	}
	if err := p.claim(report.Folder, job.Packed); err != nil {
		return nil, err
	}
	var mu sync.Mutex
	done := 0
	invalid := make(map[string]bool)
	err = p.each(ctx, job.Strips, strips, job.Jobs, func(sequence, image string, m *descriptors.Matrix) error {
		if err := writeRows(filepath.Join(report.Folder, sequence, image), m, job); err != nil {
			return plan.Fault(err)
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		report.Patches += m.Rows
		report.Dimension = m.Dim
		if n := m.CountInvalid(); n > 0 {
			report.Invalid += n
			invalid[sequence] = true
		}
		progress(done, report.Strips)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if report.Invalid == report.Patches {
		return nil, plan.Faultf("%s: not one of %d patches could be described by %s", job.Strips, report.Patches, report.Descriptor)
	}
	report.Sequences = slices.Sorted(maps.Keys(invalid))
	return report, nil
}

// each describes strips in a folder, several at a time, and calls use with the
// rows of each, from several goroutines.
func (p *Describer) each(ctx context.Context, dir string, strips patches.Wanted, jobs int, use func(sequence, image string, m *descriptors.Matrix) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(patches.Workers(jobs))
	for _, sequence := range slices.Sorted(maps.Keys(strips)) {
		for _, image := range strips[sequence] {
			g.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				m, err := p.describe(ctx, filepath.Join(dir, sequence, image+".png"))
				if err != nil {
					return err
				}
				return use(sequence, image, m)
			})
		}
	}
	return g.Wait()
}

// claim writes how the descriptors in a folder are made, settings.json. One that
// holds others is refused: sequences of both would stand under one name.
func (p *Describer) claim(folder string, packed bool) error {
	settings := struct {
		Descriptor config.Descriptor  `json:"descriptor"`
		Keypoint   keypoints.Keypoint `json:"keypoint"` // in a patch
		Packed     bool               `json:"packed"`
	}{p.descriptor, p.keypoint, packed}
	text, err := json.MarshalIndent(settings, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	path := filepath.Join(folder, "settings.json")
	switch there, err := os.ReadFile(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return plan.Fault(err)
	case !bytes.Equal(there, text):
		return plan.Faultf("%s: the folder holds descriptors made by other settings, want another name or folder", path)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return plan.Fault(err)
	}
	return plan.WriteBytes(path, text)
}

func writeRows(target string, m *descriptors.Matrix, job Job) error {
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return err
	}
	if err := store.WriteFile(target+".csv", func(w io.Writer) error { return patches.WriteCSV(w, m, job.Packed) }); err != nil {
		return err
	}
	if !job.NPZ {
		return nil
	}
	return store.WriteFile(target+".npz", func(w io.Writer) error { return patches.WriteNPZ(w, m, job.Packed) })
}
