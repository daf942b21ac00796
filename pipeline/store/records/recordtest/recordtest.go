// Package recordtest has records and checks of files for tests.
package recordtest

import (
	"errors"
	"iter"
	"math"
	"os"
	"reflect"
	"testing"

	"descbench/eval/record"
)

// Queries returns n queries like those of one scene.
func Queries(n int) []record.Query {
	out := make([]record.Query, n)
	nan := float32(math.NaN())
	x := uint32(1)
	next := func(below int) int {
		x = x*1664525 + 1013904223
		return int(uint64(x) * uint64(below) >> 32)
	}
	for i := range out {
		q := record.Query{
			Descriptor: "sift", Scene: "v_dogman", K: int32(2 + 5*i/n), Row: int32(i % (n/5 + 1)),
			X: float32(next(1<<20)) / 1024, Y: float32(next(1<<20)) / 1024,
			ProjectedX: math.Sqrt(float64(next(1 << 20))), ProjectedY: math.Sqrt(float64(next(1 << 20))),
			Truth: -1, TruthX: nan, TruthY: nan, TruthError: math.Inf(1),
			NearestX: float32(next(1<<20)) / 1024, NearestY: float32(next(1<<20)) / 1024,
			Nearest: int32(next(8000)), NearestDistance: math.Sqrt(float64(next(100000))),
			Second: int32(next(8000)), SecondDistance: math.Sqrt(float64(next(100000))),
			NearestError: math.Sqrt(float64(next(1 << 20))), NearestError1: math.Inf(1),
			Mutual: next(5) < 2, Shared: next(5) < 4, Candidates: 8000,
			Partner: int32(next(3)) - 2, GalleryLess: -1, GalleryEqual: -1,
		}
		if next(5) < 3 {
			q.Truth, q.TruthError = int32(next(8000)), math.Sqrt(float64(next(100)))
			q.TruthX, q.TruthY = float32(next(1<<20))/1024, float32(next(1<<20))/1024
			q.Less = int32(next(next(next(8000)+1) + 1))
		}
		out[i] = q
	}
	return out
}

// Equal compares records. It takes any two NaN for the same.
func Equal[T comparable](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		p, q := a[i], b[i]
		if p == q {
			continue
		}
		other := reflect.ValueOf(&q).Elem()
		for field, v := range Fields(&p) {
			w := other.FieldByName(field)
			if v.CanFloat() {
				if x, y := v.Float(), w.Float(); x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
					return false
				}
			} else if !v.Equal(w) {
				return false
			}
		}
	}
	return true
}

// Fields returns the fields of a record with their names.
func Fields[T any](r *T) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		v := reflect.ValueOf(r).Elem()
		for i := range v.NumField() {
			if !yield(v.Type().Field(i).Name, v.Field(i)) {
				return
			}
		}
	}
}

var nan32 = float32(math.NaN())

// ExampleQueries and ExamplePairs are the records in the examples of files.
var (
	ExampleQueries = []record.Query{
		{
			Descriptor: "sift", Scene: "v_a", K: 2, X: 1.5, Y: 2, ProjectedX: 3.25, ProjectedY: 4, TruthX: 3, TruthY: 4, TruthError: 0.25, Partner: -2, Less: 1, Equal: 2,
			Nearest: 1, NearestX: 50, NearestY: 60, NearestDistance: 0.25, NearestError: 70.5, NearestError1: math.Inf(1), Second: 2, SecondDistance: 0.5, Mutual: true, Shared: true, Candidates: 9,
			GalleryLess: 3, GalleryEqual: 0,
		},
		{
			Descriptor: "sift", Scene: "v_a", K: 2, Row: 1, X: 1, Y: 2, ProjectedX: math.NaN(), ProjectedY: math.NaN(), Truth: -1, TruthX: nan32, TruthY: nan32, TruthError: math.Inf(1), Partner: -2,
			Nearest: -1, NearestX: nan32, NearestY: nan32, NearestDistance: math.NaN(), NearestError: math.Inf(1), NearestError1: math.Inf(1), Second: -1, SecondDistance: math.NaN(), Candidates: 9,
			GalleryLess: -1, GalleryEqual: -1,
		},
	}
	ExamplePairs = []record.Pair{{Homography11: 1, Homography12: 2, Homography13: 3, Homography21: 4, Homography22: 5, Homography23: 6,
		Homography31: math.NaN(), Homography32: 8, Homography33: 9, Known1: -1, KnownK: -1, Correspondences: -1, CornerErrors: `{"magsac":2.5,"ransac":[1.5,null]}`, Descriptor: "sift", Scene: "v_a", K: 2, Width1: 640, Spread1: 0.5, SpreadK: math.NaN()}}
)

// AlterEveryByte alters each byte of a file in turn, in a single bit and in all bits,
// and wants an error from read that matches want.
func AlterEveryByte(t testing.TB, path string, want error, read func() error) {
	t.Helper()
	if err := read(); err != nil {
		t.Fatalf("the sound file: %v", err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for i, b := range whole {
		for _, altered := range []byte{b ^ 1<<(i%8), b ^ 0xff} {
			if _, err := file.WriteAt([]byte{altered}, int64(i)); err != nil {
				t.Fatal(err)
			}
			if err := read(); !errors.Is(err, want) {
				t.Errorf("byte %d of %d, %#x to %#x: got error %v, want %v", i, len(whole), b, altered, err, want)
			}
		}
		if _, err := file.WriteAt([]byte{b}, int64(i)); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d bytes altered", len(whole))
}
