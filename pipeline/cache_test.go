package pipeline

import (
	"os"
	"testing"
)

// sharedCache is the cache of runs in which it does not matter what is cached: the same
// images are verified and described once.
var sharedCache string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if sharedCache, err = os.MkdirTemp("", "descbench-pipeline"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(sharedCache)
		return m.Run()
	}())
}
