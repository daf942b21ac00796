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

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// The least that OpenCV can be asked for, for the rows of SIFT and RGB-SIFT at the
// 2000 strongest keypoints of every image and at the 1000 strongest of image 1,
// projected into the others: decode once, detect once, and one call for grey and
// for each colour channel, on all processors. Keypoints below OpenCV's pyramid, for
// which it has no rows, get them from enlarged copies, as in a run. A run of
// cmd/descbench/speed/testdata/extraction.yaml on the same scenes is measured against
// its processor time.
func BenchmarkLeanestExtraction(b *testing.B) {
	scenes, _ := filepath.Glob(filepath.Join(os.Getenv("DESCBENCH_REAL_DATA"), "hpatches-sequences", "*_*"))
	if len(scenes) == 0 {
		b.Skip("no real images (set DESCBENCH_REAL_DATA)")
	}
	for b.Loop() {
		before := processorSeconds(b)
		var n leanest
		var g errgroup.Group
		g.SetLimit(runtime.GOMAXPROCS(0))
		for _, dir := range scenes {
			g.Go(func() error { return n.scene(dir) })
		}
		must.Do(b, g.Wait())
		b.ReportMetric(processorSeconds(b)-before, "cpu-s/op")
		b.ReportMetric(float64(n.images.Load()), "images")
		b.ReportMetric(float64(n.rows.Load()), "rows")
	}
	b.ReportMetric(0, "ns/op") // wall time
}

func processorSeconds(b *testing.B) float64 {
	b.Helper()
	var u syscall.Rusage
	must.Do(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// leanest counts what it did.
type leanest struct{ images, rows atomic.Int64 }

func (n *leanest) scene(dir string) error {
	sift := gocv.NewSIFT()
	defer sift.Close()
	var first keypoints.Set // to be projected
	for k := 1; k <= 6; k++ {
		files, _ := filepath.Glob(filepath.Join(dir, fmt.Sprint(k)+".p[np][gm]"))
		if len(files) != 1 {
			return fmt.Errorf("%s: found %d files of image %d, want 1", dir, len(files), k)
		}
		img, err := detect.NewImage(gocv.IMRead(files[0], gocv.IMReadColor|gocv.IMReadIgnoreOrientation))
		if err != nil {
			return err
		}
		wanted, strongest := wantedKeypoints(sift, img)
		if k == 1 {
			first = strongest
		} else if projected, err := project(first, img, filepath.Join(dir, fmt.Sprintf("H_1_%d", k))); err == nil {
			wanted = append(wanted, projected...)
		} else {
			img.Close()
			return err
		}
		err = n.image(sift, img, wanted)
		img.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", files[0], err)
		}
	}
	return nil
}

var border = keypoints.Border{Px: 40}

// wantedKeypoints returns the 2000 strongest keypoints of an image, and the 1000
// strongest.
func wantedKeypoints(sift gocv.SIFT, img detect.Image) ([]keypoints.Keypoint, keypoints.Set) {
	detected := keypoints.Set{Keypoints: detect.FromOpenCV(sift.Detect(img.Gray))}
	inside := detected.Select(detected.RowsInsideBorder(img.Width(), img.Height(), border))
	wanted := slices.Clone(inside.Select(inside.TopRows(2000, keypoints.ByResponse)).Keypoints)
	return wanted, inside.Select(inside.TopRows(1000, keypoints.ByResponse)).Numbered()
}

func project(set keypoints.Set, img detect.Image, homography string) ([]keypoints.Keypoint, error) {
	h, err := readHomography(homography)
	if err != nil {
		return nil, err
	}
	size := [2]int{img.Width(), img.Height()}
	m, err := keypoints.Plane(h, size, size)
	resize := keypoints.ResizerOf("sift", keypoints.Defaults(keypoints.Detectors()[0].Params))
	return set.ProjectGeometry(m, img.Width(), img.Height(), border, resize).Keypoints, err
}

// image describes the keypoints in grey and in each channel.
func (n *leanest) image(sift gocv.SIFT, img detect.Image, wanted []keypoints.Keypoint) error {
	var given []gocv.KeyPoint
	var below []keypoints.Keypoint // the pyramid
	for _, w := range wanted {
		if int8(w.Octave) >= -1 {
			given = append(given, detect.ToOpenCV(w))
		} else {
			below = append(below, w)
		}
	}
	for kind, planes := range map[string]int{"sift": 1, "rgbsift": 3} {
		k, _ := descriptors.FindKind(kind)
		m, err := extract.Extract(img, below, kind, keypoints.Defaults(k.Params))
		if err != nil {
			return err
		}
		n.rows.Add(int64(m.Rows * planes))
	}
	if err := n.compute(sift, img.Gray, given); err != nil {
		return err
	}
	for c := range 3 {
		plane := gocv.NewMat()
		err := gocv.ExtractChannel(img.BGR, &plane, c)
		if err == nil {
			err = n.compute(sift, plane, given)
		}
		plane.Close()
		if err != nil {
			return err
		}
	}
	n.images.Add(1)
	return nil
}

func (n *leanest) compute(sift gocv.SIFT, plane gocv.Mat, given []gocv.KeyPoint) error {
	noMask := gocv.NewMat()
	defer noMask.Close()
	_, mat := sift.Compute(plane, noMask, given)
	defer mat.Close()
	n.rows.Add(int64(mat.Rows()))
	if mat.Rows() != len(given) {
		return fmt.Errorf("OpenCV described %d keypoints, want %d", mat.Rows(), len(given))
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
