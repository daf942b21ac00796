package unitfile

import (
	"testing"

	"descbench/eval/must"
	"descbench/eval/record"
)

// Whoever writes a unit can write the checksum and the identity that fit.
func TestForgedNamesInUnitsAreRefused(t *testing.T) {
	for _, name := range []string{"../../v", "/etc/v", "a\nb", ""} {
		for _, p := range []record.Pair{{Descriptor: "d", Scene: name, K: 2}, {Descriptor: name, Scene: "v", K: 2}} {
			if unit, err := Eval.Value(must.Get(Eval.Content(EvalUnit{Pairs: []record.Pair{p}}))(t)); err == nil {
				t.Errorf("descriptor %q, scene %q: got %v, want an error", p.Descriptor, p.Scene, unit)
			}
		}
	}
}
