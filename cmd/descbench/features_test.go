package main

import (
	"os"
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
	return tests.M.Run()
}

// environment returns the environment for a program in a folder: without the settings
// of whoever runs the test, with the shared features.
func environment(dir string) []string {
	of := slices.DeleteFunc(os.Environ(), func(v string) bool {
		for _, prefix := range []string{"DESCBENCH_", "MAKE", "MFLAGS"} {
			if strings.HasPrefix(v, prefix) {
				return true
			}
		}
		return false
	})
	return append(of, "DESCBENCH_CACHE="+sharedFeatures, "XDG_CONFIG_HOME="+dir)
}
