// Package must ends a test at the first error of its set-up.
package must

// T is a *testing.T, B or F, or a *rapid.T.
type T interface {
	Helper()
	Fatal(args ...any)
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
