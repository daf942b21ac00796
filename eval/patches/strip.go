package patches

import (
	"fmt"
	"image/png"
	"io"

	"descbench/descriptors"
)

// PatchSide is the width and height of a patch, px.
const PatchSide = descriptors.PatchSide

// MostPatches is the maximum number of patches in a strip: PNG decoders accept
// heights of up to a million pixels.
const MostPatches = 1_000_000 / PatchSide

// StripPatches returns the number of patches in a strip, a PNG image with patches
// one above the other. name is the file name in faults.
func StripPatches(name string, r io.Reader) (int, error) {
	c, err := png.DecodeConfig(r)
	if err != nil {
		return 0, &Fault{File: name, Reason: err.Error()}
	}
	if c.Width != PatchSide || c.Height%PatchSide != 0 || c.Height == 0 {
		return 0, &Fault{File: name, Reason: fmt.Sprintf("%d×%d px, want a width of %d and a height that is a multiple of it", c.Width, c.Height, PatchSide)}
	}
	n := c.Height / PatchSide
	if n > MostPatches {
		return 0, &Fault{File: name, Reason: fmt.Sprintf("%d patches, want at most %d", n, MostPatches)}
	}
	return n, nil
}

// A StripSequence is a sequence of strips, all with the same number of patches.
type StripSequence struct {
	Name     string
	Textured []bool // by patch: the reference has enough texture for a query
}

// TextureDeviation is the standard deviation of pixel values, 0 to 255, above which
// HPatches uses a patch for retrieval.
const TextureDeviation = 10
