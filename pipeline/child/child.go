// Package child runs programs that compute descriptors, keypoints or matches for this
// one, in any language. A program is started once and gets one request after the other
// on its standard input; docs/protocol.md describes the frames. The package knows
// processes and frames, not what is in the arrays.
package child

import (
	"context"
	_ "embed" // the Python module
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"descbench/eval/spelling"
	"descbench/pipeline/files/npz"
)

// Protocol is the version of the protocol. It is part of the key of cached rows.
const Protocol = 1

// Python is the module descbench.py, with which Python programs speak the protocol.
//
//go:embed descbench.py
var Python string

// A Command is a program and how to run it.
type Command struct {
	Argv      []string
	Dir       string        // working directory
	Timeout   time.Duration // of a call
	Instances int           // processes at the same time, at least 1
}

// String returns the command as in a shell.
func (c Command) String() string {
	words := make([]string, len(c.Argv))
	for i, w := range c.Argv {
		words[i] = spelling.Shell(w)
	}
	return strings.Join(words, " ")
}

// A Hello says what a program serves.
type Hello struct {
	Protocol  int        `json:"protocol"`
	Functions []Function `json:"functions"`
}

// A Function is one function that a program serves.
type Function struct {
	Operation string `json:"operation"` // describe, patches, detect, match or estimate
	Name      string `json:"name"`
	Version   string `json:"version"`
	Elements  string `json:"elements,omitempty"` // of rows: bits, uint8, float32 or, if the rows themselves tell, ""
	Origin    string `json:"origin,omitempty"`   // of its coordinates: center (also "") or corner
	Batch     int    `json:"batch,omitempty"`    // largest number of patches in a call; 0: any
}

// String names the function: "describe mine 2".
func (f Function) String() string {
	return strings.TrimSpace(f.Operation + " " + f.Name + " " + f.Version)
}

func (h Hello) check() error {
	switch {
	case h.Protocol != Protocol:
		return fmt.Errorf("it speaks version %d of the protocol, want %d; write descbench.py anew with descbench bridge python", h.Protocol, Protocol)
	case len(h.Functions) == 0:
		return errors.New("it serves no function; with Python, put @descbench.describe or another decorator before one")
	}
	for _, f := range h.Functions {
		if f.Origin != "" && f.Origin != "center" && f.Origin != "corner" {
			return fmt.Errorf("function %s: origin %.20q, want center or corner", f.Name, f.Origin)
		}
	}
	return nil
}

// Find returns the function of an operation with the given name, "" if there is only
// one.
func (h Hello) Find(operation, name string) (Function, error) {
	var all, fits []string
	var found Function
	for _, f := range h.Functions {
		all = append(all, strings.TrimSpace(f.Operation+" "+f.Name))
		if f.Operation == operation && (name == "" || f.Name == name) {
			found, fits = f, append(fits, f.Name)
		}
	}
	switch {
	case len(fits) == 1:
		return found, nil
	case len(fits) > 1:
		return found, fmt.Errorf("serves several functions of operation %s, want one of them as the key function: %s", operation, strings.Join(fits, ", "))
	}
	if f := h.Functions[0]; len(all) == 1 && operation == "describe" && f.Operation != operation && name == "" { // the default
		return found, fmt.Errorf("serves operation %s (function %s), not describe; set operation=%s", f.Operation, f.Name, f.Operation)
	}
	return found, fmt.Errorf("does not serve %s, but %s", strings.TrimSpace(operation+" "+name), strings.Join(all, ", "))
}

// A StartError reports a program that could not be started or did not say hello. It
// concerns every call.
type StartError struct{ error }

// Unwrap returns the reason.
func (e *StartError) Unwrap() error { return e.error }

// A FunctionError is an error that a program replied. Its process is still there.
type FunctionError struct{ error }

// A Request is one call of a function.
type Request struct {
	Operation string
	Function  string         // "" without any
	Fields    map[string]any // further entries of the header
	Arrays    []Array
	Most      int // bytes that the arrays of the reply may have
}

// An Array is an array of a request with its name.
type Array struct {
	Name string
	npz.Array
}

// mostBroken is the number of calls in a row after which a program is given up.
const mostBroken = 3

// A Pool runs the processes of a command. It is safe for concurrent use.
type Pool struct {
	Command Command

	ctx  context.Context
	free chan slot // the one that was longest not called first

	mu     sync.Mutex
	hello  *Hello
	broken int   // calls in a row
	why    error // of the last one

	repeated    int   // calls that succeeded when they were repeated
	whyRepeated error // of the last one
}

