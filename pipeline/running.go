package pipeline

import "descbench/eval/scope"

// runningMAPs are the micro mAPs of the descriptors so far. Some descriptors are ahead
// of others: they are compared on the scenes for which every descriptor that has begun
// has a unit.
type runningMAPs struct {
	scenes int                       // so compared
	of     map[string]scope.Fraction // mAP over these scenes by descriptor

	units map[string]map[string]scope.Fraction // mAP by scene and descriptor
	begun map[string]bool                      // descriptors with a unit
}

func newRunningMAPs() runningMAPs {
	return runningMAPs{of: make(map[string]scope.Fraction), units: make(map[string]map[string]scope.Fraction), begun: make(map[string]bool)}
}

// add adds the mAP of a unit, once.
func (r *runningMAPs) add(descriptor, scene string, ap scope.Fraction) {
	if r.units[scene] == nil {
		r.units[scene] = make(map[string]scope.Fraction)
	}
	r.units[scene][descriptor] = ap
	if r.begun[descriptor] {
		r.compare(scene)
		return
	}
	r.begun[descriptor] = true
	r.scenes = 0
	clear(r.of)
	for scene := range r.units {
		r.compare(scene)
	}
}

// compare includes a scene if every descriptor that has begun has a unit of it.
func (r *runningMAPs) compare(scene string) {
	if len(r.units[scene]) < len(r.begun) {
		return
	}
	r.scenes++
	for descriptor, ap := range r.units[scene] {
		sum := r.of[descriptor]
		r.of[descriptor] = scope.Fraction{Sum: sum.Sum + ap.Sum, N: sum.N + ap.N}
	}
}
