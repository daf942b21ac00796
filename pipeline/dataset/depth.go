package dataset

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"

	"descbench/keypoints"
	"descbench/pipeline/files"
	"descbench/pipeline/files/npz"
	"descbench/pipeline/store"
)

// The depth of an image IN/NAME.EXT of a list of cameras is in depthFolder/NAME.png, whose values are
// multiples of the number in depthUnitFile, or in depthFolder/NAME.npy, in the unit of t.
const (
	depthFolder   = "depth"
	depthUnitFile = "depth.txt"
)

// defaultDepthUnit is that of .png files without a depthUnitFile: millimetres, if t is in metres.
const defaultDepthUnit = 0.001

// DefaultDepthTolerance is the DepthTolerance of a Source that has none.
const DefaultDepthTolerance = 0.05

// maxShape is the largest ratio of the widths and heights of a depth image and its image, less 1: those of
// ScanNet, 640×480 and 1296×968 px, differ by 0.4 %.
const maxShape = 0.02

// Known is what a depth image has: the share of its pixels with a value, and the least and the largest value.
type Known struct{ Share, Least, Most float64 }

// Known returns what the depth of the image has; ok is false without depth.
func (f ImageFile) Known() (k Known, ok bool) { return f.depth.known, f.Depth != "" }

// A depthFile is a depth image that has been read and found good.
type depthFile struct {
	file  string  // below the root; "": there is none
	unit  float64 // of the values of a .png
	known Known
	at    [4]float64 // pixel (x, y) of the image is (x·at[0] + at[2], y·at[1] + at[3]) of the depth image
}

// depthUnit returns the unit of the .png files of depth of the list in a folder.
func (s Source) depthUnit(folder string) (float64, error) {
	content, err := files.Read(filepath.Join(s.Root, folder, depthUnitFile), 1<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return defaultDepthUnit, nil
	}
	var unit []float64
	if err == nil {
		unit, err = numbers(strings.Fields(string(content)))
	}
	if err == nil && (len(unit) != 1 || unit[0] <= 0) {
		err = fmt.Errorf("found %q, want one positive number: the depth of the value 1 in .png files, in the unit of t", shortened(strings.TrimSpace(string(content))))
	}
	if err != nil {
		return 0, &store.Fault{Where: path.Join(folder, depthUnitFile), Err: files.Reason(err)}
	}
	return unit[0], nil
}

// findDepth returns the file with the depth of an image, which may be none.
func (s Source) findDepth(v shot) (f depthFile, err error) {
	if v.folder == "" {
		return f, nil // in a list of pairs
	}
	for _, ext := range []string{".png", ".npy"} {
		file := path.Join(v.folder, depthFolder, bare(v.image)+ext)
		if _, err := os.Stat(filepath.Join(s.Root, file)); err != nil {
			continue
		}
		if f.file != "" {
			return f, store.Faultf(f.file, "found %s, too, want one of them", path.Base(file))
		}
		if f.file = file; ext == ".png" {
			f.unit, err = s.depthUnit(v.folder)
		}
	}
	return f, err
}

// takeDepth reads and checks the depth of image i, if there is a file.
func (s *Scene) takeDepth(i int, f depthFile, listed map[string]string) error {
	img := &s.Images[i]
	if img.depth = f; f.file == "" {
		return nil
	}
	g, _, err := s.readDepth(i, func(digest string) error {
		img.Depth, s.sums[f.file] = digest, digest
		return unchanged(digest, listed[f.file])
	})
	if err != nil {
		return err
	}
	sx, sy := float64(g.width)/float64(img.Width), float64(g.height)/float64(img.Height)
	if math.Abs(math.Log(sx/sy)) > maxShape {
		return store.Faultf(f.file, "depth of %d×%d px of an image of %d×%d px, want the same shape: pixels are found by the ratios of the sizes", g.width, g.height, img.Width, img.Height)
	}
	known := Known{Least: math.Inf(1)}
	for _, v := range g.z {
		if v > 0 {
			known.Share += 1 / float64(len(g.z))
			known.Least, known.Most = min(known.Least, float64(v)), max(known.Most, float64(v))
		}
	}
	img.depth.known, img.depth.at = known, [4]float64{sx, sy, (sx - 1) / 2, (sy - 1) / 2}
	return nil
}

