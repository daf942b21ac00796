package distractors

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/keypoints"
)

// randomScene has few distinct descriptors, so that distances tie, and an
// invalid row in some images.
func randomScene(rng *rand.Rand, name string, n int) *Scene {
	s := &Scene{Name: name}
	for i := range 6 {
		img := Image{Width: 100, Height: 90, Rows: &descriptors.Matrix{Dim: 3, Type: descriptors.Uint8}}
		count := n - rng.IntN(3)
		for range count {
			img.Keypoints = append(img.Keypoints, keypoints.Keypoint{X: rng.Float32() * 100, Y: rng.Float32() * 90, Size: 5})
			for range 3 {
				img.Rows.Uint8 = append(img.Rows.Uint8, uint8(1+rng.IntN(4)))
			}
		}
		img.Rows.Rows = count
		if i%2 == 0 && count > 3 {
			img.Rows.Mark(rng.IntN(count))
		}
		h := keypoints.Homography{1, 0.02 * float64(i), float64(i), 0, 1, -float64(i), 0, 0, 1}
		if i > 0 { // most keypoints are seen again
			for j := range min(count, len(s.Images[0].Keypoints)) * 2 / 3 {
				q := s.Images[0].Keypoints[j]
				x, y := h.Apply(float64(q.X), float64(q.Y))
				img.Keypoints[j].X, img.Keypoints[j].Y = float32(x)+rng.Float32(), float32(y)
			}
		}
		s.Images = append(s.Images, img)
		s.There = append(s.There, placesOf(h, s.Images[0].Keypoints))
	}
	return s
}

func placesOf(h keypoints.Homography, points []keypoints.Keypoint) (places []keypoints.Place) {
	for _, k := range points {
		x, y := h.Apply(float64(k.X), float64(k.Y))
		places = append(places, keypoints.Place{X: x, Y: y})
	}
	return places
}

// distance is that of two rows, infinite where one describes nothing.
func distance(a *descriptors.Matrix, i int, b *descriptors.Matrix, j int) float64 {
	if a.IsInvalid(i) || b.IsInvalid(j) {
		return math.Inf(1)
	}
	sum := 0.0
	for e := range a.Dim {
		d := float64(a.Uint8[i*a.Dim+e]) - float64(b.Uint8[j*b.Dim+e])
		sum += d * d
	}
	return math.Sqrt(sum)
}

type labelled struct {
	distance float64
	positive bool
}

// naiveAP walks down the list of all samples, one distance after the other, as
// scikit-learn's average_precision_score is defined: Σ (R_n − R_{n−1}) P_n.
func naiveAP(samples []labelled) float64 {
	positives := 0
	for _, s := range samples {
		if s.positive {
			positives++
		}
	}
	if positives == 0 {
		return math.NaN()
	}
	slices.SortFunc(samples, func(a, b labelled) int {
		switch {
		case a.distance < b.distance:
			return -1
		case a.distance > b.distance:
			return 1
		}
		return 0
	})
	ap, recall, found := 0.0, 0.0, 0
	for i, s := range samples {
		if s.positive {
			found++
		}
		if i == len(samples)-1 || samples[i+1].distance != s.distance {
			r := float64(found) / float64(positives)
			ap += (r - recall) * float64(found) / float64(i+1)
			recall = r
		}
	}
	return ap
}

// nearestTo returns the candidate nearest to the projection of a keypoint, -1 if
// none is within the tolerance.
func nearestTo(s *Scene, q, image int, tolerance float64) (row int, px float64) {
	x, y := s.There[image][q].X, s.There[image][q].Y
	row, px = -1, math.Inf(1)
	for j, c := range s.Images[image].Keypoints {
		if d := math.Hypot(float64(c.X)-x, float64(c.Y)-y); d <= tolerance && d < px {
			row, px = j, d
		}
	}
	return row, px
}

func poolsOf(scenes []*Scene, seed uint64) []Pool { return poolsIn(scenes, seed, 0) }

func poolsIn(scenes []*Scene, seed uint64, repetition int) []Pool {
	var out []Pool
	for _, s := range scenes {
		out = append(out, Pool{s.Name, s.Images[PoolImage(seed, s.Name, repetition, len(s.Images))].Rows})
	}
	return out
}

// bojanicRecords returns the records of all repetitions. scenes are those with pools.
func bojanicRecords(t *testing.T, b Bojanic, of *Scene, scenes []*Scene) (all []BojanicRecord) {
	t.Helper()
	for repetition := range b.Repetitions {
		records := must.Get(b.Record(t.Context(), "d", of, repetition, poolsIn(scenes, b.Seed, repetition)))(t)
		all = append(all, records...)
	}
	return all
}

func randomScenes(seed uint64, count, n int) []*Scene {
	rng := rand.New(rand.NewPCG(seed, 7))
	var out []*Scene
	for i := range count {
		out = append(out, randomScene(rng, fmt.Sprintf("%s_%d", []string{"v", "i"}[i%2], i), n))
	}
	return out
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12 || math.IsNaN(a) && math.IsNaN(b) }
