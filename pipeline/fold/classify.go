package fold

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"

	"descbench/eval"
	"descbench/eval/binary"
	"descbench/eval/stats"
	"descbench/keypoints/openfile"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

const (
	// curvePoints is the maximum number of curve points that are kept for drawing.
	curvePoints = 10_000
	// maxSamples limits a file of distances in bytes. It has room for 200 million
	// lines; each takes 8 bytes in memory.
	maxSamples = 4 << 30
)

// ClassifyFiles reads files of distance,label lines as one system. Its error is a
// DataError that names the file and line.
func ClassifyFiles(ctx context.Context, name string, files []string, at binary.OperatingPoint) (report.System, error) {
	all := &binary.Samples{}
	var classes []string
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return report.System{}, err
		}
		samples, err := readSamples(path)
		if err != nil {
			return report.System{}, err
		}
		classes = append(classes, path+": "+classesOf(samples))
		all.Merge(samples)
	}
	s, err := NewSystem(name, all, at)
	for i, w := range s.Summary.Warnings {
		if w.Kind == "single-class" {
			s.Summary.Warnings[i].Text += " (" + strings.Join(classes, "; ") + ")"
		}
	}
	return s, err
}

func readSamples(path string) (*binary.Samples, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, plan.Faultf("%s: is a folder, want files of distance,label lines or a single run folder", path)
	}
	f, err := openfile.Open(path, maxSamples)
	if err != nil {
		return nil, plan.Fault(err)
	}
	defer f.Close()
	samples, err := binary.Read(f)
	if err != nil {
		return nil, plan.Faultf("%s: %w", path, err)
	}
	return samples, nil
}

// classesOf describes which labels a file's lines have.
func classesOf(s *binary.Samples) string {
	switch positives, negatives := s.Len(); {
	case negatives == 0:
		return fmt.Sprintf("lines 1 to %d all have label 1", positives)
	case positives == 0:
		return fmt.Sprintf("lines 1 to %d all have label 0", negatives)
	default:
		return fmt.Sprintf("%d lines with label 1, %d with 0", positives, negatives)
	}
}

// NewSystem computes the metrics of the samples and keeps the curve for drawing.
// It empties samples. Its error is a DataError that names the system.
func NewSystem(name string, samples *binary.Samples, at binary.OperatingPoint) (report.System, error) {
	none := stats.Interval{Low: math.NaN(), High: math.NaN()}
	s := report.System{Name: name, Rule: at.String(), ROCAUC: none, AveragePrecision: none}
	curve, err := samples.Curve()
	if err != nil {
		return s, plan.Faultf("%s: %w", name, err)
	}
	s.Summary = curve.Summary()
	s.Curve = curve.Thin(curvePoints)
	for range curve.Points() {
		s.Points++
	}
	if point, err := at.Of(curve); err == nil {
		s.At = &point
	}
	return s, nil
}

// IsRun reports whether the path is a run folder, finished or not.
func IsRun(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() && plan.Folder(path).IsRun()
}

// LabelledRun holds the systems of a run.
type LabelledRun struct {
	TolerancePx float64
	Systems     []report.System // by descriptor, in the order of the records
	Failed      map[string]string
}

// ClassifyRun returns one system per descriptor of a folded run, computed from
// its records. The samples are all queries with their nearest neighbours; a
// sample is positive if the neighbour is within the tolerance of the query's
// projection. set may change the evaluation section
// ("evaluation.tolerance_px=1"). The areas have intervals over scenes from 1000
// resamples, computed on up to jobs processor cores, or none if jobs is 0.
func ClassifyRun(ctx context.Context, run string, set []string, at binary.OperatingPoint, jobs int) (*LabelledRun, error) {
	f := plan.Folder(run)
	p, _, err := reevaluation(f, set)
	if err != nil {
		return nil, err
	}
	out := &LabelledRun{TolerancePx: p.Config.Evaluation.TolerancePx}
	var current *labelledDescriptor
	done := make(map[string]bool)
	finish := func() error {
		if current == nil {
			return nil
		}
		done[current.name] = true
		s, err := current.system(ctx, at, jobs)
		s.Index = len(out.Systems)
		out.Systems = append(out.Systems, s)
		return err
	}
	err = store.ReadQueries(f.Queries(), func(batch []eval.Query) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range batch {
			q := &batch[i]
			if current == nil || current.name != q.Descriptor {
				if err := finish(); err != nil {
					return err
				}
				if done[q.Descriptor] {
					return plan.Faultf("%s: records of %s are out of order", f.Queries(), q.Descriptor)
				}
				current = &labelledDescriptor{name: strings.Clone(q.Descriptor)}
			}
			current.add(q, out.TolerancePx)
		}
		return nil
	})
	if err != nil {
		return nil, NotFolded(f, err)
	}
	if err := finish(); err != nil {
		return nil, err
	}
	if len(out.Systems) == 0 {
		return nil, plan.Faultf("%s: has no query records", f.Queries())
	}
	summary, err := store.ReadSummary(f.Summary())
	if err != nil {
		return nil, NotFolded(f, err)
	}
	out.Failed = summary.FailedScenes
	return out, nil
}

// A labelledDescriptor collects the samples of a descriptor scene by scene.
type labelledDescriptor struct {
	name           string
	scenes         []*binary.Samples
	scene          string // of the last one
	withoutNearest int
}

func (d *labelledDescriptor) add(q *eval.Query, tolerancePx float64) {
	if len(d.scenes) == 0 || d.scene != q.Scene {
		d.scene = strings.Clone(q.Scene)
		d.scenes = append(d.scenes, &binary.Samples{})
	}
	if !label(d.scenes[len(d.scenes)-1], q, tolerancePx) {
		d.withoutNearest++
	}
}

func (d *labelledDescriptor) system(ctx context.Context, at binary.OperatingPoint, jobs int) (report.System, error) {
	all := &binary.Samples{}
	curves := make([]*binary.Curve, len(d.scenes))
	for i, samples := range d.scenes {
		all.Merge(samples)
		if jobs == 0 {
			continue
		}
		var err error
		if curves[i], err = samples.Curve(); err != nil {
			return report.System{}, plan.Faultf("%s: %w", d.name, err)
		}
	}
	s, err := NewSystem(d.name, all, at)
	if err != nil {
		return s, err
	}
	s.Scenes, s.WithoutNearest = len(d.scenes), d.withoutNearest
	if jobs == 0 {
		return s, nil
	}
	s.ROCAUC, s.AveragePrecision, err = areaIntervals(ctx, jobs, binary.NewPool(curves), len(curves))
	if len(curves) < stats.EnoughScenes {
		s.Summary.Warnings = append(s.Summary.Warnings, eval.Warning{
			Kind: "few-scenes",
			Text: fmt.Sprintf("intervals over few scenes (%d) are optimistic", len(curves)),
		})
	}
	return s, err
}
