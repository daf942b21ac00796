package plan

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

func TestAFailureCountsOnlyWhileTheUnitIsMissing(t *testing.T) {
	p := planOf(t, t.TempDir(), "mean", "v_a", "v_b")
	units := must.Get(prepare(t, p, Options{}).Units(p))(t)
	v := units.Scene(SceneRecord{Name: "v_a", Digest: "d"})
	check := func(state string, wantFailed, wantAll bool) {
		t.Helper()
		must.Do(t, v.Write())
		reason, failed := units.Failed("sift", "v_a")
		if failed != wantFailed || failed && reason != "no memory" {
			t.Errorf("%s: got %q, %v; want failed: %v", state, reason, failed, wantFailed)
		}
		if all := units.AllFailed("v_a"); all != wantAll {
			t.Errorf("%s: all failed: %v, want %v", state, all, wantAll)
		}
	}
	fail := func(descriptor string) {
		t.Helper()
		must.Do(t, v.Fail(descriptor, errors.New("no memory")))
	}
	check("new", false, false)
	fail("sift")
	check("failed", true, false)
	fail("root")
	check("failed for both", true, true)
	must.Do(t, Put(v, v.Eval("sift"), unitfile.Eval, unitfile.EvalUnit{}))
	check("computed later", false, false)
	v.Record.Digest = "changed"
	check("other data, of which there is no unit", true, true)
}

// Whoever writes a container can write names that fit.
func TestARecordOfAnotherNameOrWithoutADigestDoesNoHarm(t *testing.T) {
	for i, record := range []string{`{"name": "../../v_b"}`, `{"name": "v_a"}`, `[]`} {
		p := planOf(t, t.TempDir(), "mean", "v_a")
		f := prepare(t, p, Options{})
		units := must.Get(f.Units(p))(t)
		must.Do(t, unitfile.WriteScene(f.root(), f.container(1, "v_a"), map[string][]byte{units.recordOf("v_a"): []byte(record)}))
		if _, err := units.Record("v_a"); (err == nil) != (i == 1) {
			t.Errorf("%s: got error %v", record, err)
		}
		if units.Has(units.Eval("sift"), "v_a") || units.Scene(SceneRecord{Name: "v_a"}).Has(units.Eval("sift")) {
			t.Errorf("%s: has records", record)
		}
	}
}

// A damaged newer container may have the record of other images, whose units then are those that count.
func TestUnitsOfFormerDataDoNotPassForThoseOfDamagedNewerData(t *testing.T) {
	p := planOf(t, t.TempDir(), "mean", "v_a")
	units := must.Get(prepare(t, p, Options{}).Units(p))(t)
	for _, digest := range []string{"former", "newer"} {
		v := units.Scene(SceneRecord{Name: "v_a", Digest: digest})
		for _, d := range p.Config.Descriptors {
			must.Do(t, Put(v, v.Eval(d.Name), unitfile.Eval, unitfile.EvalUnit{}))
		}
		must.Do(t, v.Write())
		if err := units.Evaluated(); err != nil {
			t.Errorf("%s: %v", digest, err)
		}
	}
	path := units.container(2, "v_a")
	content := must.Get(os.ReadFile(path))(t)
	must.Do(t, os.WriteFile(path, bytes.ReplaceAll(content, []byte("scene/"), []byte("scenf/")), 0o666)) // the name of its record
	if err := units.Evaluated(); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v, want an error about %s", err, path)
	}
}

func TestWhatIsReadOfSeveralScenesIsOfTheSameData(t *testing.T) {
	p := planOf(t, t.TempDir(), "mean", "v_a", "v_b")
	units := must.Get(prepare(t, p, Options{}).Units(p))(t)
	write := func(scene, digest string) {
		t.Helper()
		v := units.Scene(SceneRecord{Name: scene, Digest: digest})
		must.Do(t, Put(v, v.Eval("sift"), unitfile.Eval, unitfile.EvalUnit{}))
		must.Do(t, v.Write())
	}
	write("v_a", "a")
	write("v_b", "b")
	same := units.SameData()
	if err := same(); err != nil {
		t.Error(err)
	}
	write("v_b", "other")
	if err := same(); err == nil {
		t.Error("v_b is of other data: no error")
	}
}
