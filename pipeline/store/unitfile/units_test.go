package unitfile

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/record"
	"descbench/keypoints"
	"descbench/pipeline/files/npz"
	"descbench/pipeline/store"
	"descbench/pipeline/store/records/recordtest"

	"pgregory.net/rapid"
)

func TestSetsAreReadAsTheyWereWritten(t *testing.T) {
	path := rapidFile(t)
	rapid.Check(t, func(t *rapid.T) {
		sets := rapid.SliceOfN(anySet, 0, 6).Draw(t, "sets")
		must.Do(t, WriteSets(unitAt(path), sets))
		got := must.Get(ReadSets(unitAt(path)))(t)
		if len(got) != len(sets) {
			t.Fatalf("got %d sets, want %d", len(got), len(sets))
		}
		for i := range sets {
			if !equalSets(got[i], sets[i]) {
				t.Errorf("image %d: got %v, want %v", i+1, got[i], sets[i])
			}
		}
	})
}

func TestEvaluationsAreReadAsTheyWereWritten(t *testing.T) {
	path := rapidFile(t)
	rapid.Check(t, func(t *rapid.T) {
		u := EvalUnit{
			Queries: rapid.SliceOfN(anyQuery, 0, 6).Draw(t, "queries"),
			Pairs:   rapid.SliceOfN(anyPair, 0, 5).Draw(t, "pairs"),
		}
		for i := range u.Pairs {
			u.Pairs[i].Descriptor, u.Pairs[i].Scene = "d", "v"
		}
		must.Do(t, WriteEval(unitAt(path), u))
		got := must.Get(ReadEval(unitAt(path)))(t)
		if !recordtest.Equal(got.Queries, u.Queries) {
			t.Errorf("got queries %v, want %v", got.Queries, u.Queries)
		}
		if !recordtest.Equal(got.Pairs, u.Pairs) {
			t.Errorf("got pairs %v, want %v", got.Pairs, u.Pairs)
		}
	})
}

func TestFeaturesAreReadAsTheyWereWritten(t *testing.T) {
	cache := openCache(t)
	rapid.Check(t, func(t *rapid.T) {
		m := anyMatrix.Draw(t, "matrix")
		must.Do(t, cache.PutFeatures(Key("m"), m, 1.5))
		got, _, err := cache.Features(Key("m"))
		must.Do(t, err)
		if !equalMatrices(got, m) {
			t.Errorf("got %v, want %v", got, m)
		}
	})
}

// unitCase is a small file of one kind.
type unitCase struct {
	name  string
	write func(path string) error
	same  func(path string) (bool, error) // reads it and compares
}

func unitCases() []unitCase {
	sets := []keypoints.Set{
		{Keypoints: []keypoints.Keypoint{{X: 1.5, Y: 2, Size: 3, Angle: 4, Response: 5, Octave: -1, ClassID: 7}}},
		{Keypoints: []keypoints.Keypoint{{X: 8, Octave: 9, ClassID: -1}}, Source: []int32{0}},
		{},
	}
	unit := EvalUnit{
		Queries: []record.Query{{Descriptor: "sift", Scene: "v_a", K: 2, Truth: -1, TruthError: math.Inf(1), NearestDistance: 0.25}},
		Pairs:   []record.Pair{{Descriptor: "sift", Scene: "v_a", K: 2, Width1: 640}},
	}
	matrix := &descriptors.Matrix{Rows: 2, Dim: 3, Type: descriptors.Uint8, Uint8: []uint8{1, 2, 3, 0, 0, 0}, UnitNorm: true}
	matrix.Mark(1)
	bits := &descriptors.Matrix{Rows: 2, Dim: 12, Type: descriptors.Bits, Uint8: []uint8{1, 2, 3, 4}}
	var cases []unitCase
	cases = append(cases, unitCase{"sets", func(path string) error { return WriteSets(unitAt(path), sets) }, func(path string) (bool, error) {
		got, err := ReadSets(unitAt(path))
		if err != nil || len(got) != len(sets) {
			return false, err
		}
		for i := range got {
			if !equalSets(got[i], sets[i]) {
				return false, nil
			}
		}
		return true, nil
	}})
	cases = append(cases, unitCase{"eval", func(path string) error { return WriteEval(unitAt(path), unit) }, func(path string) (bool, error) {
		got, err := ReadEval(unitAt(path))
		if err != nil {
			return false, err
		}
		return recordtest.Equal(got.Queries, unit.Queries) && len(got.Pairs) == 1 && got.Pairs[0] == unit.Pairs[0], nil
	}})
	for _, m := range []*descriptors.Matrix{matrix, bits} {
		cases = append(cases, unitCase{"features of " + m.Type.String(), func(path string) error {
			members, err := matrixMembers(m)
			if err != nil {
				return err
			}
			return writeContainer(unitAt(path), kindFeatures, members)
		}, func(path string) (bool, error) {
			var got *descriptors.Matrix
			err := readContainer(unitAt(path), kindFeatures, func(a *npz.Archive) (err error) {
				got, err = readMatrix(a)
				return err
			})
			return err == nil && equalMatrices(got, m), err
		}})
	}
	return cases
}

