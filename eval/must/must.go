// Package must checks in one line that what a test calls succeeds, or fails as it should.
package must

import "strings"

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
