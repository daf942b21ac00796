package detecttest

import (
	"strconv"
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
		var err error
		switch p[name].(type) {
		case int64:
			p[name], err = strconv.ParseInt(text, 10, 64)
		case float64:
			p[name], err = strconv.ParseFloat(text, 64)
		case bool:
			p[name], err = strconv.ParseBool(text)
		case string:
			p[name] = text
		default:
			t.Fatalf("no parameter %s", name)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return p
}
