package y2017

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"descbench/eval/must"
	"descbench/eval/paired"
	"descbench/eval/patches"
)

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
	write("shape.i32", []int32{int32(len(in.Sequences.Names)), int32(scaled(benchPatches)), benchDim})
	for _, sequence := range in.Sequences.Names {
		write("rows.f32", in.Set.Image(sequence, patches.Reference).Float32)
		for _, noise := range Noises() {
			for k := 1; k <= imagesPerNoise; k++ {
				write("rows.f32", in.Set.Image(sequence, imageName(noise, k)).Float32)
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
