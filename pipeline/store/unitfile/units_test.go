package unitfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/record"
	"descbench/keypoints"
	"descbench/pipeline/store"

	"pgregory.net/rapid"
)

func TestSetsAreReadAsTheyWereWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets := rapid.SliceOfN(anySet, 0, 6).Draw(t, "sets")
		got := must.Get(Sets.Value(must.Get(Sets.Content(sets))(t)))(t)
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
	rapid.Check(t, func(t *rapid.T) {
		u := EvalUnit{
			Queries: rapid.SliceOfN(anyQuery, 0, 6).Draw(t, "queries"),
			Pairs:   rapid.SliceOfN(anyPair, 0, 5).Draw(t, "pairs"),
		}
		for i := range u.Pairs {
			u.Pairs[i].Descriptor, u.Pairs[i].Scene = "d", "v"
		}
		got := must.Get(Eval.Value(must.Get(Eval.Content(u))(t)))(t)
		if fmt.Sprint(got.Queries) != fmt.Sprint(u.Queries) {
			t.Errorf("got queries %v, want %v", got.Queries, u.Queries)
		}
		if fmt.Sprint(got.Pairs) != fmt.Sprint(u.Pairs) {
			t.Errorf("got pairs %v, want %v", got.Pairs, u.Pairs)
		}
	})
}

func TestFeaturesAreReadAsTheyWereWritten(t *testing.T) {
	cache := openCache(t)
	rapid.Check(t, func(t *rapid.T) {
		m := anyMatrix.Draw(t, "matrix")
		must.Do(t, Features.Put(cache, Key("m"), m, 1.5))
		got, _, err := Features.Cached(cache, Key("m"))
		must.Do(t, err)
		if !equalMatrices(got, m) {
			t.Errorf("got %v, want %v", got, m)
		}
	})
}

// A container with a unit of each kind.
func sampleScene() map[string][]byte {
	unit := EvalUnit{
		Queries: []record.Query{{Descriptor: "sift", Scene: "v_a", K: 2, Truth: -1, TruthError: math.Inf(1), NearestDistance: 0.25}},
		Pairs:   []record.Pair{{Descriptor: "sift", Scene: "v_a", K: 2, Width1: 640}},
	}
	eval, err1 := Eval.Content(unit)
	sets, err2 := Sets.Content([]keypoints.Set{{Keypoints: []keypoints.Keypoint{{X: 1.5, Octave: -1, ClassID: 7}}}, {}})
	pool, err3 := Features.Content(&descriptors.Matrix{Rows: 2, Dim: 12, Type: descriptors.Bits, Uint8: []uint8{1, 2, 3, 4}})
	if err := errors.Join(err1, err2, err3); err != nil {
		panic(err)
	}
	return map[string][]byte{"eval/sift/k": eval, "pools/sift/k": pool, "scene/k.json": []byte(`{"name": "v_a"}`), "sets/s/k": sets}
}

func TestAContainerHasItsUnitsAndIsNeverReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "units", "1", "v_a.zip")
	scene := sampleScene()
	must.Do(t, WriteScene(store.Root(filepath.Dir(filepath.Dir(path))), path, scene))
	if err := WriteScene(store.Root(filepath.Dir(path)), path, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("written again: got error %v, want fs.ErrExist", err)
	}
	var listings Listings
	l := must.Get(listings.List(path))(t)
	if want := slices.Sorted(maps.Keys(scene)); !slices.Equal(l.Names, want) || string(l.JSON["scene/k.json"]) != `{"name": "v_a"}` || len(l.JSON) != 1 {
		t.Errorf("got %+v, want %q", l, want)
	}
	if again := must.Get(listings.List(path))(t); again != l {
		t.Error("listed twice: got another listing of the same file")
	}
	longer := filepath.Join(t.TempDir(), "v_a.zip")
	must.Do(t, os.WriteFile(longer, append(must.Get(os.ReadFile(path))(t), 'x'), 0o666))
	if _, err := ReadUnit(&listings, longer, "sets/s/k", Sets); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("with another byte: got error %v, want ErrDamaged", err)
	}
	sets, err1 := Sets.Content(must.Get(ReadUnit(&listings, path, "sets/s/k", Sets))(t))
	eval, err2 := Eval.Content(must.Get(ReadUnit(&listings, path, "eval/sift/k", Eval))(t))
	pool, err3 := Features.Content(must.Get(ReadUnit(&listings, path, "pools/sift/k", Features))(t))
	if err := errors.Join(err1, err2, err3); err != nil || !bytes.Equal(sets, scene["sets/s/k"]) || !bytes.Equal(eval, scene["eval/sift/k"]) || !bytes.Equal(pool, scene["pools/sift/k"]) {
		t.Errorf("units are not read as they were written, %v", err)
	}
}

