package scope

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// A Ledger holds the tallies of one descriptor, one per image pair or per scene.
// Its contents do not depend on the order in which tallies were entered. It is not
// safe for concurrent use.
type Ledger[T any] struct {
	Descriptor string
	scenes     map[string][]Part[T] // sorted by K
}

// NewLedger returns a ledger without tallies.
func NewLedger[T any](descriptor string) *Ledger[T] {
	return &Ledger[T]{descriptor, make(map[string][]Part[T])}
}

// Enter enters the tally of the pair (image 1, image k) of a scene, or of the
// whole scene if k is 0. It fails if the tally belongs to another descriptor, if
// the scene has no name, or if the tally was entered before.
func (l *Ledger[T]) Enter(descriptor, scene string, k int, tally T) error {
	parts := l.scenes[scene]
	at, twice := slices.BinarySearchFunc(parts, k, func(p Part[T], k int) int { return cmp.Compare(p.K, k) })
	switch {
	case scene == "":
		return Errorf(l.Descriptor, scene, k, "the scene has no name")
	case descriptor != l.Descriptor:
		return Errorf(l.Descriptor, scene, k, "records of descriptor %q", descriptor)
	case twice:
		return Errorf(l.Descriptor, scene, k, "added twice")
	}
	l.scenes[scene] = slices.Insert(parts, at, Part[T]{k, tally})
	return nil
}

// Scenes returns the scenes, sorted by name. All sums use this order.
func (l *Ledger[T]) Scenes() []Scene[T] {
	var out []Scene[T]
	for _, name := range slices.Sorted(maps.Keys(l.scenes)) {
		out = append(out, Scene[T]{name, l.scenes[name]})
	}
	return out
}

// Errorf returns an error that names a descriptor, a scene and, unless k is 0,
// the pair (image 1, image k).
func Errorf(descriptor, scene string, k int, format string, args ...any) error {
	if k != 0 {
		scene = PairLabel(scene, k)
	}
	return fmt.Errorf("%s: %s: %w", descriptor, scene, fmt.Errorf(format, args...))
}
