package unitfile

import (
	"path/filepath"
	"testing"

	"descbench/descriptors"
	"descbench/eval/record"
	"descbench/keypoints"
	"descbench/pipeline/store/records/recordtest"
)

// A scene of five pairs with 8000 queries each.
func BenchmarkEvalUnit(b *testing.B) {
	path := filepath.Join(b.TempDir(), "unit")
	u := EvalUnit{Queries: recordtest.Queries(40_000), Pairs: make([]record.Pair, 5)}
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if err := WriteEval(unitAt(path), u); err != nil {
				b.Fatal(err)
			}
		}
		recordtest.ReportSize(b, path)
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if got, err := ReadEval(unitAt(path)); err != nil || len(got.Queries) != len(u.Queries) {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkFeatures(b *testing.B) {
	for _, m := range []*descriptors.Matrix{
		{Rows: 8000, Dim: 384, Type: descriptors.Uint8, Uint8: make([]uint8, 8000*384)},
		{Rows: 8000, Dim: 128, Type: descriptors.Float32, Float32: make([]float32, 8000*128)},
	} {
		c, err := OpenCache(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		key := Key("m")
		b.Run("write "+m.Type.String(), func(b *testing.B) {
			for b.Loop() {
				if err := c.PutFeatures(key, m, 1.5); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("read "+m.Type.String(), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := c.Features(key); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Six images of 8000 keypoints each.
func BenchmarkSets(b *testing.B) {
	path := filepath.Join(b.TempDir(), "unit")
	sets := make([]keypoints.Set, 6)
	for i := range sets {
		sets[i].Keypoints = make([]keypoints.Keypoint, 8000)
	}
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if err := WriteSets(unitAt(path), sets); err != nil {
				b.Fatal(err)
			}
		}
		recordtest.ReportSize(b, path)
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if _, err := ReadSets(unitAt(path)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