func TestAContainerOrEntryCutShortOrAlteredIsAlwaysDamaged(t *testing.T) {
	cache := openCache(t)
	must.Do(t, Features.Put(cache, Key("x"), oneRow(1), 1.5))
	scene := filepath.Join(t.TempDir(), "v_a.zip")
	must.Do(t, WriteScene(store.Root(filepath.Dir(scene)), scene, sampleScene()))
	for path, check := range map[string]func() error{
		scene: func() error { return Check(scene) },
		cache.path(Features.kind, Key("x")): func() error {
			_, _, err := Features.Cached(cache, Key("x"))
			return err
		},
	} {
		must.Do(t, check())
		whole := must.Get(os.ReadFile(path))(t)
		must.NoticeEveryByte(t, path, store.ErrDamaged, check)
		must.Do(t, os.WriteFile(path, whole, 0o666))
		for n := len(whole) - 1; n >= 0; n-- {
			must.Do(t, os.Truncate(path, int64(n)))
			if err := check(); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("cut to %d of %d bytes: got error %v, want ErrDamaged", n, len(whole), err)
			}
		}
	}
}

func TestASoundEntryOfAnotherKeyOrKindIsForeign(t *testing.T) {
	c := openCache(t)
	must.Do(t, Features.Put(c, Key("x"), oneRow(1), 1.5))
	entry := must.Get(os.ReadFile(c.path(Features.kind, Key("x"))))(t)
	for _, path := range []string{c.path(Features.kind, Key("y")), c.path(Detections.kind, Key("x"))} {
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Do(t, os.WriteFile(path, entry, 0o666))
	}
	_, _, err1 := Features.Cached(c, Key("y"))
	_, _, err2 := Detections.Cached(c, Key("x"))
	for _, err := range []error{err1, err2} {
		if !errors.Is(err, store.ErrForeign) || errors.Is(err, store.ErrDamaged) {
			t.Errorf("got error %v, want store.ErrForeign alone", err)
		}
	}
}

func TestFaultyContentIsNotWritten(t *testing.T) {
	faulty := keypoints.Set{Keypoints: make([]keypoints.Keypoint, 2), Source: []int32{1}}
	if _, err := Sets.Content([]keypoints.Set{faulty}); err == nil {
		t.Error("sets with too few sources were written")
	}
	for name, m := range map[string]*descriptors.Matrix{
		"too few elements":       {Rows: 2, Dim: 2, Type: descriptors.Uint8, Uint8: make([]uint8, 3)},
		"elements of both types": {Rows: 1, Dim: 1, Type: descriptors.Uint8, Uint8: make([]uint8, 1), Float32: make([]float32, 1)},
		"unit norm of bits":      {Rows: 1, Dim: 8, Type: descriptors.Bits, Uint8: make([]uint8, 1), UnitNorm: true},
		"no dimension":           {Rows: 1, Type: descriptors.Uint8},
		"unknown type":           {Rows: 0, Dim: 1, Type: 9},
	} {
		if _, err := Features.members(m); err == nil {
			t.Errorf("a matrix with %s was accepted", name)
		}
	}
}
