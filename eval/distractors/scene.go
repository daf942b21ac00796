package distractors

import (
	"cmp"
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

// A Scene is an image sequence of one plane, of two images or more. Homographies[i] maps the
// first image to Images[i].
type Scene struct {
	Name         string
	Images       []Image
	Homographies []keypoints.Homography
}

// A Pool holds the rows of one image of a scene, chosen by PoolImage. Other scenes
// draw distractors from it. A scene has one pool.
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

// others returns the non-empty pools of other scenes, sorted by name. Draws refer to
// pools by their index in this list, so it must not depend on the caller's order.
func others(scene string, pools []Pool) []Pool {
	out := slices.DeleteFunc(slices.Clone(pools), func(p Pool) bool { return p.Scene == scene || p.Rows.Rows == 0 })
	slices.SortFunc(out, func(a, b Pool) int { return cmp.Compare(a.Scene, b.Scene) })
	return out
}

// orInfinite replaces NaN, the distance to an invalid descriptor, by +Inf.
func orInfinite(distances []float64) {
	for i, d := range distances {
		if math.IsNaN(d) {
			distances[i] = math.Inf(1)
		}
	}
}
