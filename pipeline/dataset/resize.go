package dataset

import (
	"fmt"
	"image"

	"gocv.io/x/gocv"

	"descbench/keypoints"
	"descbench/pipeline/store"
)

// Resize makes the scene one of resized images: size returns the size of a resized
// image of the given size in pixels. Call it once, directly after Open.
//
// Pixel (x, y) of an image goes to ((x + ½)·sx − ½, (y + ½)·sy − ½), where sx and sy
// are the ratios of widths and heights, as in OpenCV's resize: the edges of an image
// stay its edges. The homographies follow, and the digests say what was resized.
func (s *Scene) Resize(size func(width, height int) (int, int)) error {
	to := make([]keypoints.Homography, len(s.Images))
	for i := range s.Images {
		img := &s.Images[i]
		img.stored = &storedImage{img.Width, img.Height, img.Digest}
		img.Width, img.Height = size(img.Width, img.Height)
		if s.maxPixels > 0 && img.Width*img.Height > s.maxPixels {
			return store.Faultf(s.where(i), "resized to %d×%d, more than dataset.max_megapixels, %d", img.Width, img.Height, s.maxPixels/1e6)
		}
		sx, sy := float64(img.Width)/float64(img.stored.width), float64(img.Height)/float64(img.stored.height)
		to[i] = keypoints.Homography{sx, 0, (sx - 1) / 2, 0, sy, (sy - 1) / 2, 0, 0, 1}
		img.Digest = digest([]byte(fmt.Sprintf("descbench resized 1\n%d %d\n%s\n", img.Width, img.Height, img.Digest)))
	}
	back, err := to[0].Inverse()
	for i := 1; i < len(s.Images) && err == nil; i++ {
		s.Homographies[i], err = to[i].Times(s.Homographies[i]).Times(back).Normalized()
	}
	if err != nil {
		return &store.Fault{Where: s.Name, Err: err}
	}
	s.Digest = s.digest()
	return nil
}

// A storedImage describes the file of a resized image.
type storedImage struct {
	width, height int
	digest        string
}

// resized returns the image in the given size and closes bgr. Shrinking averages the
// area of a pixel, enlarging interpolates linearly.
func resized(bgr gocv.Mat, width, height int) (gocv.Mat, error) {
	defer bgr.Close()
	how := gocv.InterpolationArea
	if width > bgr.Cols() || height > bgr.Rows() {
		how = gocv.InterpolationLinear
	}
	out := gocv.NewMat()
	if err := gocv.Resize(bgr, &out, image.Pt(width, height), 0, 0, how); err != nil {
		out.Close()
		return gocv.Mat{}, fmt.Errorf("OpenCV cannot resize the image: %w", oneLine(err))
	}
	if out.Cols() != width || out.Rows() != height {
		out.Close()
		return gocv.Mat{}, fmt.Errorf("OpenCV cannot resize the image to %d×%d px", width, height)
	}
	return out, nil
}
