package distractors

import (
	"cmp"
	"math"
	"slices"

	"descbench/descriptors"
	"descbench/eval/nearest"
	"descbench/eval/random"
	"descbench/eval/truth"
	"descbench/keypoints"
)

// An Image is one image of a scene with its keypoints and their descriptors, row by
// row.
type Image struct {
	Width, Height int
	Keypoints     []keypoints.Keypoint
	Rows          *descriptors.Matrix
}

// A Scene is an image sequence of two images or more. There[i] holds the places of the
// keypoints of the first image in Images[i].
type Scene struct {
	Name   string
	Images []Image
	There  [][]keypoints.Place
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

// targets are the images of a scene that queries of its first image are searched in.
type targets struct {
	measures []*nearest.Measure // by image; nil for the first
	truths   [][]truth.Truth    // by image, the candidates nearest to the projections of the queries
}

// targets prepares a search for queries with these places by image and these rows, whose
// ground truths are within the tolerance.
func (s *Scene) targets(there [][]keypoints.Place, rows *descriptors.Matrix, tolerancePx float64) (t targets, err error) {
	t = targets{make([]*nearest.Measure, len(s.Images)), make([][]truth.Truth, len(s.Images))}
	for i := 1; i < len(s.Images); i++ {
		t.truths[i] = truth.Find(there[i], s.Images[i].Keypoints, tolerancePx)
		if t.measures[i], err = nearest.NewMeasure(rows, s.Images[i].Rows); err != nil {
			return t, err
		}
	}
	return t, nil
}

// valid reports whether the row of a query is valid.
func (t targets) valid(query int) bool { return t.measures[1].ValidQuery(query) }

// distances returns the distances of a query to its ground truths, ascending; those of
// invalid rows are infinite.
func (t targets) distances(query int) (out []float64) {
	for i, m := range t.measures {
		if i == 0 || t.truths[i][query].Row < 0 {
			continue
		}
		d := []float64{0}
		if m.To(query, []int32{t.truths[i][query].Row}, d); math.IsNaN(d[0]) {
			d[0] = math.Inf(1)
		}
		out = append(out, d...)
	}
	slices.Sort(out)
	return out
}
