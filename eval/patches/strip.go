package patches

import (
	"fmt"
	"image/png"
	"io"
)

// PatchSide is the width and height of a patch, px.
const PatchSide = 65

// StripPatches returns the number of patches of a strip: a PNG image of one
// patch above the other. name stands for it in faults.
func StripPatches(name string, r io.Reader) (int, error) {
	c, err := png.DecodeConfig(r)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	if c.Width != PatchSide || c.Height%PatchSide != 0 || c.Height == 0 {
		return 0, &Fault{File: name, Reason: fmt.Sprintf("%d×%d px, want a width of %d and a multiple of it as height", c.Width, c.Height, PatchSide)}
	}
	return c.Height / PatchSide, nil
}
