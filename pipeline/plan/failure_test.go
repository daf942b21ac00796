package plan

import (
	"errors"
	"os"
	"testing"

	"descbench/eval/must"
)

func TestAFailureCountsOnlyWhileTheUnitIsMissing(t *testing.T) {
	p := planOf(t, t.TempDir(), "mean", "v_a", "v_b")
	f := prepare(t, p, Options{})
	check := func(state string, wantFailed, wantAll bool) {
		t.Helper()
		reason, failed, err := f.Failed("sift", "v_a")
		if err != nil || failed != wantFailed || failed && reason != "no memory" {
			t.Errorf("%s: got %q, %v, %v; want failed: %v", state, reason, failed, err, wantFailed)
		}
		if all := f.AllFailed(p, "v_a"); all != wantAll {
			t.Errorf("%s: all failed: %v, want %v", state, all, wantAll)
		}
	}
	fail := func(descriptor string) {
		t.Helper()
		must.Do(t, f.Fail(descriptor, "v_a", errors.New("no memory")))
	}
	check("new", false, false)
	fail("sift")
	check("failed", true, false)
	fail("root")
	check("failed for both", true, true)
	write(t, f.Eval("sift", "v_a"), "a unit")
	check("computed later", false, false)
	must.Do(t, f.ForgetFailure("sift", "v_a"))
	if err := f.ForgetFailure("sift", "v_a"); err != nil {
		t.Errorf("forgotten twice: %v", err)
	}
	fail("sift") // another process could not compute it
	must.Do(t, os.Remove(f.Eval("sift", "v_a")))
	check("not recorded while the unit exists", false, false)
}
