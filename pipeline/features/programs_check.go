package features

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"time"

	"descbench/descriptors"
	"descbench/eval/fact"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/files/matchio"
	"descbench/pipeline/plan"
)

// Results of a program are cached under what it and the config say of it. Checks find what they
// do not say: the first image, or pair of images, that is computed is computed again, at once and, by each
// process, at the end, and so is a sample of the others; one cached image per scene is
// computed again. Matches are not cached, and cached estimates not checked.

// A Repetition computes a result of a program again.
type Repetition[T any] struct {
	Command *config.Command
	Compute func() (T, time.Duration, error) // and the time that it took
	Differs func(was, is T) string           // "" if they are equal

	settings string // that identify results
	of       string // identifies this result
	free     func() // frees what Compute has loaded
}

// isSampled reports whether a result, one of 32, is computed again: always the same ones.
func (r Repetition[T]) isSampled() bool {
	hash := fnv.New32a()
	hash.Write([]byte(r.settings + r.of))
	return hash.Sum32()%32 == 0
}

// unsteady says how the result of a process differs from first, "" if none does. It calls all processes, one
// after the other, while nothing else calls them.
func (r Repetition[T]) unsteady(first T) (differs string, err error) {
	for range r.Command.Instances {
		second, _, err := r.Compute()
		if err != nil {
			return "", err
		}
		if differs = r.Differs(first, second); differs != "" {
			return differs, nil
		}
	}
	return "", nil
}

// Recheck computes again what is stored. If the results differ, it returns an error, or how
// further calls differ, too: the program is not reproducible.
func (r Repetition[T]) Recheck(file string, stored T) (unsteady string, err error) {
	now, _, err := r.Compute()
	if err != nil {
		return "", err
	}
	differs := r.Differs(stored, now)
	if differs == "" {
		return "", nil
	}
	if unsteady, err = r.unsteady(now); err == nil && unsteady == "" {
		return "", plan.Faultf("%s: differs from the cached result (%s): the program has changed, but not its version or the files that the config declares; add what it reads to files, or raise its version", file, differs)
	}
	return unsteady, plan.Fault(err)
}

// computed computes a result, and again if it is the first image of settings, which
// is computed at the end, too, or in the sample.
func (r Repetition[T]) computed(s *Stage) (now T, took time.Duration, err error) {
	if now, took, err = r.Compute(); err == nil {
		err = r.probe(s, now)
	}
	return now, took, err
}

func (r Repetition[T]) probe(s *Stage, now T) error {
	check := func() error {
		if s.unsteady(r.Command.Key) {
			return nil
		}
		differs, err := r.unsteady(now)
		return cmp.Or(err, s.markUnsteady(r.Command.Key, differs))
	}
	_, done := s.programs.told.LoadOrStore("probed "+r.settings, true)
	if !done {
		s.programs.last.Store(r.Command.Key, func() error { defer r.free(); return check() })
	}
	if !done || r.isSampled() {
		return check()
	}
	return nil
}

// checkLast computes the first image of each program again, unless the run was interrupted.
func (s *Stage) checkLast() {
	for key, check := range s.programs.last.Range {
		if s.programs.ctx.Err() != nil {
			break
		}
		if err := check.(func() error)(); err != nil {
			s.opt.Logger().Warn("a program failed when it was called again at the end", "program", key, "reason", err)
		}
	}
	s.programs.last.Clear()
}

// recheck computes image i, whose result is cached, again. It stops the run if the program
// has changed.
func (r Repetition[T]) recheck(w *Scene, i int, cached T) error {
	if w.programs.ctx == nil || w.unsteady(r.Command.Key) {
		return nil
	}
	differs, err := r.Recheck(fmt.Sprintf("%s: %s/%s", r.Command.Key, w.Source.Name, w.Source.Images[i].File), cached)
	return cmp.Or(err, w.markUnsteady(r.Command.Key, differs))
}

// unsteady reports whether a program is known not to be reproducible.
func (s *Stage) unsteady(key string) bool {
	if _, known := s.programs.told.Load("unsteady " + key); known {
		return true
	}
	return slices.ContainsFunc(s.programs.recorded().Notes, func(f fact.Fact) bool { return f.Kind == fact.NotReproducible && f.Part == key })
}

// markUnsteady records that a program is not reproducible, if its results differ.
func (s *Stage) markUnsteady(key, differs string) error {
	if differs == "" {
		return nil
	} else if _, known := s.programs.told.LoadOrStore("unsteady "+key, true); known {
		return nil
	}
	s.opt.Logger().Warn("a program is not reproducible: two calls with the same images differ; environment.json says so, and so does compare", "program", key, "differs", differs)
	return s.Folder.AddNotes(s.programs.ctx, []fact.Fact{fact.New(fact.NotReproducible).Of(key)})
}

// firstDifference says which item of two lists is the first that differs, "" if none does.
func firstDifference(item, items string, was, is int, equal func(i int) bool) string {
	if was != is {
		return fmt.Sprintf("%d %s, was %d", is, items, was)
	}
	for i := range was {
		if !equal(i) {
			return fmt.Sprintf("%s %d, counted from 0, of %d", item, i, was)
		}
	}
	return ""
}

func differentRows(was, is *descriptors.Matrix) string {
	if was.Dim != is.Dim || was.Type != is.Type {
		return fmt.Sprintf("rows of %s, was %s", elements(is), elements(was))
	}
	return firstDifference("row", "rows", was.Rows, is.Rows, func(i int) bool { return was.IsInvalid(i) == is.IsInvalid(i) && sameRow(was, is, i) })
}

func sameRow(a, b *descriptors.Matrix, i int) bool {
	from, to := i*a.Stride(), (i+1)*a.Stride()
	if a.Type != descriptors.Float32 {
		return bytes.Equal(a.Uint8[from:to], b.Uint8[from:to])
	}
	return slices.EqualFunc(a.Float32[from:to], b.Float32[from:to], func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

func differentPoints(was, is keypoints.Set) string {
	return firstDifference("keypoint", "keypoints", was.Len(), is.Len(), func(i int) bool { return was.Keypoints[i] == is.Keypoints[i] })
}

func differentMatches(was, is *matchio.Matches) string {
	return firstDifference("match", "matches", len(was.List), len(is.List), func(i int) bool {
		a, b := was.List[i], is.List[i]
		if math.IsNaN(a.Distance) && math.IsNaN(b.Distance) {
			a.Distance, b.Distance = 0, 0
		}
		return a == b
	})
}
