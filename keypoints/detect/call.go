package detect

import (
	"errors"
	"strings"
	"sync"

	"gocv.io/x/gocv"
)

// alone guards gocv's record of the last C++ exception, of which there is one
// per process. The call that reads its exception holds the write lock.
var alone sync.RWMutex

// Call runs f, which calls OpenCV through gocv and reports whether it got a
// result. gocv catches C++ exceptions, returns nothing and stores the message
// where the next exception of any goroutine overwrites it. If f reports
// failure, Call therefore runs it again while no other Call is running and
// returns the exception of that run. Failure without an exception is not an
// error: an image may have no keypoints.
//
// f must be repeatable. gocv functions that return an error do not need Call.
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
		return OneLine(err)
	}
	return nil
}

func attempt(f func() bool) bool {
	alone.RLock()
	defer alone.RUnlock()
	return f()
}

// OneLine returns the message of an error as one line. That of OpenCV contains its name
// and ends in a line break.
func OneLine(err error) error {
	return errors.New(strings.Join(strings.Fields(err.Error()), " "))
}
