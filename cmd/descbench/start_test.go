package main

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdAtOnce starts a command several times at the same moment and checks that
// every one of them exits with status 0. "{i}" in an argument stands for the
// number of the process, from 1.
//
//	atonce 3 descbench run x.yaml --shard {i}/3
func cmdAtOnce(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: atonce N command [arg...]")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	cmds := make([]*exec.Cmd, n)
	stderr := make([]bytes.Buffer, n)
	for i := range cmds {
		cmds[i] = numbered(ts, args[1:], i+1)
		cmds[i].Stderr = &stderr[i]
	}
	var running sync.WaitGroup
	for _, cmd := range cmds {
		running.Go(func() { _ = cmd.Run() })
	}
	running.Wait()
	for i, cmd := range cmds {
		if code := cmd.ProcessState.ExitCode(); code != 0 {
			ts.Fatalf("process %d of %d: exit status %d\n%s", i+1, n, code, stderr[i].String())
		}
	}
}

// cmdKillEarly starts a command several times, each in a folder of its own, and
// kills it in the first milliseconds after it has created the folder. "{i}" stands
// for the number of the attempt.
//
//	killearly 20 out/{i} descbench run x.yaml --out out/{i}
func cmdKillEarly(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: killearly N FOLDER command [arg...]")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	for i := range n {
		cmd := numbered(ts, args[2:], i+1)
		folder := ts.MkAbs(strings.ReplaceAll(args[1], "{i}", strconv.Itoa(i+1)))
		ts.Check(cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for created := false; !created; time.Sleep(50 * time.Microsecond) {
			_, err := os.Stat(folder)
			created = err == nil
			if !created && len(ended) > 0 {
				ts.Fatalf("the command ended (%v) without %s", <-ended, folder)
			}
		}
		time.Sleep(time.Duration(i) * 300 * time.Microsecond)
		_ = cmd.Process.Kill()
		<-ended
	}
}

// numbered returns a command of a script in which a number replaces "{i}".
func numbered(ts *testscript.TestScript, args []string, i int) *exec.Cmd {
	program, err := exec.LookPath(args[0])
	ts.Check(err)
	cmd := exec.Command(program)
	for _, arg := range args[1:] {
		cmd.Args = append(cmd.Args, strings.ReplaceAll(arg, "{i}", strconv.Itoa(i)))
	}
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = ts.Value("vars").([]string) // as for the script's other commands
	return cmd
}
