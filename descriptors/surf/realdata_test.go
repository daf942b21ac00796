package surf

import (
	"bufio"
	"fmt"
	"image"
	_ "image/png"
	"io"
	"os"
	"path/filepath"
	"testing"

	"descbench/eval/must"
)

// realData returns the folder of real images, or skips the test if there is
// none.
func realData(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("DESCBENCH_REAL_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no real images: %v (DESCBENCH_REAL_DATA names their folder)", err)
	}
	return dir
}

// realImage reads an image of the HPatches-like scenes as grey.
func realImage(t testing.TB, scene, file string) *Gray {
	t.Helper()
	f, err := os.Open(filepath.Join(realData(t), "hpatches-sequences", scene, file))
	if err != nil {
		t.Skipf("no real image to test with: %v", err)
	}
	defer f.Close()
	read := readPNG
	if filepath.Ext(file) == ".ppm" {
		read = readPPM
	}
	return must.Get(read(f))(t)
}

// luma is OpenCV's BGR2GRAY of 8-bit channels: ITU-R BT.601 in units of 2⁻¹⁵.
func luma(r, g, b uint8) uint8 {
	return uint8((int(b)*3735 + int(g)*19235 + int(r)*9798 + 16384) >> 15)
}

func readPNG(r io.Reader) (*Gray, error) {
	img, _, err := image.Decode(r)
	if err != nil {
		return nil, err
	}
	size := img.Bounds().Size()
	g := &Gray{Pix: make([]uint8, size.X*size.Y), Width: size.X, Height: size.Y}
	for y := range size.Y {
		for x := range size.X {
			r, gr, b, _ := img.At(x, y).RGBA()
			g.Pix[y*g.Width+x] = luma(uint8(r>>8), uint8(gr>>8), uint8(b>>8))
		}
	}
	return g, nil
}

func readPPM(r io.Reader) (*Gray, error) {
	br := bufio.NewReader(r)
	g := &Gray{}
	var most int
	if _, err := fmt.Fscanf(br, "P6\n%d %d\n%d\n", &g.Width, &g.Height, &most); err != nil {
		return nil, err
	}
	rgb := make([]uint8, 3*g.Width*g.Height)
	if _, err := io.ReadFull(br, rgb); err != nil {
		return nil, err
	}
	for i := 0; i < len(rgb); i += 3 {
		g.Pix = append(g.Pix, luma(rgb[i], rgb[i+1], rgb[i+2]))
	}
	return g, nil
}
