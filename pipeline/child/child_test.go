package child_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"descbench/eval/must"
	"descbench/pipeline/child"
	"descbench/pipeline/files/npz"
)

// python is the interpreter of testdata/child.py: the system's, because wrappers of it
// take long to start.
var python = sync.OnceValue(func() string {
	if path, err := exec.LookPath("/usr/bin/python3"); err == nil {
		return path
	}
	return "python3"
})

// pool returns a pool of children that note their process numbers in a file.
func pool(t *testing.T, ctx context.Context, mode string, instances int, timeout time.Duration) (p *child.Pool, notes string) {
	t.Helper()
	notes = filepath.Join(t.TempDir(), "started")
	p = child.New(ctx, child.Command{Argv: []string{python(), "testdata/child.py", mode, notes}, Timeout: timeout, Instances: instances})
	t.Cleanup(func() { p.Close() })
	return p, notes
}

// request asks for the rows of keypoints at (1, 0) and (0, 1) in an image of 2×2 px.
func request() child.Request {
	return child.Request{Operation: "describe", Function: "pixels", Fields: map[string]any{"scene": "s"}, Most: 1 << 20, Arrays: []child.Array{
		{Name: "image", Array: npz.Of([]uint8{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 2, 2, 3)},
		{Name: "keypoints", Array: npz.Of([]float32{1, 0, 20, -1, 0, 1, 30, -1}, 2, 4)},
	}}
}

func wantRows(t *testing.T, arrays []npz.Member) {
	t.Helper()
	archive := must.Get(npz.FromArrays(arrays...))(t)
	array := must.Get(archive.Array("descriptors"))(t)
	rows, err := npz.Elements[float32](array, 2)
	if want := "[4 5 6 20 7 8 9 30]"; err != nil || fmt.Sprint(rows) != want || array.ShapeString() != "(2, 4)" {
		t.Errorf("got %v of shape %s, error %v, want %s of shape (2, 4)", rows, array.ShapeString(), err, want)
	}
}

// alive returns the processes in the notes that still run.
func alive(t *testing.T, notes string) (running, all []int) {
	t.Helper()
	b := must.Get(os.ReadFile(notes))(t)
	for _, word := range strings.Fields(string(b)) {
		var pid int
		must.Get(fmt.Sscan(word, &pid))(t)
		if all = append(all, pid); syscall.Kill(pid, 0) == nil {
			running = append(running, pid)
		}
	}
	return running, all
}

func TestAChildAnswersManyCallsAndEndsWithThePool(t *testing.T) {
	p, notes := pool(t, t.Context(), "megabytes", 1, time.Minute)
	hello := must.Get(p.Hello())(t)
	if f, err := hello.Find("describe", ""); err != nil || f.String() != "describe pixels 3" {
		t.Errorf("got %v, error %v", f, err)
	}
	for range 3 {
		arrays, took, err := p.Call(request())
		if err != nil || took <= 0 {
			t.Fatalf("took %v, error %v", took, err)
		}
		wantRows(t, arrays)
	}
	p.Close()
	if running, all := alive(t, notes); len(running) > 0 || len(all) != 1 {
		t.Errorf("started %v, running %v, want one that has ended", all, running)
	}
}

// The first call of a process takes half a second.
func TestTheFirstCallIsNotTimed(t *testing.T) {
	p, _ := pool(t, t.Context(), "cold", 1, time.Minute)
	_, took, err := p.Call(request())
	if err != nil || took > 400*time.Millisecond {
		t.Errorf("took %v, error %v, want less than 0.4 s", took, err)
	}
}

func TestAMissingFunctionNamesThoseThatAreServed(t *testing.T) {
	p, _ := pool(t, t.Context(), "good", 1, time.Minute)
	hello := must.Get(p.Hello())(t)
	for _, c := range [][3]string{
		{"detect", "", "does not serve detect, but describe pixels, patches patches, match corners, estimate moves"},
		{"describe", "other", "does not serve describe other, but describe pixels, patches patches, match corners, estimate moves"},
	} {
		_, err := hello.Find(c[0], c[1])
		must.Fail(t, err, c[2])
	}
	hello.Functions = []child.Function{{Operation: "patches", Name: "mine"}}
	want := "serves operation patches (function mine), not describe; set operation=patches"
	_, err := hello.Find("describe", "")
	must.Fail(t, err, want)
}

// Every fault is one line; what broke is called twice.
func TestFaultsSayWhatHappened(t *testing.T) {
	command := python() + " testdata/child.py "
	for mode, c := range map[string]struct {
		want   string
		starts bool // the fault comes from the start
		calls  int  // processes started
	}{
		"exit":     {"did not start: it ended (exit status 3) instead of replying; last lines of its stderr: loading weights | no weights.pth", true, 0},
		"unserved": {"did not start: it ended (exit status 0; it must answer calls until its input ends, in Python by descbench.serve()) instead of replying; last lines of its stderr: loading weights", true, 0},
		"closes":   {"did not start: it closed its standard input or output; last lines of its stderr: loading weights", true, 0},
		"prints":   {`did not start: its standard output has "Loading weights from the hub", want a frame of the protocol: print to standard error instead; last lines of its stderr: loading weights`, true, 0},
		"version":  {"did not start: it speaks version 7 of the protocol, want 1; write descbench.py anew with descbench bridge python; last lines of its stderr: loading weights", true, 1},
		"die":      {"describe, tried twice: it ended (exit status 5) instead of replying; last lines of its stderr: loading weights | CUDA error", false, 2},
		"killed":   {"describe, tried twice: it ended (killed, perhaps because memory ran out) instead of replying; last lines of its stderr: loading weights", false, 2},
		"hang":     {"describe, tried twice: no reply within 300ms (key timeout); last lines of its stderr: loading weights | waiting for the GPU", false, 2},
		"ignores":  {"describe, tried twice: no reply within 300ms (key timeout); last lines of its stderr: loading weights | waiting for the GPU", false, 2},
		"id":       {"describe, tried twice: found a reply to call 99, want one to call 2; last lines of its stderr: loading weights", false, 2},
		"huge":     {`describe, tried twice: array "descriptors": 4294967295 bytes, want at most 1048576 in this reply; last lines of its stderr: loading weights`, false, 2},
		"error":    {"ValueError: no such layer", false, 1},
	} {
		t.Run(mode, func(t *testing.T) {
			p, notes := pool(t, t.Context(), mode, 1, 300*time.Millisecond)
			_, _, err := p.Call(request())
			if err == nil || !strings.HasPrefix(err.Error(), command+mode+" ") || !strings.HasSuffix(err.Error(), ": "+c.want) {
				t.Errorf("got\n%v\nwant %s%s ...: %s", err, command, mode, c.want)
			}
			if start := (*child.StartError)(nil); errors.As(err, &start) != c.starts {
				t.Errorf("%T is a StartError: %v, want %v", err, !c.starts, c.starts)
			}
			p.Close()
			if c.calls == 0 {
				return
			}
			if running, all := alive(t, notes); len(running) > 0 || len(all) != c.calls {
				t.Errorf("started %v, running %v, want %d that have ended", all, running, c.calls)
			}
		})
	}
}

// The limit is the longer one of the key timeout and the least one for a start.
func TestAProgramThatHangsAtItsStartIsToldTheLimitOfAStart(t *testing.T) {
	child.SetStartTime(300 * time.Millisecond)
	t.Cleanup(func() { child.SetStartTime(2 * time.Minute) })
	for timeout, limit := range map[time.Duration]string{time.Millisecond: "300ms", 400 * time.Millisecond: "400ms"} {
		p, _ := pool(t, t.Context(), "stalls", 1, timeout)
		_, err := p.Hello()
		must.FailAbout(t, err, "did not start: no reply within "+limit+" (key timeout, but at least 300ms for a start)")
	}
}

func TestAProgramThatDoesNotExistIsNamed(t *testing.T) {
	p := child.New(t.Context(), child.Command{Argv: []string{"no-such-program", "a b"}, Timeout: time.Minute, Instances: 1})
	_, err := p.Hello()
	must.Fail(t, err, `no-such-program 'a b': cannot be started: exec: "no-such-program": executable file not found in $PATH`)
}

func TestAProgramThatAlwaysDiesIsGivenUp(t *testing.T) {
	p, notes := pool(t, t.Context(), "die", 1, time.Minute)
	var err error
	for range 5 {
		_, _, err = p.Call(request())
	}
	must.FailAbout(t, err, "not called any more after 3 calls in a row without a reply: ")
	if _, all := alive(t, notes); len(all) != 6 {
		t.Errorf("started %d, want 6: two for each of three calls", len(all))
	}
}

func TestCallsWaitForAFreeProcess(t *testing.T) {
	p, notes := pool(t, t.Context(), "slow", 2, time.Minute)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, _, err := p.Call(request()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if _, all := alive(t, notes); len(all) != 2 {
		t.Errorf("started %d processes, want 2", len(all))
	}
}

func TestCancellingKillsEveryProcess(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p, notes := pool(t, ctx, "ignores", 2, time.Minute)
	ended := make(chan error)
	for range 2 {
		go func() {
			_, _, err := p.Call(request())
			ended <- err
		}()
	}
	for started := 0; started < 2; time.Sleep(10 * time.Millisecond) {
		b, _ := os.ReadFile(notes)
		started = len(strings.Fields(string(b)))
	}
	cancel()
	for range 2 {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
	}
	if running, _ := alive(t, notes); len(running) > 0 {
		t.Errorf("%v still run", running)
	}
}
