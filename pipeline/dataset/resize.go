package dataset

import (
	"fmt"
	"image"

	"gocv.io/x/gocv"

	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/store"
)

// A Resizing is how the images of a scene are resized.
type Resizing struct {
	// Size returns the size of a scaled image of the given size in pixels.
	Size func(width, height int) (int, int)
	// Crop is the width and height of the middle of the scaled image that is kept; 0: all.
	Crop          [2]int
	Interpolation Interpolation
	// Scaled says that pixel (x, y) goes to (x·sx, y·sy), where sx and sy are the
	// ratios of widths and heights, as scripts do that scale coordinates and
	// homographies by diagonal matrices. Else it goes to ((x + ½)·sx − ½,
	// (y + ½)·sy − ½), as in OpenCV's resize: the edges of an image stay its edges.
	Scaled bool
}

// An Interpolation is how the pixels of a resized image are computed.
type Interpolation string

// The interpolations.
const (
	Auto      Interpolation = "auto"   // Area to shrink, Linear to enlarge
	Area      Interpolation = "area"   // the mean of the area of a pixel, OpenCV's INTER_AREA
	Linear    Interpolation = "linear" // OpenCV's INTER_LINEAR
	Antialias Interpolation = "antialias"
)

// Resize makes the scene one of resized images. Call it once, directly after Open. The
// homographies and cameras follow, and the digests say what was resized.
func (s *Scene) Resize(r Resizing) error {
	to, homographies := make([]keypoints.Homography, len(s.Images)), make([]keypoints.Homography, len(s.Images))
	for i := range s.Images {
		img := &s.Images[i]
		width, height := r.Size(img.Width, img.Height)
		sx, sy := float64(width)/float64(img.Width), float64(height)/float64(img.Height)
		to[i] = keypoints.Homography{sx, 0, (sx - 1) / 2, 0, sy, (sy - 1) / 2, 0, 0, 1}
		if r.Scaled {
			to[i][2], to[i][5] = 0, 0
		}
		img.stored = &storedImage{img.Width, img.Height, r, [4]float64{sx, sy}}
		further := ""
		if r.Interpolation != Auto || r.Scaled {
			further = fmt.Sprintf("%s %v\n", r.Interpolation, r.Scaled)
		}
		if r.Crop != [2]int{} {
			at := r.cut(width, height)
			left, top := float64(at.Min.X), float64(at.Min.Y)
			to[i][2], to[i][5] = to[i][2]-left, to[i][5]-top
			img.stored.change = [4]float64{sx, sy, left, top}
			further += fmt.Sprintf("cropped from %d %d\n", width, height)
			width, height = at.Dx(), at.Dy()
		}
		img.Width, img.Height = width, height
		if s.maxPixels > 0 && img.Width*img.Height > s.maxPixels {
			return store.Faultf(s.Where(i), "resized to %d×%d, more than dataset.max_megapixels, %d", img.Width, img.Height, s.maxPixels/1e6)
		}
		img.Digest = store.SHA256([]byte(fmt.Sprintf("descbench resized 1\n%d %d\n%s\n%s", img.Width, img.Height, img.Digest, further)))
	}
	for i := range s.cameras {
		c := &s.cameras[i]
		c.Intrinsics = c.Changed(to[i][0], to[i][4], to[i][2], to[i][5])
		c.Scale = [2]float64{to[i][0], to[i][4]}
		s.Images[i].depth.resized(to[i][0], to[i][4], to[i][2], to[i][5])
	}
	if s.cameras != nil {
		return s.relate(homographies)
	}
	back, err := to[0].Inverse()
	homographies[0] = keypoints.Identity
	for i := 1; i < len(s.Images) && err == nil; i++ {
		homographies[i], err = to[i].Times(s.Homography(i)).Times(back).Normalized()
	}
	if err != nil {
		return &store.Fault{Where: s.Name, Err: err}
	}
	return s.relate(homographies)
}

// cut returns the part of a scaled image that is kept.
func (r Resizing) cut(width, height int) image.Rectangle {
	x, y := max(0, width-r.Crop[0])/2, max(0, height-r.Crop[1])/2
	return image.Rect(x, y, min(x+r.Crop[0], width), min(y+r.Crop[1], height))
}

// A storedImage describes the file of a resized image.
type storedImage struct {
	width, height int
	resizing      Resizing
	change        [4]float64 // what Resized returns
}

// Resized returns the factors of the width and the height by which the image was scaled,
// and the column and the row of the scaled image where the part that is kept begins; nil
// if it was not resized.
func (f ImageFile) Resized() []float64 {
	if f.stored == nil {
		return nil
	}
	return f.stored.change[:]
}

// Stored returns the size of the file of a resized image, 0 of others.
func (f ImageFile) Stored() (width, height int) {
	if f.stored == nil {
		return 0, 0
	}
	return f.stored.width, f.stored.height
}

// resized returns the image in its new size and closes bgr.
func (r Resizing) resized(bgr gocv.Mat) (gocv.Mat, error) {
	defer bgr.Close()
	width, height := r.Size(bgr.Cols(), bgr.Rows())
	out := gocv.NewMat()
	how := gocv.InterpolationArea
	if r.Interpolation == Linear || r.Interpolation == Auto && (width > bgr.Cols() || height > bgr.Rows()) {
		how = gocv.InterpolationLinear
	}
	var err error
	if r.Interpolation == Antialias {
		err = antialiased(bgr, &out, image.Pt(width, height))
	} else {
		err = gocv.Resize(bgr, &out, image.Pt(width, height), 0, 0, how)
	}
	if err != nil {
		out.Close()
		return gocv.Mat{}, fmt.Errorf("OpenCV cannot resize the image to %d×%d px: %w", width, height, detect.OneLine(err))
	}
	if r.Crop == [2]int{} {
		return out, nil
	}
	part := out.Region(r.cut(width, height))
	defer part.Close()
	defer out.Close()
	return part.Clone(), nil
}

// antialiased writes to out the image in a new size: if it shrinks, a Gaussian with a
// standard deviation of half the excess of the factor, then linear interpolation, as
// resize of kornia/kornia with antialias (commit b4f5a78,
// kornia/geometry/transform/affwarp.py). The result is rounded to 8 bits.
func antialiased(bgr gocv.Mat, out *gocv.Mat, size image.Point) error {
	exact := gocv.NewMat()
	defer exact.Close()
	if err := bgr.ConvertTo(&exact, gocv.MatTypeCV32FC3); err != nil {
		return err
	}
	fx, fy := float64(bgr.Cols())/float64(size.X), float64(bgr.Rows())/float64(size.Y)
	if max(fx, fy) > 1 {
		sigma := func(factor float64) float64 { return max((factor-1)/2, 0.001) }
		kernel := func(sigma float64) int { return int(max(4*sigma, 3)) | 1 } // odd
		sx, sy := sigma(fx), sigma(fy)
		if err := gocv.GaussianBlur(exact, &exact, image.Pt(kernel(sx), kernel(sy)), sx, sy, gocv.BorderReflect101); err != nil {
			return err
		}
	}
	if err := gocv.Resize(exact, &exact, size, 0, 0, gocv.InterpolationLinear); err != nil {
		return err
	}
	return exact.ConvertTo(out, gocv.MatTypeCV8UC3)
}
