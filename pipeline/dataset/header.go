package dataset

import (
	"bufio"
	"bytes"
	"image"
	_ "image/jpeg" // for DecodeConfig; WebP and TIFF are imported where they are inspected
	_ "image/png"
	"math"
	"path/filepath"

	_ "golang.org/x/image/bmp"

	"descbench/files"
)

// Sizes returns the pixels of the images of a scene, read from the headers alone.
// An image whose header cannot be read has 0 pixels; Open reports it.
func Sizes(root, name string) []int {
	ref, _ := look(filepath.Join(root, name), name)
	pixels := make([]int, len(ref.Images))
	for i, file := range ref.Images {
		if file != "" {
			pixels[i] = headerPixels(filepath.Join(ref.Dir, file))
		}
	}
	return pixels
}

func headerPixels(path string) int {
	f, err := files.Open(path, math.MaxInt32)
	if err != nil {
		return 0
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<16)
	head, _ := in.Peek(1 << 16)
	if isPNM(head) {
		width, height, _, _ := pnmSize(head)
		return width * height
	}
	if isJP2(head) {
		width, height, _ := jp2Size(head[max(0, bytes.Index(head, []byte(jp2kCodestream))):])
		return width * height
	}
	c, _, err := image.DecodeConfig(in)
	if err != nil {
		return 0
	}
	return c.Width * c.Height
}
