package store

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"descbench/eval/must"
)

func claim(t *testing.T, path string, ttl time.Duration, want bool) (release func()) {
	t.Helper()
	release, by, err := Root(filepath.Dir(path)).Claim(path, ttl)
	if err != nil || (by == nil) != want {
		t.Fatalf("got %v, %v; want a claim: %v", by, err, want)
	}
	return release
}

func TestWorkIsClaimedByOneUntilItIsReleased(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v_a.claim")
	release := claim(t, path, time.Hour, true)
	claim(t, path, time.Hour, false)() // releasing what was not got is harmless
	claim(t, path, time.Hour, false)
	release()
	claim(t, path, time.Hour, true)
}

func TestAnExpiredClaimIsTakenOverAndNotReleasedByItsFormerHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v_a.claim")
	former := claim(t, path, time.Hour, true)
	old := time.Now().Add(-2 * time.Hour)
	must.Do(t, os.Chtimes(path, old, old))
	claim(t, path, 3*time.Hour, false)
	release := claim(t, path, time.Hour, true)
	former()
	claim(t, path, time.Hour, false)
	release()
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("after release: %v, want no file", err)
	}
}

func TestTheFolderOfClaimsIsRemovedWithTheLast(t *testing.T) {
	run := Root(t.TempDir())
	dir := filepath.Join(string(run), ".claims")
	release, _, err1 := run.Claim(filepath.Join(dir, "v_a"), time.Hour)
	last, _, err2 := run.Claim(filepath.Join(dir, "v_b"), time.Hour)
	must.Do(t, errors.Join(err1, err2))
	release()
	if left := must.Get(filepath.Glob(filepath.Join(dir, "*")))(t); len(left) != 1 || filepath.Base(left[0]) != "v_b" {
		t.Errorf("left: %q, want v_b", left)
	}
	last()
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("got %v, want no folder", err)
	}
}

func TestClaimsThatNobodyHoldsAreRemoved(t *testing.T) {
	run := Root(t.TempDir())
	dir := filepath.Join(string(run), ".claims")
	for _, name := range []string{"v_a", "v_b"} { // released, but could not be removed
		claim(t, filepath.Join(dir, name), time.Hour, true)
		must.Do(t, os.Chtimes(filepath.Join(dir, name), time.Unix(0, 0), time.Unix(0, 0)))
	}
	release := claim(t, filepath.Join(dir, "v_c"), time.Hour, true)
	defer release()
	run.RemoveClaims(dir, time.Hour)
	if left := must.Get(filepath.Glob(filepath.Join(dir, "*")))(t); len(left) != 1 || filepath.Base(left[0]) != "v_c" {
		t.Errorf("left: %q, want v_c", left)
	}
}

func TestAClaimThatCannotBeMadeIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	writeText(t, file, "")
	release, by, err := Root(file).Claim(filepath.Join(file, "below"), time.Hour)
	if err == nil || by != nil {
		t.Errorf("got %v, %v; want an error", by, err)
	}
	release()
}

// A claim's text is: host/boot/namespace, process, its start, time, random.
func TestTheClaimOfAProcessThatIsNoMoreIsTakenOverAtOnce(t *testing.T) {
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Skipf("no process to end: %v", err)
	}
	me := must.Get(thisProcess())(t)
	path := filepath.Join(t.TempDir(), "v_a.claim")
	ended, restarted := process{me.place, gone.Process.Pid, "17"}, process{me.place, me.pid, "17"}
	for name, c := range map[string]struct {
		holder process
		want   bool
	}{
		"ended":                              {ended, true},
		"ended, on another machine":          {process{"another-" + me.place, ended.pid, "17"}, false},
		"running":                            {me, false},
		"running, its start unknown":         {process{me.place, me.pid, "-"}, false},
		"ended, its id is used by a new one": {restarted, me.start != "-"},
	} {
		t.Run(name, func(t *testing.T) {
			must.Do(t, os.WriteFile(path, fmt.Appendf(nil, "%s 1700000000 RANDOM\n", c.holder), 0o666))
			claim(t, path, time.Hour, c.want)()
			_ = os.Remove(path)
		})
	}
}

func TestAClaimFromTheFutureOrWithoutAHolderIsTakenOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v_a.claim")
	me := must.Get(thisProcess())(t)
	held := fmt.Sprintf("%s 1700000000 RANDOM\n", me)
	for _, c := range []struct {
		text string
		age  time.Duration
		want bool
	}{
		{held, 59 * time.Minute, false},
		{held, 61 * time.Minute, true},
		{held, -30 * time.Second, false}, // a clock that is a little ahead
		{held, -2 * time.Minute, true},
		{held, -1000 * time.Hour, true},
		{"", 0, true}, // a claim appears with its text
		{held[:len(held)-9], 0, true},
		{"another text\n", 0, true},
		{strings.Repeat("x", 1<<20), 59 * time.Minute, false}, // not ours, and not read
		{strings.Repeat("x", 1<<20), 61 * time.Minute, true},
	} {
		must.Do(t, os.WriteFile(path, []byte(c.text), 0o666))
		at := time.Now().Add(-c.age)
		must.Do(t, os.Chtimes(path, at, at))
		_, by, err := Root(filepath.Dir(path)).Claim(path, time.Hour)
		if err != nil || (by == nil) != c.want {
			t.Errorf("%q, %v old: got %v, %v; want it taken over: %v", c.text, c.age, by, err, c.want)
		}
		_ = os.Remove(path)
	}
}

func TestAHolderIsNamedWithItsTimes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "v_a.claim")
	begun := time.Now().Add(-time.Second)
	defer claim(t, path, time.Hour, true)()
	held, err := Holders(dir, time.Hour)
	if err != nil || len(held) != 1 {
		t.Fatalf("got %v, %v; want one holder", held, err)
	}
	host, err := os.Hostname()
	me, err2 := user.Current()
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if got, want := held[0].Process, fmt.Sprintf("process %d of %s on %s", os.Getpid(), me.Username, host); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if h := held[0]; h.Since.Before(begun.Truncate(time.Second)) || h.Until.Sub(h.Since) < time.Hour || h.Until.Sub(h.Since) > time.Hour+time.Minute {
		t.Errorf("since %v until %v, want an hour from %v", h.Since, h.Until, begun)
	}
	if held, err := Holders(filepath.Join(dir, "nowhere"), time.Hour); err != nil || len(held) > 0 {
		t.Errorf("got %v, %v; want nobody", held, err)
	}
}

func TestAClaimIsRenewedUntilItIsReleased(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v_a.claim")
	release := claim(t, path, 4*time.Millisecond, true)
	old := time.Now().Add(-time.Hour)
	for range 3 {
		must.Do(t, os.Chtimes(path, old, old))
		for deadline := time.Now().Add(time.Minute); ; {
			info := must.Get(os.Stat(path))(t)
			if info.ModTime().After(old.Add(time.Minute)) {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("the claim was not renewed within a minute")
			}
		}
	}
	release()
	release()
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("after release: %v, want no file", err)
	}
}

func TestAFolderOfClaimsThatOthersRemoveIsCreatedAgain(t *testing.T) {
	run := Root(t.TempDir())
	dir := filepath.Join(string(run), ".claims")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 100 {
				release, by, err := run.Claim(filepath.Join(dir, fmt.Sprint(i)), time.Hour)
				if err != nil || by != nil {
					t.Errorf("got %v, %v; want a claim", by, err)
				}
				release()
			}
		})
	}
	wg.Wait()
}
