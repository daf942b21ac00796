package nearest_test

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/nearest"
	"descbench/eval/paired"
)

// BenchmarkAgainstFAISS finds the two nearest of 5000 candidates for each of 5000 queries
// on one thread, and in turn by FAISS. Our search also ranks a truth per query and
// checks mutuality.
func BenchmarkAgainstFAISS(b *testing.B) {
	for _, kind := range []descriptors.Matrix{{Type: descriptors.Float32, Dim: 128}, {Type: descriptors.Bits, Dim: 256}} {
		b.Run(kind.Type.String(), func(b *testing.B) {
			dir := b.TempDir()
			faiss := paired.Python(b, filepath.Join("testdata", "faiss_peer.py"), dir, kind.Type.String())
			queries, candidates, truth := benchmarkFiles(b, kind, dir)
			paired.Compare(b, paired.Here(func() {
				must.Get(nearest.Search(b.Context(), queries, candidates, truth))(b)
			}), faiss)
		})
	}
}

// BenchmarkAgainstNumpy matches 5000 rows with 5000 on one thread, without ground truths, and in turn
// by numpy's product and two maxima. Our search also finds the second nearest.
func BenchmarkAgainstNumpy(b *testing.B) {
	dir := b.TempDir()
	numpy := paired.Python(b, filepath.Join("testdata", "numpy_peer.py"), dir)
	queries, candidates, truth := benchmarkFiles(b, descriptors.Matrix{Type: descriptors.Float32, Dim: 128}, dir)
	for i := range truth {
		truth[i] = -1
	}
	paired.Compare(b, paired.Here(func() {
		must.Get(nearest.Search(b.Context(), queries, candidates, truth))(b)
	}), numpy)
}

// benchmarkFiles makes 5000 rows on each side, and writes them into a folder.
func benchmarkFiles(b *testing.B, kind descriptors.Matrix, dir string) (queries, candidates *descriptors.Matrix, truth []int32) {
	b.Helper()
	queries, candidates, truth = benchmarkRows(kind, 5000)
	for name, m := range map[string]*descriptors.Matrix{"queries": queries, "candidates": candidates} {
		raw, err := binary.Append(nil, binary.LittleEndian, m.Float32)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), append(raw, m.Uint8...), 0o666)
		}
		must.Do(b, err)
	}
	return queries, candidates, truth
}

// benchmarkRows makes n rows of a kind on each side, distributed like SIFT in
// range: bytes up to 160 with many small ones; floats normal, of norm about 1.
func benchmarkRows(kind descriptors.Matrix, n int) (queries, candidates *descriptors.Matrix, truth []int32) {
	r := generator(7)
	matrix := func() *descriptors.Matrix {
		m := kind
		m.Rows = n
		size := n * m.Stride()
		switch m.Type {
		case descriptors.Float32:
			m.Float32 = make([]float32, size)
			for k := range m.Float32 {
				m.Float32[k] = float32(r.NormFloat64() / math.Sqrt(float64(m.Dim)))
			}
		case descriptors.Uint8:
			m.Uint8 = make([]uint8, size)
			for k := range m.Uint8 {
				m.Uint8[k] = uint8(r.IntN(161) * r.IntN(161) / 160)
			}
		case descriptors.Bits:
			m.Uint8 = make([]uint8, size)
			for k := range m.Uint8 {
				m.Uint8[k] = uint8(r.IntN(256))
			}
		}
		return &m
	}
	queries, candidates = matrix(), matrix()
	for i := range n {
		truth = append(truth, int32((i*7)%n))
		if i%10 == 0 {
			copyRow(queries, i, candidates, int(truth[i]))
		}
	}
	return queries, candidates, truth
}
