package fold

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"

	"descbench/eval/binary"
	"descbench/eval/stats"
	"descbench/keypoints/openfile"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
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
	curve, err := samples.Curve()
	if err != nil {
		return report.System{Name: name}, plan.Faultf("%s: %w", name, err)
	}
	return SystemOf(name, curve, at), nil
}

// SystemOf computes the metrics of a curve and keeps its points for drawing.
func SystemOf(name string, curve *binary.Curve, at binary.OperatingPoint) report.System {
	none := stats.Interval{Low: math.NaN(), High: math.NaN()}
	s := report.System{Name: name, Rule: at.String(), ROCAUC: none, AveragePrecision: none}
	s.Summary = curve.Summary()
	s.Curve = curve.Thin(curvePoints)
	for range curve.Points() {
		s.Points++
	}
	if point, err := at.Of(curve); err == nil {
		s.At = &point
	}
	return s
}

// IsRun reports whether the path is a run folder, finished or not.
func IsRun(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() && plan.Folder(path).IsRun()
}
