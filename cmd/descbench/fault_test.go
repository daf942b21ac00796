package main

import (
	"flag"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"descbench/eval/must"
)

var updateFaults = flag.Bool("update-faults", false, "write testdata/faults.txtar from the messages that the scripts see")

// faultMessages holds what descbench tells a user about each fault, for people
// to read in one place: testdata/faults.txtar has one section per fault.
type faultMessages struct {
	path string

	mu    sync.Mutex
	known *txtar.Archive
	seen  map[string]string
}

// newFaultMessages reads the expected messages. With -update-faults, those that
// the scripts see replace them at the end of the test.
func newFaultMessages(t *testing.T, path string) *faultMessages {
	known := must.Get(txtar.ParseFile(path))(t)
	m := &faultMessages{path: path, known: known, seen: map[string]string{}}
	t.Cleanup(func() {
		if *updateFaults {
			m.update(t)
		}
	})
	return m
}

// command runs a command line that must fail, and checks its exit status and
// everything that it writes to stderr:
//
//	fault 3 'an image that is cut off' descbench run x.yaml
func (m *faultMessages) command(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: fault STATUS WHAT command [arg...]")
	}
	cmdStatus(ts, false, append(args[:1:1], args[2:]...))
	told := strings.ReplaceAll(ts.ReadFile("stderr"), ts.Getenv("WORK")+"/", "")
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, twice := m.seen[args[1]]; twice {
		ts.Fatalf("two faults are named %q", args[1])
	}
	m.seen[args[1]] = told
	if want := m.expected(args[1]); told != want && !*updateFaults {
		ts.Fatalf("found the message\n%swant (%s)\n%s", told, m.path, want)
	}
}

func (m *faultMessages) expected(name string) string {
	for _, f := range m.known.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// update keeps the order of the file, appends new messages in any order, and
// keeps those of scripts that did not run.
func (m *faultMessages) update(t *testing.T) {
	for i, f := range m.known.Files {
		if told, ok := m.seen[f.Name]; ok {
			m.known.Files[i].Data = []byte(told)
			delete(m.seen, f.Name)
		}
	}
	for name, told := range m.seen {
		m.known.Files = append(m.known.Files, txtar.File{Name: name, Data: []byte(told)})
	}
	if err := os.WriteFile(m.path, txtar.Format(m.known), 0o666); err != nil {
		t.Error(err)
	}
}
