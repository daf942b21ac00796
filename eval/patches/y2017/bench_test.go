package y2017

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/paired"
	"descbench/eval/patches"
	"descbench/eval/patches/goldentest"
)

// The real size: 480 000 descriptors of 128 values.
const (
	benchSequences = 20
	benchPatches   = 1500
	benchDim       = 128
	benchPairs     = 1_000_000
	benchQueries   = 10_000
	benchPool      = 20_000
)

// scaled returns a tenth of a number with -short, which is enough to see whether a benchmark
// works.
func scaled(number int) int {
	if testing.Short() {
		return number / 10
	}
	return number
}

// generate returns descriptors like SIFT's: integers, of which most are small,
// the same for each patch of a sequence but for noise that grows with the
// level; or, if real, these divided by their norm.
func generate(tb testing.TB, real bool) *patches.Set {
	tb.Helper()
	images := map[string]map[string]*descriptors.Matrix{}
	for s := range benchSequences {
		name := fmt.Sprintf("%c_%02d", "iv"[s%2], s)
		images[name] = generateSequence(uint64(s), real)
	}
	return must.Get(patches.NewSet("generated", images))(tb)
}

func generateSequence(seed uint64, real bool) map[string]*descriptors.Matrix {
	rng := rand.New(rand.NewPCG(seed, 5))
	n := scaled(benchPatches) * benchDim
	base := make([]float32, n)
	for i := range base {
		base[i] = float32(rng.ExpFloat64() * 40)
	}
	matrices := map[string]*descriptors.Matrix{}
	for _, image := range patches.Images(Noises()...) {
		noise := map[byte]float32{'r': 0, 'e': 15, 'h': 45, 't': 90}[image[0]]
		m := &descriptors.Matrix{Rows: scaled(benchPatches), Dim: benchDim, Type: descriptors.Uint8, Uint8: make([]uint8, n)}
		for i, v := range base {
			m.Uint8[i] = uint8(max(0, min(255, v+noise*(rng.Float32()+rng.Float32()-1))))
		}
		if real {
			m = unitRows(m)
		}
		matrices[image] = m
	}
	return matrices
}

func unitRows(m *descriptors.Matrix) *descriptors.Matrix {
	f := &descriptors.Matrix{Rows: m.Rows, Dim: m.Dim, Type: descriptors.Float32, Float32: make([]float32, 0, m.Rows*m.Dim)}
	for i := range m.Rows {
		row := patches.AppendRow(nil, m, i)
		sum := float32(0)
		for _, v := range row {
			sum += v * v
		}
		for _, v := range row {
			f.Float32 = append(f.Float32, v/float32(math.Sqrt(float64(sum))))
		}
	}
	return f
}