// depth returns the depth of image i, nil without a file.
func (s *Scene) depth(i int) (*keypoints.Depth, error) {
	img := s.Images[i]
	if img.depth.file == "" {
		return nil, nil
	}
	_, d, err := s.readDepth(i, func(digest string) error {
		if digest != img.Depth {
			return errors.New("changed while in use")
		}
		return nil
	})
	return d, err
}

// A grid is what the file of a depth image holds: values by row.
type grid struct {
	width, height int // px
	z             []float32
}

// readDepth reads the depth of image i, whose digest it has checked.
func (s *Scene) readDepth(i int, check func(digest string) error) (g grid, d *keypoints.Depth, err error) {
	f := s.Images[i].depth
	data, err := files.Read(filepath.Join(s.Root, f.file), 8*int64(s.maxPixels)+1<<20)
	if err == nil {
		err = check(store.SHA256(data))
	}
	if err == nil {
		g, err = f.parse(data, s.maxPixels)
	}
	if err == nil {
		d, err = keypoints.NewDepth(g.width, g.height, g.z, f.at[0], f.at[1], f.at[2], f.at[3])
	}
	if err != nil {
		return g, nil, &store.Fault{Where: f.file, Err: files.Reason(err)}
	}
	return g, d, nil
}

// parse returns what the content of a file holds.
func (f depthFile) parse(data []byte, maxPixels int) (g grid, err error) {
	sized := func(width, height int) error {
		if maxPixels > 0 && (width > maxPixels || height > maxPixels || width*height > maxPixels) {
			return fmt.Errorf("depth of %d×%d px, more than dataset.max_megapixels, %d", width, height, maxPixels/1e6)
		}
		g = grid{width, height, make([]float32, width*height)}
		return nil
	}
	if path.Ext(f.file) == ".npy" {
		a, err := npz.Parse(data)
		if err == nil && (len(a.Shape) != 2 || !strings.Contains(a.Type, "f")) {
			err = fmt.Errorf("element type %s and shape %s, want floating-point numbers by row and column", a.Type, a.ShapeString())
		}
		if err == nil {
			err = sized(a.Shape[1], a.Shape[0])
		}
		if err != nil {
			return g, err
		}
		return g, a.Each(func(i int, v float64) error {
			g.z[i] = float32(v)
			return nil
		})
	}
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err == nil {
		err = sized(config.Width, config.Height)
	}
	if err != nil {
		return g, err
	}
	img, err := png.Decode(bytes.NewReader(data))
	gray, ok := img.(*image.Gray16)
	if err == nil && !ok {
		err = errors.New("a PNG of another kind, want 16-bit grey")
	}
	if err != nil {
		return g, err
	}
	for i := range g.z {
		g.z[i] = float32(float64(gray.Gray16At(i%g.width, i/g.width).Y) * f.unit)
	}
	return g, nil
}

// resized lets the depth of an image, which stays as it is, follow an image whose pixel (x, y) goes to
// (x·sx + dx, y·sy + dy).
func (f *depthFile) resized(sx, sy, dx, dy float64) {
	at := &f.at
	at[0], at[1] = at[0]/sx, at[1]/sy
	at[2], at[3] = at[2]-float64(at[0]*dx), at[3]-float64(at[1]*dy)
}

// HasDepth reports whether image 1 and image i, counted from 0, have depth.
func (s *Scene) HasDepth(i int) bool {
	return s.Images[0].depth.file != "" && s.Images[i].depth.file != ""
}

// Mapping returns the mapping from image 1 to image i, counted from 0: by a normalised homography, or
// by cameras with the depth of both images, if both have some. It reads the depth, which the
// mapping keeps. It returns a *store.Fault if that fails.
func (s *Scene) Mapping(i int) (keypoints.Mapping, error) {
	m := s.mappings[i]
	if !s.HasDepth(i) {
		return m, nil
	}
	first, err := s.depth(0)
	other, otherErr := s.depth(i)
	return m.WithDepth(first, other, s.depthTolerance), cmp.Or(err, otherErr)
}

// Homography returns the normalised homography from image 1 to image i, counted from 0; its elements are NaN
// if the images have cameras.
func (s *Scene) Homography(i int) keypoints.Homography { return s.mappings[i].Homography() }

// Cameras returns the cameras of image 1 and image i, counted from 0; ok is false if they have none.
func (s *Scene) Cameras(i int) (c keypoints.Cameras, ok bool) { return s.mappings[i].Cameras() }
