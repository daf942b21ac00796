//go:build gocv_contrib_xfeatures2d

package extract

import (
	"errors"

	"gocv.io/x/gocv"
	"gocv.io/x/gocv/contrib"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// SURFImplementation returns the name of the SURF implementation in use:
// OpenCV's contributed modules, selected by the build tag
// gocv_contrib_xfeatures2d.
func SURFImplementation() string { return "OpenCV contrib" }

// detectSURF finds SURF keypoints in the grey image, strongest first. The class
// is the sign of the Laplacian.
func detectSURF(img detect.Image, p keypoints.Params) ([]keypoints.Keypoint, error) {
	surf, err := newSURF(p)
	if err != nil {
		return nil, err
	}
	defer surf.Close()
	var found []gocv.KeyPoint
	err = detect.Call(func() bool {
		found = surf.Detect(img.Gray)
		return len(found) > 0
	})
	return detect.FromOpenCV(found), err
}

// extractSURF describes keypoints by position and size. OpenCV recomputes their
// orientation and drops those without a gradient in the image.
func extractSURF(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	dim, t := shapeOf("surf", p)
	w, h := float32(img.Width()), float32(img.Height())
	// OpenCV checks almost nothing itself. The window, 21 scales wide, must
	// contain at least one pixel and must not need gigabytes.
	given := tagged(kps, func(k keypoints.Keypoint) bool {
		scale := k.Size * 1.2 / 9
		return k.Finite() && 21*scale >= 1 && scale <= min(w, h)+1 && k.X >= -0.5 && k.X < w-0.5 && k.Y >= -0.5 && k.Y < h-0.5
	})
	surf, err := newSURF(p)
	if err != nil {
		return nil, err
	}
	defer surf.Close()
	return compute(shape{len(kps), dim, t}, &surf, img.Gray, given, tags)
}

func detectAndDescribeSURF(img detect.Image, dp, kp keypoints.Params) ([]keypoints.Keypoint, *descriptors.Matrix, error) {
	dim, t := shapeOf("surf", kp)
	surf, err := newSURF(union(dp, kp))
	if err != nil {
		return nil, nil, err
	}
	defer surf.Close()
	return detectAndCompute(&surf, img.Gray, dim, t)
}

// newSURF returns OpenCV's SURF with the parameters of the surf detector, the
// descriptor or both; parameters missing from p get their defaults. The caller
// closes it. It fails if OpenCV was built without OPENCV_ENABLE_NONFREE.
func newSURF(p keypoints.Params) (contrib.SURF, error) {
	p = detect.Complete("surf", keypoints.Params{"extended": false}, p)
	var made contrib.SURF
	err := detect.Call(func() bool {
		made = contrib.NewSURFWithParams(p.Float("hessian_threshold"), p.Int("n_octaves"), p.Int("n_octave_layers"),
			p.Bool("extended"), p.Bool("upright"))
		return made != contrib.SURF{}
	})
	if err == nil && made == (contrib.SURF{}) {
		err = errors.New("OpenCV returned no SURF and no error")
	}
	return made, err
}
