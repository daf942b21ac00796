// Package must checks in one line that what a test calls succeeds, or fails as it should.
package must

import (
	"errors"
	"os"
	"runtime"
	"strings"
)

// T is a *testing.T, B or F, or a *rapid.T.
type T interface {
	Helper()
	Fatal(args ...any)
	Errorf(format string, args ...any)
}

// Do ends the test if there is an error.
func Do(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get is called with the results of a function, then with the test: it returns the value,
// or ends the test if there is an error.
//
//	file := must.Get(os.ReadFile(path))(t)
func Get[V any](value V, err error) func(T) V {
	return func(t T) V {
		t.Helper()
		Do(t, err)
		return value
	}
}

// Fail demands an error of this text.
func Fail(t T, err error, text string) {
	t.Helper()
	if err == nil || err.Error() != text {
		t.Errorf("got error %v\nwant %s", err, text)
	}
}

// FailAbout demands an error that contains the text.
func FailAbout(t T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("got error %v\nwant one with %s", err, text)
	}
}

// Panic demands that f panics; what names it.
func Panic(t T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}

// memory is what BoundMemory allows for any file: buffers, tables and messages.
const memory = 8 << 20

// BoundMemory demands that read, which reads a file of the given number of bytes, allocates at most
// memory bytes plus perByte for each of them in total, including what has been freed again. A good
// perByte is the size of the result in memory divided by its smallest size in a file, times 5 for
// slices that grow step by step.
func BoundMemory(t T, bytes, perByte int, read func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read()
	runtime.ReadMemStats(&after)
	if took, limit := after.TotalAlloc-before.TotalAlloc, uint64(memory+bytes*perByte); took > limit {
		t.Errorf("%d bytes allocated to read a file of %d bytes, want at most %d", took, bytes, limit)
	}
}

// NoticeEveryByte alters each byte of a file in turn, in a single bit and in all bits, and demands
// an error of read that matches want.
func NoticeEveryByte(t T, path string, want error, read func() error) {
	t.Helper()
	Do(t, read())
	whole := Get(os.ReadFile(path))(t)
	file := Get(os.OpenFile(path, os.O_RDWR, 0))(t)
	defer file.Close()
	put := func(i int, b byte) { Get(file.WriteAt([]byte{b}, int64(i)))(t) }
	for i, b := range whole {
		for _, altered := range []byte{b ^ 1<<(i%8), b ^ 0xff} {
			put(i, altered)
			if err := read(); !errors.Is(err, want) {
				t.Errorf("byte %d of %d, %#x to %#x: got error %v, want %v", i, len(whole), b, altered, err, want)
			}
		}
		put(i, b)
	}
}
