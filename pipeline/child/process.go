package child

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"descbench/pipeline/files/npz"
)

// startTime is how long a process may take until it says hello, if the timeout of
// calls is not longer: importing a framework and loading weights takes a while.
var startTime = 2 * time.Minute

// endTime is how long a process may take to end after its standard input has.
const endTime = 2 * time.Second

// A process is a running child. One goroutine at a time may use it.
type process struct {
	group  int      // the number of its process group
	alive  *os.File // closes when this process ends, however that happens
	in     *os.File
	out    *os.File
	reader *bufio.Reader
	stderr tail
	ended  chan struct{} // closed when the process has ended, after exit is set
	exit   error
	calls  int
	warm   map[[2]string]bool // operations and functions that were called
	hello  Hello
	note   string // of the last reply that had one
}

// start starts a process and waits for its hello.
func start(ctx context.Context, c Command, instance int) (*process, error) {
	p, err := launch(c, instance)
	if err != nil {
		if words := strings.Fields(c.Argv[0]); len(words) > 1 && len(c.Argv) == 1 {
			err = fmt.Errorf("%w; want a list, run: [%s]", err, strings.Join(words, ", "))
		}
		return nil, &StartError{fmt.Errorf("%s: cannot be started: %w", c, err)}
	}
	reply, _, err := p.call(ctx, max(startTime, c.Timeout), Request{Operation: "hello", Fields: map[string]any{"protocol": Protocol}})
	if err == nil {
		if err = json.Unmarshal(reply, &p.hello); err != nil {
			err = fmt.Errorf("header %s: %w", quoted(reply), err)
		} else if err = p.hello.check(); err == nil {
			return p, nil
		}
	}
	p.kill()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if broken := (*brokenError)(nil); !errors.As(err, &broken) {
		err = fmt.Errorf("%w%s", err, &p.stderr)
	}
	return nil, &StartError{fmt.Errorf("%s: did not start: %w", c, err)}
}

func launch(c Command, instance int) (p *process, err error) {
	var pipes [3][2]*os.File // read and write ends
	defer func() {
		if err != nil {
			for _, ends := range pipes {
				_ = ends[0].Close()
				_ = ends[1].Close()
			}
		}
	}()
	for i := range pipes {
		if pipes[i][0], pipes[i][1], err = os.Pipe(); err != nil {
			return nil, err
		}
	}
	// The program is in a group of its own, which signals from the terminal do not reach. A
	// shell in it ends the group, with what the program has started, when this process ends.
	guard := exec.Command("/bin/sh", "-c", "read -r line; kill -9 0")
	guard.Stdin, guard.SysProcAttr = pipes[2][0], &syscall.SysProcAttr{Setpgid: true}
	if err := guard.Start(); err != nil {
		return nil, err
	}
	p = &process{group: guard.Process.Pid, alive: pipes[2][1], in: pipes[0][1], out: pipes[1][0], reader: bufio.NewReaderSize(pipes[1][0], 64<<10), warm: make(map[[2]string]bool), ended: make(chan struct{})}
	go func() { _ = guard.Wait() }()
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), "DESCBENCH_CHILD=1", fmt.Sprintf("DESCBENCH_INSTANCE=%d", instance))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pipes[0][0], pipes[1][1], &p.stderr
	cmd.WaitDelay = endTime / 2 // others may hold its standard error open
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: p.group}
	if err := cmd.Start(); err != nil {
		return nil, err // closes the pipe of the guard
	}
	go func() {
		p.exit = cmd.Wait()
		close(p.ended)
	}()
	// If memory runs out, the system ends the program, not this process.
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", cmd.Process.Pid), []byte("1000"), 0)
	for _, theirs := range []*os.File{pipes[0][0], pipes[1][1], pipes[2][0]} {
		_ = theirs.Close()
	}
	return p, nil
}

// A brokenError reports a process that cannot be used any more.
type brokenError struct{ error }

// call sends a request, and returns the header of the reply, as JSON, and its arrays. A *brokenError means that
// the process has been killed.
func (p *process) call(ctx context.Context, timeout time.Duration, r Request) (reply []byte, arrays []npz.Member, err error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	stop := context.AfterFunc(limited, p.kill)
	defer stop()
	p.calls++
	reply, arrays, err = p.exchange(r)
	if function := (*FunctionError)(nil); err == nil || errors.As(err, &function) {
		return reply, arrays, err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.EPIPE) {
		select { // a process that ends closes its files some time before
		case <-p.ended:
			err = fmt.Errorf("it ended (%s) instead of replying", p.how())
		case <-time.After(endTime):
			err = errors.New("it closed its standard input or output")
		}
	}
	p.kill()
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case limited.Err() != nil && r.Operation == "hello":
		err = fmt.Errorf("no reply within %v (key timeout, but at least %v for a start)", timeout, startTime)
	case limited.Err() != nil:
		err = fmt.Errorf("no reply within %v (key timeout)", timeout)
	}
	return nil, nil, &brokenError{fmt.Errorf("%w%s", err, &p.stderr)}
}

func (p *process) exchange(r Request) (reply []byte, arrays []npz.Member, err error) {
	header := map[string]any{"id": p.calls, "operation": r.Operation}
	if r.Function != "" {
		header["function"] = r.Function
	}
	maps.Copy(header, r.Fields)
	if err := writeFrame(p.in, header, r.Arrays); err != nil {
		return nil, nil, err
	}
	if reply, arrays, err = readFrame(p.reader, r.Most); err != nil {
		return nil, nil, err
	}
	var common struct {
		ID    int
		Error string
		Note  string
	}
	if err := json.Unmarshal(reply, &common); err != nil {
		return nil, nil, fmt.Errorf("header %s: %w", quoted(reply), err)
	}
	if common.ID != p.calls {
		return nil, nil, fmt.Errorf("found a reply to call %d, want one to call %d", common.ID, p.calls)
	}
	p.note = cmp.Or(common.Note, p.note)
	if common.Error != "" {
		return nil, nil, &FunctionError{fmt.Errorf("%.500s", oneLine(common.Error))}
	}
	return reply, arrays, nil
}

// how says how the process ended.
func (p *process) how() string {
	var exit *exec.ExitError
	if !errors.As(p.exit, &exit) {
		return "exit status 0; it must answer calls until its input ends, in Python by descbench.serve()"
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() && status.Signal() == syscall.SIGKILL {
		return "killed, perhaps because memory ran out"
	}
	return exit.Error()
}

// kill ends the process and those that it has started, at once.
func (p *process) kill() {
	// The number of the group is not used again while it has a process.
	_ = syscall.Kill(-p.group, syscall.SIGKILL)
	<-p.ended
	now := time.Now()
	_, _ = p.out.SetReadDeadline(now), p.in.SetWriteDeadline(now) // others may hold them open
}

// close lets the process end.
func (p *process) close() {
	_ = p.in.Close()
	select {
	case <-p.ended:
	case <-time.After(endTime):
	}
	p.kill()
	_, _ = p.out.Close(), p.alive.Close()
}
