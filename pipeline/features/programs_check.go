package features

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/matchio"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

// Results of a program are cached under what it and the config say of it. Two checks
// find what they do not say: the first image, or pair of images, that a process computes is
// computed again by each process, and one cached image per scene is computed again. Matches are not cached.

// A repetition computes the result of a program for an image again.
type repetition[T any] struct {
	key      string // of the program in the config
	settings string // that identify results
	program  *config.Command
	compute  func(on int) (T, error) // by a process, as in call
	differs  func(was, is T) string  // "" if they are equal
}

// probe computes the first image of settings again.
func (r repetition[T]) probe(s *Stage, first T) error {
	if _, done := s.programs.told.LoadOrStore("probed "+r.settings, true); done || s.unsteady(r.key) {
		return nil
	}
	_, err := r.steady(s, first)
	return err
}

// steady reports whether each process of the program computes the same as first, and
// records a difference.
func (r repetition[T]) steady(s *Stage, first T) (bool, error) {
	for on := range r.program.Instances {
		second, err := r.compute(on + 1)
		if err != nil {
			return false, err
		}
		if differs := r.differs(first, second); differs != "" {
			return false, s.markUnsteady(r.key, differs)
		}
	}
	return true, nil
}

// recheck computes image i, whose result is cached, again. It stops the run if the program
// has changed, and warns if it fails.
func (r repetition[T]) recheck(w *Scene, i int, cached T) error {
	if w.programs.ctx == nil || w.unsteady(r.key) {
		return nil
	}
	first, err := r.compute(0)
	if err != nil {
		if stopped := w.programs.ctx.Err(); stopped != nil || errors.As(err, new(*plan.DataError)) {
			return cmp.Or(stopped, err)
		}
		if _, told := w.programs.told.LoadOrStore("unchecked "+r.key, true); !told {
			w.opt.Logger().Warn("cached results of a program are used unchecked: it failed when it was called again", "program", r.key, "reason", err)
			return w.mark(r.key, func(p *plan.Program) { p.Unchecked = true })
		}
		return nil
	}
	differs := r.differs(cached, first)
	if differs == "" {
		return nil
	}
	if steady, err := r.steady(w.Stage, first); err != nil || !steady {
		return err
	}
	return plan.Faultf("%s: %s/%s: differs from the cached result (%s): the program has changed, but not its version or the files that the config declares; add what it reads to files, or raise its version",
		r.key, w.Source.Name, w.Source.Images[i].File, differs)
}

// unsteady reports whether a program is known not to be reproducible.
func (s *Stage) unsteady(key string) bool {
	if _, known := s.programs.told.Load("unsteady " + key); known {
		return true
	}
	recorded, err := s.programs.recorded()
	return err == nil && recorded[key].NotReproducible
}

// markUnsteady records that a program is not reproducible.
func (s *Stage) markUnsteady(key, differs string) error {
	if _, known := s.programs.told.LoadOrStore("unsteady "+key, true); known {
		return nil
	}
	s.opt.Logger().Warn("a program is not reproducible: two calls with the same images differ; environment.json says so, and so does compare", "program", key, "differs", differs)
	return s.mark(key, func(p *plan.Program) { p.NotReproducible = true })
}

// mark records what was found out about a program.
func (s *Stage) mark(key string, as func(p *plan.Program)) error {
	err := s.Folder.MarkProgram(s.programs.ctx, key, as)
	if errors.Is(err, fs.ErrNotExist) { // keypoints of a config, without a run
		return nil
	}
	return err
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
	n := a.Stride()
	if a.Type != descriptors.Float32 {
		return bytes.Equal(a.Uint8[i*n:(i+1)*n], b.Uint8[i*n:(i+1)*n])
	}
	for j := i * n; j < (i+1)*n; j++ {
		if math.Float32bits(a.Float32[j]) != math.Float32bits(b.Float32[j]) {
			return false
		}
	}
	return true
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
