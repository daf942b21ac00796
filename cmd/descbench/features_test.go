package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sharedFeatures is the cache folder of all tests: features that two of them need
// are extracted once. Tests of the cache itself, and tests that compare extractions,
// use folders of their own.
var sharedFeatures string

// testsWithSharedFeatures runs the tests between the creation and the removal of the
// folder.
type testsWithSharedFeatures struct{ *testing.M }

func (tests testsWithSharedFeatures) Run() int {
	dir, err := os.MkdirTemp("", "descbench-features")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	sharedFeatures = dir
	child, err := filepath.Abs("../../pipeline/child/testdata/child.py")
	if err == nil {
		err = os.Setenv("OWNCHILD", child)
	}
	if err != nil {
		panic(err)
	}
	if err := useBinary(os.Getenv("DESCBENCH_BINARY")); err != nil {
		panic(err)
	}
	return tests.M.Run()
}

// useBinary makes the tests run a program of make dist, if one is named, instead of
// the main of this package.
func useBinary(binary string) error {
	if binary == "" {
		return nil
	}
	own, err := exec.LookPath("descbench") // put there by testscript.Main
	if err != nil {
		return err
	}
	if err := os.Remove(own); err != nil {
		return err
	}
	return os.Symlink(binary, own)
}

// environment returns the environment for a program: without the settings of whoever runs
// the test, with the shared features.
func environment() []string {
	of := slices.DeleteFunc(os.Environ(), func(v string) bool {
		for _, prefix := range []string{"DESCBENCH_", "MAKE", "MFLAGS"} {
			if strings.HasPrefix(v, prefix) {
				return true
			}
		}
		return false
	})
	return append(of, "DESCBENCH_CACHE="+sharedFeatures)
}
