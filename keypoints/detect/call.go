package detect

import (
	"errors"
	"strings"
	"sync"

	"gocv.io/x/gocv"
)

// alone guards gocv's record of the last C++ exception, of which the process
// has one: held for writing by the one call whose exception is to be read.
var alone sync.RWMutex

// Call runs f, which calls OpenCV through gocv and reports whether it got what
// it asked for. gocv catches C++ exceptions, returns nothing and keeps the
// message where the next exception of any goroutine overwrites it. Therefore,
// if f reports failure, Call runs it once more while no other Call is running,
// and returns the exception of that run. A failure without exception is no
// error: an image may have no keypoints.
//
// f must be repeatable. gocv functions that return an error need no Call.
func Call(f func() bool) error {
	if attempt(f) {
		return nil
	}
	alone.Lock()
	defer alone.Unlock()
	gocv.ClearLastException()
	if f() {
		return nil
	}
	if err := gocv.LastExceptionError(); err != nil {
		return oneLine(err)
	}
	return nil
}

func attempt(f func() bool) bool {
	alone.RLock()
	defer alone.RUnlock()
	return f()
}

// oneLine returns OpenCV's message, which names OpenCV and ends in a line
// break, as one line.
func oneLine(err error) error {
	return errors.New(strings.Join(strings.Fields(err.Error()), " "))
}
