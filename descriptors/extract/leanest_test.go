package extract_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"

	"gocv.io/x/gocv"
	"golang.org/x/sync/errgroup"

	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// The least that OpenCV can be asked for, for the rows of SIFT and RGB-SIFT at the
// 2000 strongest keypoints of every image and at the 1000 strongest of image 1,
// projected into the others: decode once, detect once, and one call for grey and
// for each colour channel, on all processors. A run of
// cmd/descbench/speed/testdata/extraction.yaml on the same scenes is measured against
// its processor time.
func BenchmarkLeanestExtraction(b *testing.B) {
	scenes := detecttest.Scenes(b)
	for b.Loop() {
		before := processorSeconds(b)
		var n leanest
		var g errgroup.Group
		g.SetLimit(runtime.GOMAXPROCS(0))
		for _, dir := range scenes {
			g.Go(func() error { return n.scene(dir) })
		}
		if err := g.Wait(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(processorSeconds(b)-before, "cpu-s/op")
		b.ReportMetric(float64(n.images.Load()), "images")
		b.ReportMetric(float64(n.rows.Load()), "rows")
	}
	b.ReportMetric(0, "ns/op") // wall time
}

func processorSeconds(b *testing.B) float64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// leanest counts what it did.
type leanest struct{ images, rows atomic.Int64 }

func (n *leanest) scene(dir string) error {
	sift := gocv.NewSIFT()
	defer sift.Close()
	noMask := gocv.NewMat()
	defer noMask.Close()
	border := keypoints.Border{Px: 40}
	var first keypoints.Set // to be projected
	for k := 1; k <= 6; k++ {
		files, _ := filepath.Glob(filepath.Join(dir, fmt.Sprint(k)+".p[np][gm]"))
		if len(files) != 1 {
			return fmt.Errorf("%s: found %d files of image %d, want 1", dir, len(files), k)
		}
		bgr := gocv.IMRead(files[0], gocv.IMReadColor|gocv.IMReadIgnoreOrientation)
		img, err := detect.NewImage(bgr)
		if err != nil {
			return err
		}
		detected := keypoints.Set{Keypoints: detect.FromOpenCV(sift.Detect(img.Gray))}
		inside := detected.Select(detected.RowsInsideBorder(img.Width(), img.Height(), border))
		wanted := slices.Clone(inside.Select(inside.TopRows(2000, keypoints.ByResponse)).Keypoints)
		if k == 1 {
			first = inside.Select(inside.TopRows(1000, keypoints.ByResponse)).Numbered()
		} else {
			h, err := readHomography(filepath.Join(dir, fmt.Sprintf("H_1_%d", k)))
			if err != nil {
				return err
			}
			resize := keypoints.ResizerOf("sift", keypoints.Defaults(keypoints.Detectors()[0].Params))
			wanted = append(wanted, first.ProjectGeometry(h, img.Width(), img.Height(), border, resize).Keypoints...)
		}
		var given []gocv.KeyPoint
		for _, w := range wanted {
			if int8(w.Octave) >= -1 { // one of the others, and OpenCV describes none
				given = append(given, detect.ToOpenCV(w))
			}
		}
		compute := func(plane gocv.Mat) error {
			_, mat := sift.Compute(plane, noMask, given)
			defer mat.Close()
			n.rows.Add(int64(mat.Rows()))
			if mat.Rows() != len(given) {
				return fmt.Errorf("%s: OpenCV described %d keypoints, want %d", files[0], mat.Rows(), len(given))
			}
			return nil
		}
		if err := compute(img.Gray); err != nil {
			return err
		}
		for c := range 3 {
			plane := gocv.NewMat()
			if err := gocv.ExtractChannel(img.BGR, &plane, c); err != nil {
				return err
			}
			err := compute(plane)
			plane.Close()
			if err != nil {
				return err
			}
		}
		img.Close()
		n.images.Add(1)
	}
	return nil
}

func readHomography(path string) (keypoints.Homography, error) {
	var h keypoints.Homography
	f, err := os.Open(path)
	if err != nil {
		return h, err
	}
	defer f.Close()
	for i := range h {
		if _, err := fmt.Fscan(f, &h[i]); err != nil {
			return h, fmt.Errorf("%s: %w", path, err)
		}
	}
	return h.Normalized()
}
