// Package boundtest limits what readers allocate in tests with hostile files.
package boundtest

import (
	"runtime"
	"testing"
)

// base is what a reader may allocate for any file: buffers, tables and messages.
const base = 8 << 20

// Memory calls read, which reads a file of the given number of bytes, and fails
// the test if it allocates more than base bytes plus perByte for each of them in
// total, including what has been freed again. A good perByte is the size of the
// result in memory divided by its smallest size in a file, times 5 for slices
// that grow step by step.
func Memory(t testing.TB, bytes, perByte int, read func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read()
	runtime.ReadMemStats(&after)
	if took, limit := after.TotalAlloc-before.TotalAlloc, uint64(base+bytes*perByte); took > limit {
		t.Errorf("%d bytes allocated to read a file of %d bytes, want at most %d", took, bytes, limit)
	}
}
