package patchbench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"descbench/descriptors"
	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/keypoints"
	"descbench/keypoints/detect"
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
	begun      settings // those that do not depend on files
	color      bool     // describes colours
	scripted   bool     // the OpenCV script describes this type, too, at another keypoint
	rows       *features.Describer
}

// The keypoints of patches: that whose window fits a patch, and that of
// the OpenCV script in hpatches-benchmark, extract_opencv_sift.py, described as
// OpenCV does: (32.5, 32.5), size 65/5.303 px, octave 0, at an angle of -1 degree, in
// a pyramid that starts at the patch itself.
const (
	Fit          = "fit"
	OpenCVScript = "opencv_script"
)

// NewDescriber returns a describer for a descriptor of a checked config that is computed from
// pixels, at Fit or OpenCVScript. Close frees the describer.
func NewDescriber(ctx context.Context, d config.Descriptor, placed string, log *slog.Logger) (*Describer, error) {
	refuse := func(format string, args ...any) error {
		return &config.Error{File: "descriptor " + d.Name, Msg: fmt.Sprintf(format, args...)}
	}
	kind, _ := descriptors.FindKind(d.Type)
	inScript := kind.Levels == "sift" && kind.Name != "usift"
	switch {
	case d.Fusion != nil:
		return nil, refuse("a fusion cannot describe patches: describe its parts, and join their files, such as paste -d, a/x.csv b/x.csv")
	case !ofPixels(d):
		return nil, refuse("type %s cannot describe patches: want a type that is computed from pixels", d.Type)
	case d.Command != nil && d.Command.Patches != nil: // the program sees the whole patch
		kind.Patch.Size = patches.PatchSide / d.Command.Patches.Magnification
	case d.Command != nil: // as for the 4 x 4 cells of SIFT
		sift, _ := descriptors.FindKind("sift")
		kind.Patch.Size = sift.Patch.Size
	case kind.Patch.Size == 0:
		return nil, refuse("type %s: the keypoint size for which its window fits a patch is not known", d.Type)
	case placed == OpenCVScript && !inScript:
		return nil, refuse("--keypoint opencv_script needs type sift, rgbsift, rgbsift_mean or opponentsift, found %s; use --keypoint fit", d.Type)
	}
	p := &Describer{descriptor: d, begun: settings{Descriptor: d.Method(), Keypoint: placed}, color: kind.Color, margin: kind.Patch.Margin, keypoint: kind.PatchKeypoint(d.Params), scripted: inScript && placed == Fit}
	changed := kind.AnyKeypoint
	if placed == OpenCVScript {
		// The same as cv2.KeyPoint(32.5, 32.5, 65/5.303).
		p.keypoint = keypoints.Keypoint{X: 32.5, Y: 32.5, Size: patches.PatchSide / 5.303, Angle: -1, ClassID: -1}
		changed = keypoints.Params{"pyramid": "opencv", descriptors.OpenCVAngle: true}
	}
	if changed != nil {
		p.descriptor.Params = maps.Clone(d.Params)
		maps.Copy(p.descriptor.Params, changed)
	}
	window := float64(p.keypoint.Size) * kind.Window(d.Params)
	if d.Pooling != nil {
		window *= slices.Max(d.Pooling.Scales)
	}
	p.begun.Window = int(math.Round(window))
	var err error
	p.rows, err = features.NewDescriber(ctx, p.descriptor, log)
	return p, err
}

// Close ends the program.
func (p *Describer) Close() { p.rows.Close() }

// describe returns the rows of all patches of a strip in the form in which they are
// compared: rooted and normalised as configured; gray reports whether it describes colours, of
// which no patch has any. It may be called by several goroutines at once.
func (p *Describer) describe(ctx context.Context, path string) (m *descriptors.Matrix, gray bool, err error) {
	strip, err := dataset.ReadStrip(path)
	if err != nil {
		return nil, false, plan.Fault(err)
	}
	defer strip.Close()
	k := p.keypoint
	k.X += float32(p.margin)
	k.Y += float32(p.margin)
	m, err = p.rows.DescribePatches(strip.Len(), func(i int) (detect.Image, error) {
		if err := ctx.Err(); err != nil {
			return detect.Image{}, err
		}
		return strip.Patch(i, p.margin)
	}, k)
	if err != nil && p.descriptor.Command != nil { // of the user
		return nil, false, plan.Faultf("%s: %w", path, err)
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", path, err)
	}
	return m, p.color && strip.IsGray(), nil
}

