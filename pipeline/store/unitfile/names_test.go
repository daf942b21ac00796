package unitfile

import (
	"errors"
	"path/filepath"
	"testing"

	"descbench/eval/must"
	"descbench/eval/record"
	"descbench/pipeline/store"
)

// Whoever writes a unit can write the checksum and the identity that fit.
func TestForgedNamesInUnitsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v_a.zip")
	for _, name := range []string{"../../v", "/etc/v", "a\nb", ""} {
		for _, p := range []record.Pair{{Descriptor: "d", Scene: name, K: 2}, {Descriptor: name, Scene: "v", K: 2}} {
			must.Do(t, WriteEval(unitAt(path), EvalUnit{Pairs: []record.Pair{p}}))
			if _, err := ReadEval(unitAt(path)); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("descriptor %q, scene %q: got %v, want a damaged file", p.Descriptor, p.Scene, err)
			}
		}
	}
}
