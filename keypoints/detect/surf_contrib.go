//go:build gocv_contrib_xfeatures2d

package detect

import (
	"errors"

	"gocv.io/x/gocv/contrib"

	"descbench/keypoints"
)

// SURFImplementation says whose SURF it is: that of OpenCV's contributed
// modules, as the build tag gocv_contrib_xfeatures2d asks for.
func SURFImplementation() string { return "OpenCV contrib" }

// NewSURF returns OpenCV's SURF with the parameters of the surf detector, of
// the descriptor or of both; what p lacks is at its default. The caller closes
// it. It fails if OpenCV was built without OPENCV_ENABLE_NONFREE.
func NewSURF(p keypoints.Params) (contrib.SURF, error) {
	p = complete("surf", keypoints.Params{"extended": false}, p)
	var made contrib.SURF
	err := Call(func() bool {
		made = contrib.NewSURFWithParams(p.Float("hessian_threshold"), p.Int("n_octaves"), p.Int("n_octave_layers"),
			p.Bool("extended"), p.Bool("upright"))
		return made != contrib.SURF{}
	})
	if err == nil && made == (contrib.SURF{}) {
		err = errors.New("OpenCV gave no SURF and no reason")
	}
	return made, err
}

// detectSURF finds SURF keypoints in the grey image, strongest first. The class
// is the sign of the Laplacian.
func detectSURF(img Image, p keypoints.Params) ([]keypoints.Keypoint, error) {
	surf, err := NewSURF(p)
	if err != nil {
		return nil, err
	}
	defer surf.Close()
	return find(&surf, img.Gray)
}
