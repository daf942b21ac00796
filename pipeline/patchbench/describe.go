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
	"descbench/keypoints/openfile"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/features"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A Describer computes one descriptor for the patches of strips.
type Describer struct {
	descriptor config.Descriptor
	keypoint   keypoints.Keypoint // in a patch without margin
	margin     int
	rows       *features.Describer
}

// NewDescriber returns a describer for a descriptor of a checked config. The
// descriptor must not be a fusion or imported. openCVScript selects the keypoint of
// the OpenCV script in hpatches-benchmark: (32.5, 32.5), size 65/5.303 px, without
// orientation, octave 0. Close frees the describer.
func NewDescriber(d config.Descriptor, openCVScript bool) (*Describer, error) {
	refuse := func(format string, args ...any) error {
		return &config.Error{File: "descriptor " + d.Name, Msg: fmt.Sprintf(format, args...)}
	}
	if d.Fusion != nil || d.File != nil {
		return nil, refuse("type %s cannot describe patches: want a type that is computed from pixels", d.Type)
	}
	p := &Describer{descriptor: d}
	kind, _ := descriptors.FindKind(d.Type)
	switch {
	case d.ONNX != nil: // the network sees the whole patch
		kind.Patch.Size = patches.PatchSide / d.ONNX.Magnification
	case kind.Patch.Size == 0:
		return nil, refuse("type %s: the keypoint size for which its window fits a patch is not known", d.Type)
	case openCVScript && kind.ByClass:
		return nil, refuse("type %s cannot describe the keypoint of the OpenCV script, which has no pyramid level: use --keypoint fit", d.Type)
	}
	p.margin, p.keypoint = kind.Patch.Margin, kind.PatchKeypoint(d.Params)
	if openCVScript {
		// The same as cv2.KeyPoint(32.5, 32.5, 65/5.303).
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

// describe returns the rows of all patches of a strip in the form in which they are
// compared: rooted and normalised as configured. It may be called by several
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

// Chosen returns the descriptors with these names from the config at path. Without
// names it returns all descriptors that are computed from pixels.
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
			return nil, &config.Error{File: "--descriptor " + name, Msg: fmt.Sprintf("not in %s, want one of %s", path, strings.Join(known, ", "))}
		}
	}
	return chosen, nil
}

// A Job is a folder of strips to describe.
type Job struct {
	Strips string // <sequence>/<image>.png
	Out    string // folder for <descriptor>/<sequence>/<image>.csv
	NPZ    bool   // also write <image>.npz, with the array descriptors
	Packed bool   // pack eight bits of a binary descriptor into each value
	Jobs   int
}

// A Described summarises the outcome of a Job.
type Described struct {
	Descriptor string   `json:"descriptor"`
	Folder     string   `json:"folder"`
	Dimension  int      `json:"dimension"`
	Strips     int      `json:"strips"`
	Patches    int      `json:"patches"`
	Invalid    int      `json:"invalid"`             // patches that could not be described, for example without texture; written as zeros
	Sequences  []string `json:"sequences,omitempty"` // sequences with invalid patches
}

// DescribeStrips describes all strips of a folder, several at a time, and writes
// the descriptors. progress is called with the number of strips done and the total,
// from one goroutine at a time.
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
		return nil, plan.Faultf("%s: none of the %d patches could be described by %s", job.Strips, report.Patches, report.Descriptor)
	}
	report.Sequences = slices.Sorted(maps.Keys(invalid))
	return report, nil
}

// each describes strips in a folder, several at a time, and calls use with the rows
// of each strip, from several goroutines.
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

// maxSettings limits settings.json in bytes, which holds one descriptor's settings.
const maxSettings = 1 << 20

// claim writes settings.json, which records how the descriptors in a folder are
// computed. It rejects a folder with other settings, because one name would then
// mix sequences with different descriptors.
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
	switch there, err := openfile.Read(path, maxSettings); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return plan.Fault(err)
	case !bytes.Equal(there, text):
		return plan.Faultf("%s: the folder contains descriptors from other settings: use another name or folder", path)
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