// generateTasks returns an input with task lists of the real size.
func generateTasks(tb testing.TB, set *patches.Set) *Input {
	tb.Helper()
	in := &Input{Set: set, Split: Split{Name: "generated", Test: set.Sequences()}}
	var err error
	if in.Sequences, err = newSequences(set, in.Split.Test); err != nil {
		tb.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	patch := func() Patch {
		return Patch{Index: int32(rng.IntN(scaled(benchPatches))), Sequence: uint16(rng.IntN(benchSequences))}
	}
	for range scaled(benchPairs) {
		p := Pair{A: patch()}
		p.A.Image = uint8(rng.IntN(5))
		p.B = p.A
		p.B.Image = uint8(rng.IntN(5))
		in.Positive = append(in.Positive, p)
		p.B.Index = (p.A.Index + 1 + int32(rng.IntN(scaled(benchPatches)-1))) % int32(scaled(benchPatches))
		in.Intra = append(in.Intra, p)
		image := p.B.Image
		p.B = patch()
		p.B.Image = image
		in.Inter = append(in.Inter, p)
	}
	drawn := map[Patch]bool{}
	for len(in.Queries) < scaled(benchQueries) || len(in.Distractors) < scaled(benchPool) {
		p := patch()
		switch {
		case drawn[p]:
			continue
		case len(in.Queries) < scaled(benchQueries):
			in.Queries = append(in.Queries, p)
		default:
			in.Distractors = append(in.Distractors, p)
		}
		drawn[p] = true
	}
	return in
}

// BenchmarkLoad reads 480 000 descriptors from 320 files, in the styles that
// public descriptor files have.
func BenchmarkLoad(b *testing.B) {
	for _, style := range []struct {
		name, format, separator string
		real                    bool
	}{
		{"integers", "%.0f", ",", false},
		{"exponents", "%.18e", " ", true},
	} {
		b.Run(style.name, func(b *testing.B) {
			dir := b.TempDir()
			size := writeSet(b, dir, generate(b, style.real), style.format, style.separator)
			b.SetBytes(size)
			defer paired.PerOp(b)()
			for b.Loop() {
				wanted := must.Get(patches.Find(dir, ".csv", "descriptors"))(b)
				must.Get(patches.Load(context.Background(), goldentest.Open, dir, wanted, 0))(b)
			}
		})
	}
}

// writeSet writes the set's files and returns the number of their bytes. Wide
// formats get fewer sequences.
func writeSet(tb testing.TB, dir string, set *patches.Set, format, separator string) (size int64) {
	tb.Helper()
	sequences := set.Sequences()
	if format != "%.0f" {
		sequences = sequences[:3]
	}
	for _, sequence := range sequences {
		must.Do(tb, os.MkdirAll(filepath.Join(dir, sequence), 0o777))
		for _, image := range set.Images(sequence) {
			var file []byte
			m := set.Image(sequence, image)
			for i := range m.Rows {
				for k, v := range patches.AppendRow(nil, m, i) {
					if k > 0 {
						file = append(file, separator...)
					}
					file = fmt.Appendf(file, format, v)
				}
				file = append(file, '\n')
			}
			must.Do(tb, os.WriteFile(filepath.Join(dir, sequence, image+".csv"), file, 0o666))
			size += int64(len(file))
		}
	}
	return size
}

// BenchmarkAgainstNumpy runs each task at the real size on float32, and in turn the
// same task in numpy, on one thread of OpenBLAS.
func BenchmarkAgainstNumpy(b *testing.B) {
	dir := b.TempDir()
	numpy := func(b *testing.B, task Task) paired.Work {
		return paired.Python(b, filepath.Join("testdata", "numpy_peer.py"), dir, string(task))
	}
	numpy(b, Matching) // or skip before the rows are drawn
	in := generateTasks(b, generate(b, true))
	writeForNumpy(b, dir, in)
	for _, task := range []Task{Matching, Retrieval, Verification} {
		b.Run(string(task), func(b *testing.B) {
			paired.Compare(b, paired.Here(func() {
				must.Get(in.Evaluate(b.Context(), Options{Protocol: P17, Distance: patches.L2, Tasks: []Task{task}}))(b)
			}), numpy(b, task))
		})
	}
}

// writeForNumpy writes the files that numpy_peer.py describes.
func writeForNumpy(b *testing.B, dir string, in *Input) {
	b.Helper()
	write := func(name string, values any) {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
		if err == nil {
			err = binary.Write(f, binary.LittleEndian, values)
		}
		if err == nil {
			err = f.Close()
		}
		must.Do(b, err)
	}
	write("shape.i32", []int32{int32(len(in.Sequences)), int32(scaled(benchPatches)), benchDim})
	for _, sequence := range in.Split.Test {
		write("rows.f32", in.Set.Image(sequence, patches.Reference).Float32)
		for _, noise := range Noises() {
			for k := 1; k <= patches.ImagesPerNoise; k++ {
				write("rows.f32", in.Set.Image(sequence, patches.ImageName(noise, k)).Float32)
			}
		}
	}
	for _, list := range [][]Pair{in.Positive, in.Inter, in.Intra} {
		var values []int32
		for _, p := range list {
			for _, at := range []Patch{p.A, p.B} {
				values = append(values, int32(at.Sequence), int32(at.Image), at.Index)
			}
		}
		write("pairs.i32", values)
	}
	for name, list := range map[string][]Patch{"queries.i32": in.Queries, "pool.i32": in.Distractors} {
		var values []int32
		for _, p := range list {
			values = append(values, int32(p.Sequence), p.Index)
		}
		write(name, values)
	}
}
