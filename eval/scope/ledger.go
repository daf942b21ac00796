package scope

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Ledger holds the tallies of one descriptor: of each image pair, or of each
// scene. What it yields depends on the set of tallies alone, not on the order in
// which they were entered. It may be used by one goroutine at a time.
type Ledger[T any] struct {
	Descriptor string
	scenes     map[string][]Part[T] // by K
	failed     map[string][]string  // reasons by scene, sorted, each once
}

// NewLedger returns a ledger without tallies.
func NewLedger[T any](descriptor string) *Ledger[T] {
	return &Ledger[T]{descriptor, make(map[string][]Part[T]), make(map[string][]string)}
}

// Enter enters the tally of the pair (image 1, image k) of a scene, or of the
// whole scene if k is 0. It fails if the tally is of another descriptor, if the
// scene has no name, if it was entered before, or if agrees, which is given each
// tally of the scene, does; agrees may be nil.
func (l *Ledger[T]) Enter(descriptor, scene string, k int, tally T, agrees func(Part[T]) error) error {
	parts := l.scenes[scene]
	at, twice := slices.BinarySearchFunc(parts, k, func(p Part[T], k int) int { return cmp.Compare(p.K, k) })
	switch {
	case scene == "":
		return Errorf(l.Descriptor, scene, k, "a scene without a name")
	case descriptor != l.Descriptor:
		return Errorf(l.Descriptor, scene, k, "records of descriptor %q", descriptor)
	case twice:
		return Errorf(l.Descriptor, scene, k, "added twice")
	}
	for _, p := range parts {
		if agrees == nil {
			break
		}
		if err := agrees(p); err != nil {
			return Errorf(l.Descriptor, scene, k, "%w", err)
		}
	}
	l.scenes[scene] = slices.Insert(parts, at, Part[T]{k, tally})
	return nil
}

// Fail records that a scene could not be evaluated. Its tallies, entered before
// or later, then count nowhere.
func (l *Ledger[T]) Fail(scene, reason string) {
	reasons := l.failed[scene]
	if i, found := slices.BinarySearch(reasons, reason); !found {
		l.failed[scene] = slices.Insert(reasons, i, reason)
	}
}

// Failed returns the reasons of each failed scene.
func (l *Ledger[T]) Failed() map[string]string {
	out := make(map[string]string, len(l.failed))
	for scene, reasons := range l.failed {
		out[scene] = strings.Join(reasons, "; ")
	}
	return out
}

// Scenes returns the scenes that did not fail, by name: the order of all sums.
func (l *Ledger[T]) Scenes() []Scene[T] {
	var out []Scene[T]
	for _, name := range slices.Sorted(maps.Keys(l.scenes)) {
		if _, failed := l.failed[name]; !failed {
			out = append(out, Scene[T]{name, l.scenes[name]})
		}
	}
	return out
}

// Errorf returns an error that names a descriptor, a scene and, unless k is 0,
// the pair (image 1, image k).
func Errorf(descriptor, scene string, k int, format string, args ...any) error {
	if k != 0 {
		scene = fmt.Sprintf("%s/1_%d", scene, k)
	}
	return fmt.Errorf("%s: %s: %w", descriptor, scene, fmt.Errorf(format, args...))
}
