package distractors

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"descbench/descriptors"
	"descbench/eval/random"
	"descbench/keypoints"
)

// An Image is one image of a scene with its keypoints and their descriptors, row by
// row.
type Image struct {
	Width, Height int
	Keypoints     []keypoints.Keypoint
	Rows          *descriptors.Matrix
}

// A Scene is an image sequence of one plane. Homographies[i] maps the first image to
// Images[i].
type Scene struct {
	Name         string
	Images       []Image
	Homographies []keypoints.Homography
}

// A Pool holds the rows of one image of a scene, chosen by PoolImage. Other scenes
// draw distractors from it.
type Pool struct {
	Scene string
	Rows  *descriptors.Matrix
}

// PoolImage returns the index of the image in the scene's pool, from 0, in a
// repetition of a protocol. It is drawn anew for each.
func PoolImage(seed uint64, scene string, repetition, images int) int {
	stream := random.New(seed, "pool image", scene)
	for range repetition {
		stream.IntN(images)
	}
	return stream.IntN(images)
}

// check fails if the parts of a scene are inconsistent.
func (s *Scene) check() error {
	if s.Name == "" || len(s.Images) < 2 || len(s.Homographies) != len(s.Images) {
		return fmt.Errorf("distractors: scene %q has %d images and %d homographies, want at least two images and equally many homographies", s.Name, len(s.Images), len(s.Homographies))
	}
	for i, img := range s.Images {
		if img.Rows == nil || img.Rows.Rows != len(img.Keypoints) {
			return fmt.Errorf("distractors: %s: image %d has %d keypoints, want one descriptor for each", s.Name, i+1, len(img.Keypoints))
		}
	}
	return nil
}

// others returns the non-empty pools of other scenes, sorted by name. Draws refer to
// pools by their index in this list, so it must not depend on the caller's order.
func others(scene string, pools []Pool) ([]Pool, error) {
	var out []Pool
	for _, p := range pools {
		if p.Scene == "" || p.Rows == nil {
			return nil, fmt.Errorf("distractors: pool of scene %q has no name or no matrix, want a name and a matrix, which may be empty", p.Scene)
		}
		if p.Scene != scene && p.Rows.Rows > 0 {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b Pool) int { return cmp.Compare(a.Scene, b.Scene) })
	for i := 1; i < len(out); i++ {
		if out[i].Scene == out[i-1].Scene {
			return nil, fmt.Errorf("distractors: two pools of scene %s, want one per scene", out[i].Scene)
		}
	}
	return out, nil
}

// orInfinite replaces NaN, the distance to an invalid descriptor, by +Inf.
func orInfinite(distances []float64) {
	for i, d := range distances {
		if math.IsNaN(d) {
			distances[i] = math.Inf(1)
		}
	}
}
