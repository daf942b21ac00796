// Package masks reads the masks that a user gives for the images of scenes, so that
// keypoints in some parts of an image can be left out.
package masks

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"path/filepath"
	"strconv"

	"descbench/files"
	"descbench/pipeline/plan"
)

// maxMask limits the size of a mask file in bytes.
const maxMask = 256 << 20

// A Folder holds masks as <scene>/<image>.png, image 1, 2, …: keypoints on black pixels
// are left out. Images without a file have no mask. A nil Folder has no masks.
type Folder struct {
	dir   string
	found int
}

// Open returns the folder of masks. It does not read them.
func Open(dir string) *Folder { return &Folder{dir: dir} }

// A Mask says which keypoints of an image count. A nil Mask keeps all.
type Mask struct {
	width, height int
	keeps         []bool // by pixel, row by row
}

// Of returns the mask of image 1, 2, … of a scene, which has the given size in px; nil
// without a mask.
func (f *Folder) Of(scene string, img, width, height int) (*Mask, error) {
	if f == nil {
		return nil, nil
	}
	path := filepath.Join(f.dir, scene, strconv.Itoa(img)+".png")
	file, err := files.Open(path, maxMask)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, plan.Fault(err)
	}
	defer file.Close()
	size, err := png.DecodeConfig(file)
	if err != nil {
		return nil, plan.Faultf("%s: mask: %w", path, err)
	}
	if size.Width != width || size.Height != height {
		return nil, plan.Faultf("%s: mask of %d x %d px, want the size of the image, %d x %d px", path, size.Width, size.Height, width, height)
	}
	if _, err := file.Seek(0, 0); err != nil {
		return nil, plan.Fault(err)
	}
	decoded, err := png.Decode(file)
	if err != nil {
		return nil, plan.Faultf("%s: mask: %w", path, err)
	}
	f.found++
	return of(decoded), nil
}

func of(decoded image.Image) *Mask {
	b := decoded.Bounds()
	m := &Mask{b.Dx(), b.Dy(), make([]bool, 0, b.Dx()*b.Dy())}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			m.keeps = append(m.keeps, color.Gray16Model.Convert(decoded.At(x, y)).(color.Gray16).Y > 0)
		}
	}
	return m
}

// Keeps reports whether the pixel at a position, px from the centre of the first one,
// is not black. Positions outside of the image are left out.
func (m *Mask) Keeps(x, y float32) bool {
	if m == nil {
		return true
	}
	// NaN fails every comparison.
	if !(x >= -0.5 && y >= -0.5 && x < float32(m.width)-0.5 && y < float32(m.height)-0.5) {
		return false
	}
	return m.keeps[int(y+0.5)*m.width+int(x+0.5)]
}

// Check returns an error if no mask was found for any image, which hints at a wrong
// folder.
func (f *Folder) Check() error {
	if f == nil || f.found > 0 {
		return nil
	}
	return fmt.Errorf("--masks %s: no mask of any image, want %s with the number of the image", f.dir, filepath.Join(f.dir, "SCENE", "IMAGE.png"))
}
