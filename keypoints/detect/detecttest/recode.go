package detecttest

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"

	"golang.org/x/image/bmp"
)

// Recode writes a PNG as .bmp or, with any other extension, as PPM.
func Recode(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	img, err := png.Decode(in)
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	if filepath.Ext(to) == ".bmp" {
		return bmp.Encode(out, img)
	}
	size := img.Bounds()
	rgb := fmt.Appendf(nil, "P6\n%d %d\n255\n", size.Dx(), size.Dy())
	for y := range size.Dy() {
		for x := range size.Dx() {
			r, g, b, _ := img.At(x, y).RGBA()
			rgb = append(rgb, byte(r>>8), byte(g>>8), byte(b>>8))
		}
	}
	_, err = out.Write(rgb)
	return err
}