// A slot is the place of a process; nil: none is running.
type slot struct {
	instance int // from 0
	process  *process
}

// New returns a pool without processes, which are started when they are needed and killed
// when ctx ends. The caller closes it.
func New(ctx context.Context, c Command) *Pool {
	p := &Pool{Command: c, ctx: ctx, free: make(chan slot, c.Instances)}
	for i := range c.Instances {
		p.free <- slot{i, nil}
	}
	return p
}

// Hello returns what the program serves. It starts a process unless one has said it.
func (p *Pool) Hello() (Hello, error) {
	p.mu.Lock()
	said := p.hello
	p.mu.Unlock()
	if said != nil {
		return *said, nil
	}
	s, err := p.take()
	if err != nil {
		return Hello{}, err
	}
	defer func() { p.free <- s }()
	if s.process, err = p.ready(s); err != nil {
		return Hello{}, err
	}
	return s.process.hello, nil
}

// Call calls a function and returns the arrays of its reply and the time that it took,
// without waiting for a free process. The first call of a function in a process is repeated, and
// the time is that of the repetition. If the process breaks, the function is called once more in
// a new one. Errors contain the command and the last lines of its standard error.
func (p *Pool) Call(r Request) ([]npz.Member, time.Duration, error) {
	s, err := p.take()
	if err != nil {
		return nil, 0, err
	}
	defer func() { p.free <- s }()
	if err := p.givenUp(); err != nil {
		return nil, 0, err
	}
	var first error
	for attempt := 1; ; attempt++ {
		if s.process, err = p.ready(s); err != nil {
			return nil, 0, err
		}
		begun := time.Now()
		_, arrays, err := s.process.call(p.ctx, p.Command.Timeout, r)
		if f := [2]string{r.Operation, r.Function}; err == nil && !s.process.warm[f] {
			s.process.warm[f], begun = true, time.Now()
			_, _, err = s.process.call(p.ctx, p.Command.Timeout, r)
		}
		took := time.Since(begun)
		broken := (*brokenError)(nil)
		if !errors.As(err, &broken) {
			if function := (*FunctionError)(nil); errors.As(err, &function) {
				err = fmt.Errorf("%s: %w", p.Command, err)
			}
			p.count(nil, first)
			return arrays, took, err
		}
		s.process.close()
		s.process = nil
		if attempt == 2 {
			err = fmt.Errorf("%s: %s, tried twice: %w", p.Command, r.Operation, err)
			p.count(err, nil)
			return nil, 0, err
		}
		first = err
	}
}

// take waits for a free slot. Calls one after the other go to all processes in turn.
func (p *Pool) take() (slot, error) {
	select {
	case s := <-p.free:
		return s, nil
	case <-p.ctx.Done():
		return slot{}, p.ctx.Err()
	}
}

// ready returns the running process of a slot, or a new one.
func (p *Pool) ready(s slot) (*process, error) {
	if s.process != nil {
		return s.process, nil
	}
	started, err := start(p.ctx, p.Command, s.instance)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hello == nil {
		p.hello = &started.hello
	}
	return started, nil
}

// givenUp returns an error if the last calls all broke their processes.
func (p *Pool) givenUp() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken < mostBroken {
		return nil
	}
	return fmt.Errorf("not called any more after %d calls in a row without a reply: %w", mostBroken, p.why)
}

// count counts the calls in a row that broke a process, with the error of the last, and
// those whose first attempt failed.
func (p *Pool) count(err, first error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken++; err == nil {
		p.broken = 0
	}
	p.why = err
	if first != nil {
		p.repeated++
		p.whyRepeated = first
	}
}

// Close ends all processes. It returns the lines of the last note of each for people, each
// line once, the number of calls that broke a process and got a reply from the next
// one, and what happened to the last of those processes. No call may be running.
func (p *Pool) Close() (notes []string, repeated int, why error) {
	for range p.Command.Instances {
		s := <-p.free
		if s.process != nil {
			s.process.close()
			for line := range strings.Lines(s.process.note) {
				if line = oneLine(line); line != "" && !slices.Contains(notes, line) {
					notes = append(notes, line)
				}
			}
		}
		p.free <- slot{s.instance, nil}
	}
	return notes, p.repeated, p.whyRepeated
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
