package detecttest

import (
	"fmt"
	"path/filepath"

	"gocv.io/x/gocv"
)

// Recode writes an image in the format of another extension, without loss, by the
// encoders that OpenCV uses. A .pgm is grey.
func Recode(from, to string) error {
	flags := gocv.IMReadColor
	if filepath.Ext(to) == ".pgm" {
		flags = gocv.IMReadGrayScale
	}
	img := gocv.IMRead(from, flags)
	defer img.Close()
	const webpQuality, jp2Compression, pngCompression = 64, 272, 16
	params := map[string][]int{".webp": {webpQuality, 101}, ".jp2": {jp2Compression, 1000}}[filepath.Ext(to)]
	if params == nil {
		params = []int{pngCompression, 3} // other encoders ignore it, but gocv needs one
	}
	if img.Empty() || !gocv.IMWriteWithParams(to, img, params) {
		return fmt.Errorf("cannot recode %s as %s", from, to)
	}
	return nil
}