func TestAUnitCutShortOrAlteredIsAlwaysDamaged(t *testing.T) {
	for _, c := range unitCases() {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "unit")
			must.Do(t, c.write(path))
			if same, err := c.same(path); !same || err != nil {
				t.Fatalf("the sound unit: same = %v, %v", same, err)
			}
			recordtest.AlterEveryByte(t, path, store.ErrDamaged, func() error {
				_, err := c.same(path)
				return err
			})
			must.Do(t, c.write(path))
			info := must.Get(os.Stat(path))(t)
			for n := info.Size() - 1; n >= 0; n-- {
				must.Do(t, os.Truncate(path, n))
				if _, err := c.same(path); !errors.Is(err, store.ErrDamaged) {
					t.Errorf("cut to %d of %d bytes: got error %v, want ErrDamaged", n, info.Size(), err)
				}
			}
		})
	}
}

func TestAUnitOfAnotherKindIsForeign(t *testing.T) {
	path := filepath.Join(t.TempDir(), "unit")
	must.Do(t, WriteSets(unitAt(path), nil))
	if _, err := ReadEval(unitAt(path)); !errors.Is(err, store.ErrForeign) || errors.Is(err, store.ErrDamaged) {
		t.Errorf("got error %v, want ErrForeign", err)
	}
}

func TestASoundUnitOfAnotherRunIsForeign(t *testing.T) {
	path := filepath.Join(t.TempDir(), "unit")
	must.Do(t, WriteSets(UnitFile{store.Root(filepath.Dir(path)), path, Key("another run")}, nil))
	if _, err := ReadSets(unitAt(path)); !errors.Is(err, store.ErrForeign) || errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), path) {
		t.Errorf("got error %v, want store.ErrForeign about %s", err, path)
	}
}

func TestAnAbsentUnitIsNotDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "unit")
	_, errSets := ReadSets(unitAt(path))
	_, errEval := ReadEval(unitAt(path))
	for _, err := range []error{errSets, errEval} {
		if !errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrDamaged) {
			t.Errorf("got error %v, want fs.ErrNotExist alone", err)
		}
	}
}

func TestFaultyContentIsNotWritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "unit")
	faulty := keypoints.Set{Keypoints: make([]keypoints.Keypoint, 2), Source: []int32{1}}
	if err := WriteSets(unitAt(path), []keypoints.Set{faulty}); err == nil {
		t.Error("sets with too few sources were written")
	}
	for name, m := range map[string]*descriptors.Matrix{
		"too few elements":       {Rows: 2, Dim: 2, Type: descriptors.Uint8, Uint8: make([]uint8, 3)},
		"elements of both types": {Rows: 1, Dim: 1, Type: descriptors.Uint8, Uint8: make([]uint8, 1), Float32: make([]float32, 1)},
		"unit norm of bits":      {Rows: 1, Dim: 8, Type: descriptors.Bits, Uint8: make([]uint8, 1), UnitNorm: true},
		"no dimension":           {Rows: 1, Type: descriptors.Uint8},
		"unknown type":           {Rows: 0, Dim: 1, Type: 9},
	} {
		if _, err := matrixMembers(m); err == nil {
			t.Errorf("a matrix with %s was accepted", name)
		}
	}
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("the folder has %q, want nothing", got)
	}
}
