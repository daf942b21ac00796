package detecttest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"descbench/keypoints"
)

// Params returns the default parameters with the given changes, written as
// "name=value name=value".
func Params(t testing.TB, specs []keypoints.Param, changes string) keypoints.Params {
	t.Helper()
	p := keypoints.Defaults(specs)
	for _, change := range strings.Fields(changes) {
		name, text, _ := strings.Cut(change, "=")
		value := reflect.New(reflect.TypeOf(p[name])) // panics without such a parameter
		if _, err := fmt.Sscan(text, value.Interface()); err != nil {
			t.Fatal(err)
		}
		p[name] = value.Elem().Interface()
	}
	return p
}
