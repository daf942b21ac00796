package tasks

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"descbench/eval"
)

// A ledger holds what an accumulator knows of each scene of one descriptor.
type ledger[S any] struct {
	task       string
	descriptor string
	scenes     map[string]S
	failed     map[string]bool
}

func newLedger[S any](task, descriptor string) ledger[S] {
	return ledger[S]{task, descriptor, make(map[string]S), make(map[string]bool)}
}

func (l *ledger[S]) errorf(scene, format string, args ...any) error {
	return fmt.Errorf("%s: %s: %s: %w", l.task, l.descriptor, scene, fmt.Errorf(format, args...))
}

// admit fails if a scene with records of a descriptor cannot stand beside those
// that are there.
func (l *ledger[S]) admit(descriptor, scene string) error {
	if scene == "" {
		return l.errorf(scene, "a scene without a name")
	}
	if descriptor != l.descriptor {
		return l.errorf(scene, "records of descriptor %q", descriptor)
	}
	if _, there := l.scenes[scene]; there {
		return l.errorf(scene, "added twice")
	}
	return nil
}

func (l *ledger[S]) merge(b *ledger[S]) error {
	for _, scene := range slices.Sorted(maps.Keys(b.scenes)) {
		if err := l.admit(b.descriptor, scene); err != nil {
			return err
		}
	}
	maps.Copy(l.scenes, b.scenes)
	maps.Copy(l.failed, b.failed)
	return nil
}

// evaluated returns the names of the scenes that did not fail, in the order of
// all sums.
func (l *ledger[S]) evaluated() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(l.scenes)), func(s string) bool { return l.failed[s] })
}

// incomplete warns of scenes that failed.
func (l *ledger[S]) incomplete() []eval.Warning {
	if len(l.failed) == 0 {
		return nil
	}
	return []eval.Warning{{Kind: "task-incomplete", Text: fmt.Sprintf(
		"%s is incomplete: scenes that failed are left out of every figure and give no distractors: %s",
		l.task, strings.Join(slices.Sorted(maps.Keys(l.failed)), ", "))}}
}

// listed joins at most five texts.
func listed(texts []string) string {
	const most = 5
	if len(texts) <= most {
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(texts[:most], ", "), len(texts)-most)
}
