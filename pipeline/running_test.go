package pipeline

import (
	"maps"
	"testing"

	"descbench/eval/scope"
)

func TestRunningMAPsAreOverTheScenesOfAllBegunDescriptors(t *testing.T) {
	type fractions = map[string]scope.Fraction
	r := newRunningMAPs()
	for i, step := range []struct {
		descriptor, scene string
		ap                scope.Fraction
		scenes            int
		of                fractions
	}{
		{"a", "x", scope.Fraction{Sum: 1, N: 2}, 1, fractions{"a": {Sum: 1, N: 2}}},
		{"a", "y", scope.Fraction{Sum: 3, N: 4}, 2, fractions{"a": {Sum: 4, N: 6}}},
		{"b", "y", scope.Fraction{Sum: 2, N: 4}, 1, fractions{"a": {Sum: 3, N: 4}, "b": {Sum: 2, N: 4}}},
		{"b", "z", scope.Fraction{Sum: 5, N: 8}, 1, fractions{"a": {Sum: 3, N: 4}, "b": {Sum: 2, N: 4}}},
		{"b", "x", scope.Fraction{Sum: 0, N: 2}, 2, fractions{"a": {Sum: 4, N: 6}, "b": {Sum: 2, N: 6}}},
		{"c", "w", scope.Fraction{Sum: 1, N: 1}, 0, fractions{}},
		{"c", "x", scope.Fraction{}, 1, fractions{"a": {Sum: 1, N: 2}, "b": {Sum: 0, N: 2}, "c": {}}},
	} {
		if r.add(step.descriptor, step.scene, step.ap); r.scenes != step.scenes || !maps.Equal(r.of, step.of) {
			t.Errorf("step %d: %d scenes, %v, want %d, %v", i, r.scenes, r.of, step.scenes, step.of)
		}
	}
}
