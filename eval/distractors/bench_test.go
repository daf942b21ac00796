package distractors

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/nearest"
	"descbench/eval/paired"
	"descbench/keypoints"
)

// BenchmarkWorkbenchScene computes the record of a scene with 4000 keypoints an
// image (400 with -short), and beside it nothing but its distances. The rows of an image are those of the
// first one with so much noise that matches are as far as some of the others.
func BenchmarkWorkbenchScene(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	n, dim := 4000, 128
	if testing.Short() {
		n = 400
	}
	first := make([]float64, n*dim)
	for i := range first {
		first[i] = 25 * rng.ExpFloat64() // many small elements, few large ones
	}
	for _, kind := range []descriptors.ElementType{descriptors.Uint8, descriptors.Float32} {
		rows := func() *descriptors.Matrix {
			m := &descriptors.Matrix{Rows: n, Dim: dim, Type: kind, UnitNorm: kind == descriptors.Uint8}
			for _, v := range first {
				v = min(max(v+30*rng.NormFloat64(), 0), 255)
				if kind == descriptors.Uint8 {
					m.Uint8 = append(m.Uint8, uint8(v))
				} else {
					m.Float32 = append(m.Float32, float32(v)/1000)
				}
			}
			return m
		}
		scene := &Scene{Name: "v_a"}
		var points []keypoints.Keypoint
		for range n {
			points = append(points, keypoints.Keypoint{X: rng.Float32() * 800, Y: rng.Float32() * 600})
		}
		for range 6 {
			scene.Images = append(scene.Images, Image{Width: 800, Height: 600, Keypoints: points, Rows: rows()})
			scene.There = append(scene.There, placesOf(keypoints.Identity, points))
		}
		var pools []Pool
		for i := range 20 {
			pools = append(pools, Pool{fmt.Sprint("i_", i), scene.Images[i%6].Rows})
		}
		b.Run(fmt.Sprintf("record/%v", kind), func(b *testing.B) {
			w := Workbench{TolerancePx: 3, DistractorScenes: 10, DistractorsPerScene: 20, Seed: 42}
			defer paired.PerOp(b)()
			for b.Loop() {
				must.Get(w.Record(b.Context(), "d", scene, pools))(b)
			}
		})
		b.Run(fmt.Sprintf("distances/%v", kind), func(b *testing.B) {
			defer paired.PerOp(b)()
			for b.Loop() {
				for i := 1; i < 6; i++ {
					m := must.Get(nearest.NewMeasure(scene.Images[0].Rows, scene.Images[i].Rows))(b)
					d := make([]float64, n)
					for q := range n {
						m.Distances(q, 0, d)
					}
				}
			}
		})
	}
}
