package dataset

import (
	"bufio"
	"image"
	_ "image/jpeg" // for DecodeConfig
	_ "image/png"
	"math"
	"path/filepath"

	"descbench/eval/scope"
	"descbench/keypoints/openfile"
)

// Sizes returns the pixels of the images of a scene, read from the headers alone.
// An image whose header cannot be read has 0 pixels; Open reports it.
func Sizes(root, name string) (pixels [scope.Images]int) {
	ref, _ := look(filepath.Join(root, name), name)
	for i, file := range ref.Images {
		if file != "" {
			pixels[i] = headerPixels(filepath.Join(ref.Dir, file))
		}
	}
	return pixels
}

func headerPixels(path string) int {
	f, err := openfile.Open(path, math.MaxInt32)
	if err != nil {
		return 0
	}
	defer f.Close()
	in := bufio.NewReader(f)
	if head, _ := in.Peek(512); len(head) > 2 && head[0] == 'P' {
		width, height, _, _ := pnmSize(head)
		return width * height
	}
	c, _, err := image.DecodeConfig(in)
	if err != nil {
		return 0
	}
	return c.Width * c.Height
}
