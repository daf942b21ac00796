package store

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func claim(t *testing.T, path string, ttl time.Duration, want bool) (release func()) {
	t.Helper()
	release, ok, err := Claim(path, ttl)
	if err != nil || ok != want {
		t.Fatalf("got %v, %v; want %v", ok, err, want)
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
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	claim(t, path, 3*time.Hour, false)
	release := claim(t, path, time.Hour, true)
	former()
	claim(t, path, time.Hour, false)
	release()
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("after release: %v, want no file", err)
	}
}

func TestOfManyAtOnceOneGetsTheClaim(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v_a.claim")
	var got atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if _, ok, err := Claim(path, time.Hour); err != nil {
				t.Error(err)
			} else if ok {
				got.Add(1)
			}
		})
	}
	wg.Wait()
	if got.Load() != 1 {
		t.Errorf("%d claims, want 1", got.Load())
	}
}

func TestAClaimThatCannotBeMadeIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	writeText(t, file, "")
	release, ok, err := Claim(filepath.Join(file, "below"), time.Hour)
	if err == nil || ok {
		t.Errorf("got %v, %v; want an error", ok, err)
	}
	release()
}

func TestTheClaimOfAProcessThatIsNoMoreIsTakenOverAtOnce(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Skipf("no process to end: %v", err)
	}
	path := filepath.Join(t.TempDir(), "v_a.claim")
	for _, c := range []struct {
		holder string
		want   bool
	}{
		{fmt.Sprintf("%s %d TOKEN\n", host, gone.Process.Pid), true},
		{fmt.Sprintf("another-%s %d TOKEN\n", host, gone.Process.Pid), false},
		{fmt.Sprintf("%s %d TOKEN\n", host, os.Getpid()), false},
		{"unreadable\n", false},
	} {
		if err := os.WriteFile(path, []byte(c.holder), 0o666); err != nil {
			t.Fatal(err)
		}
		claim(t, path, time.Hour, c.want)
	}
}
