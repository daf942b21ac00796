package store

import (
	"os"
	"path/filepath"
	"testing"

	"descbench/descriptors"
	"descbench/eval"
	"descbench/eval/paired"
	"descbench/keypoints"
)

func fileSize(b *testing.B, path string) int64 {
	b.Helper()
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}

// A scene of five pairs with 8000 queries each.
func BenchmarkEvalUnit(b *testing.B) {
	path := filepath.Join(b.TempDir(), "unit")
	u := EvalUnit{Queries: manyQueries(40_000), Pairs: make([]eval.Pair, 5)}
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if err := WriteEval(unitAt(path), u); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(fileSize(b, path)), "bytes")
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
		b.ReportMetric(float64(fileSize(b, path)), "bytes")
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if _, err := ReadSets(unitAt(path)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkQueriesFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "queries.parquet")
	rows := manyQueries(40_000)
	const times = 10
	write := func(b *testing.B) {
		w, err := NewQueryWriter(path, "baseline")
		if err != nil {
			b.Fatal(err)
		}
		for range times {
			if err := w.Add(rows); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("write 400k rows", func(b *testing.B) {
		defer paired.PerOp(b)()
		for b.Loop() {
			write(b)
		}
		b.ReportMetric(float64(fileSize(b, path)), "bytes")
	})
	b.Run("read 400k rows", func(b *testing.B) {
		write(b)
		summed(b, path)
		b.ReportAllocs()
		defer paired.PerOp(b)()
		for b.Loop() {
			n := 0
			err := ReadQueries(path, func(q []eval.Query) error {
				n += len(q)
				return nil
			})
			if err != nil || n != times*len(rows) {
				b.Fatal(n, err)
			}
		}
	})
}

// 40 descriptors on 116 scenes of five pairs.
func BenchmarkDatabase(b *testing.B) {
	r := sampleRun()
	one := r.Results[0]
	one.Scenes, one.RankHistogram = nil, make([]int64, 5000)
	for i := range one.RankHistogram {
		one.RankHistogram[i] = 1
	}
	for i := range 116 {
		s := sampleRun().Results[0].Scenes[1]
		s.Name = string(rune('a'+i/26)) + string(rune('a'+i%26))
		s.Pairs = make([]eval.PairResult, 5)
		for k := range s.Pairs {
			s.Pairs[k].K = k + 2
			for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
				one.Metrics = append(one.Metrics, eval.Metric{Scope: s.Name + string(rune('0'+k)), Name: name})
			}
		}
		one.Scenes = append(one.Scenes, s)
	}
	r.Descriptors, r.Results = nil, nil
	for i := range 40 {
		res := one
		res.Descriptor = string(rune('A' + i))
		r.Descriptors = append(r.Descriptors, Descriptor{Name: res.Descriptor})
		r.Results = append(r.Results, res)
	}
	path := filepath.Join(b.TempDir(), "results.sqlite")
	for b.Loop() {
		if err := WriteDatabase(b.Context(), path, r); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(fileSize(b, path)), "bytes")
}