// Chosen returns the descriptors with these names from the config at path. Without
// names it returns all descriptors that are computed from pixels.
func Chosen(cfg *config.Config, path string, names []string) (chosen []config.Descriptor, err error) {
	var known []string
	for _, d := range cfg.Descriptors {
		known = append(known, d.Name)
		if slices.Contains(names, d.Name) || len(names) == 0 && d.Fusion == nil && ofPixels(d) {
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

// ofPixels reports whether a descriptor is computed from pixels around keypoints.
func ofPixels(d config.Descriptor) bool {
	return d.File == nil && d.Matches == nil && (d.Command == nil || d.Command.Operation != config.DetectRows)
}

// A Job is a folder of strips to describe.
type Job struct {
	Strips    string // <sequence>/<image>.png
	Out       string // folder for <descriptor>/<sequence>/<image>.csv
	Overwrite bool   // replace descriptors made with other settings
	Jobs      int
}

// A Described summarises the outcome of a Job.
type Described struct {
	Descriptor string
	Folder     string
	Dimension  int
	Strips     int
	Reused     int // strips that had been described before
	Patches    int
	Invalid    int // patches that could not be described, for example without texture; written as NaN
	Facts      []fact.Fact
}

// describedStrip is what the Described reports of a strip.
type describedStrip struct {
	Strip     string `json:"strip"` // its digest
	Patches   int    `json:"patches"`
	Dimension int    `json:"dimension"`
	Invalid   int    `json:"invalid"`
	Bits      bool   `json:"bits,omitempty"`
	Gray      bool   `json:"gray,omitempty"` // known if the descriptor describes colours
}

// DescribeStrips describes all strips of a folder, several at a time, and writes
// the descriptors. It keeps those of sequences whose strips were all described by an earlier call, which
// must have had the same settings and strips unless job.Overwrite. progress is called with the number of strips done and the
// total, from one goroutine at a time.
func (p *Describer) DescribeStrips(ctx context.Context, job Job, progress func(done, all int)) (report *Described, err error) {
	strips, err := patches.Find(job.Strips, ".png", "strips")
	if err != nil {
		return nil, err
	}
	report = &Described{Descriptor: p.descriptor.Name, Folder: filepath.Join(job.Out, filepath.FromSlash(p.descriptor.Name)), Facts: p.descriptor.UnitPixels()}
	if p.scripted {
		report.Facts = append(report.Facts, fact.New(fact.ScriptStronger))
	}
	sequences := slices.Sorted(maps.Keys(strips))
	settings, err := p.settings()
	if err != nil {
		return nil, err
	}
	out := store.Output{Dir: report.Folder, Record: settingsFile, Settings: settings, Parts: sequences, Overwrite: job.Overwrite, Input: "strips"}
	there := make(map[string]map[string]describedStrip, len(strips))
	for _, sequence := range sequences {
		report.Strips += len(strips[sequence])
		there[sequence], _ = describedStrips(filepath.Join(out.Dir, sequence)) // none if the record is damaged
		for _, image := range slices.Sorted(maps.Keys(there[sequence])) {
			digest, err := plan.FileDigest(filepath.Join(job.Strips, sequence, image+".png"))
			if store.IgnoreMissing(err) != nil {
				return nil, plan.Fault(err)
			}
			if digest != there[sequence][image].Strip {
				out.Changed = append(out.Changed, sequence+"/"+image)
			}
		}
	}
	if err := out.Begin(); err != nil {
		return nil, plan.Fault(err)
	}
	kept, err := p.kept(ctx, report, out, job, there, strips)
	if err != nil {
		return nil, err
	}
	done, gray, bits := 0, p.color, false
	var incomplete []string // sequences with patches that could not be described
	step := func(n int) { done += n; progress(done, report.Strips) }
	for _, sequence := range sequences {
		described, reused := kept[sequence]
		if reused {
			report.Reused += len(described)
			step(len(described))
		} else if described, err = p.sequence(ctx, out, job, sequence, strips[sequence], func() { step(1) }); err != nil {
			return nil, err
		}
		invalid := report.Invalid
		for _, s := range described {
			report.Patches += s.Patches
			report.Dimension = s.Dimension
			gray, bits = gray && s.Gray, bits || s.Bits
			report.Invalid += s.Invalid
		}
		if report.Invalid > invalid {
			incomplete = append(incomplete, sequence)
		}
	}
	if report.Invalid == report.Patches {
		return nil, plan.Faultf("%s: none of the %d patches could be described by %s", job.Strips, report.Patches, report.Descriptor)
	}
	if gray {
		report.Facts = append(report.Facts, fact.New(fact.GreyPatches))
	}
	if norm := p.descriptor.Normalize; p.descriptor.Command != nil && norm != descriptors.NoNorm && !bits { // which have none
		report.Facts = append(report.Facts, fact.New(fact.NormDivided).Naming("norm", strings.ToUpper(norm.String())))
	}
	if report.Invalid > 0 {
		report.Facts = append(report.Facts, fact.New(fact.NotDescribed).Counting(report.Invalid, report.Patches).Naming("sequences", incomplete...))
	}
	return report, nil
}

// settingsFile records, in a folder of descriptors, how they were computed.
const settingsFile = "settings.json"

// stripsFile records, in the folder of a sequence, which strips its descriptors describe.
const stripsFile = "strips.json"

// describedStrips returns what the folder of a sequence has, by image; nothing if it has no record.
func describedStrips(folder string) (described map[string]describedStrip, err error) {
	if path := filepath.Join(folder, stripsFile); !plan.Missing(path) {
		err = plan.ReadJSON(path, &described)
	}
	return described, err
}

// settings are all that rows depend on beside the strips.
type settings struct {
	Descriptor string            `json:"descriptor"`      // by its keys, without defaults
	Keypoint   string            `json:"keypoint"`        // fit or opencv_script
	Window     int               `json:"window_px"`       // side of the largest window in a patch
	Files      map[string]string `json:"files,omitempty"` // first digits of the digests of the files of a program, by name
	Rows       string            `json:"rows"`            // what else they depend on
}

func (p *Describer) settings() (s settings, err error) {
	s = p.begun
	s.Files = make(map[string]string)
	s.Rows, err = p.rows.Settings()
	s.Rows += fmt.Sprintf("; %+v, margin %d", p.keypoint, p.margin)
	for digest, name := range p.rows.Files() {
		s.Files[name] = digest[:12]
	}
	return s, err
}

// kept returns what there is of sequences of which all strips are described. It computes the rows of
// one of the described strips again if a program computes them, which may have changed without a trace in the settings: it
// returns an error if so.
func (p *Describer) kept(ctx context.Context, report *Described, out store.Output, job Job, described map[string]map[string]describedStrip, strips patches.Wanted) (map[string]map[string]describedStrip, error) {
	kept := make(map[string]map[string]describedStrip)
	again := "" // <sequence>/<image> of the strip
	for _, sequence := range out.Parts {
		images := strips[sequence]
		missing := func(image string) bool { return !out.Has(filepath.Join(sequence, image+".csv")) }
		if len(described[sequence]) == len(images) && !slices.ContainsFunc(images, missing) {
			kept[sequence], again = described[sequence], cmp.Or(again, filepath.Join(sequence, images[0]))
		}
	}
	c := p.descriptor.Command
	if c == nil {
		return kept, nil
	}
	if len(c.Files) == 0 && !c.OfPackage() {
		report.Facts = append(report.Facts, fact.New(fact.Unpinned))
	}
	if again == "" {
		return kept, nil
	}
	file := filepath.Join(out.Dir, again+".csv")
	was, err := plan.FileDigest(file)
	if err != nil {
		return nil, plan.Fault(err)
	}
	differs, err := features.Repetition[string]{Command: c, Compute: func() (string, time.Duration, error) {
		m, _, err := p.describe(ctx, filepath.Join(job.Strips, again+".png"))
		if err != nil {
			return "", 0, err
		}
		return patches.SHA256(func(w io.Writer) { _ = patches.WriteCSV(w, m) }), 0, nil
	}, Differs: func(was, is string) string {
		if was == is {
			return ""
		}
		return "other rows"
	}}.Recheck(file, was)
	if differs != "" {
		report.Facts = append(report.Facts, fact.New(fact.NotReproducible).Naming("strip", filepath.ToSlash(again)))
	}
	return kept, err
}

// sequence describes the strips of a sequence and writes the descriptors. It calls step for each strip that is done.
func (p *Describer) sequence(ctx context.Context, out store.Output, job Job, name string, images []string, step func()) (map[string]describedStrip, error) {
	described := make(map[string]describedStrip, len(images))
	var failed error
	err := out.Make(name, func(folder string) error {
		var mu sync.Mutex
		failed = patches.Each(ctx, job.Jobs, len(images), func(i int) error {
			s, err := p.describeStrip(ctx, filepath.Join(job.Strips, name, images[i]+".png"), filepath.Join(folder, images[i]+".csv"))
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			described[images[i]] = s
			step()
			return nil
		})
		if failed == nil {
			failed = plan.WriteJSON(filepath.Join(folder, stripsFile), described)
		}
		return failed
	})
	return described, cmp.Or(failed, plan.Fault(err))
}

// describeStrip describes a strip and writes the descriptors to a file.
func (p *Describer) describeStrip(ctx context.Context, path, file string) (s describedStrip, err error) {
	if err := ctx.Err(); err != nil {
		return s, err
	}
	m, gray, err := p.describe(ctx, path)
	if err != nil {
		return s, err
	}
	s = describedStrip{Patches: m.Rows, Dimension: m.Dim, Invalid: m.CountInvalid(), Bits: m.Type == descriptors.Bits, Gray: gray}
	s.Strip, err = plan.FileDigest(path)
	return s, plan.Fault(cmp.Or(err, store.WriteFile(file, func(w io.Writer) error { return patches.WriteCSV(w, m) })))
}
