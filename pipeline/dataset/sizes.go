package dataset

import (
	"io"
	"math"
	"path/filepath"

	"descbench/pipeline/files"
)

// Sizes returns the pixels of the images of a scene, read from the headers alone.
// An image whose header cannot be read has 0 pixels; Open reports it.
func (s Source) Sizes(name string) []int {
	ref, _ := s.lookIn(name)
	pixels := make([]int, len(ref.Images))
	for i, file := range ref.Images {
		if file != "" {
			pixels[i] = headerPixels(filepath.Join(ref.Dir, file))
		}
	}
	return pixels
}

// headerPixels reads the whole file only if its size is not in the first 64 KiB, as behind
// the colour profile of some JPEGs.
func headerPixels(path string) int {
	for _, limit := range []int64{1 << 16, math.MaxInt32} {
		f, err := files.Open(path, math.MaxInt32)
		if err != nil {
			return 0
		}
		data, err := io.ReadAll(io.LimitReader(f, limit))
		f.Close()
		if err != nil {
			return 0
		}
		if f, err := formatOf(data); err == nil {
			if c, err := f.size(data); err == nil {
				return c.Width * c.Height
			}
		}
	}
	return 0
}
