package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"descbench/eval/must"
)

// FuzzLoad holds that no file, --set or variable makes Load panic, that every
// refusal is made of one-line Errors, and that what loads is written out as a
// config that loads to the same.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/*.yml", "../../configs/*.yaml"} {
		files := must.Get(filepath.Glob(pattern))(f)
		for _, file := range files {
			text := must.Get(os.ReadFile(file))(f)
			f.Add(text, "descriptors[d].root=l1", "EVALUATION_TIES=strict")
			f.Add(text, "keypoint_sets[s].border.rule=closed", "")
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, set, variable string) {
		o := Overrides{Set: []string{set}, Env: []string{envPrefix + variable}}
		if set == "" {
			o.Set = nil
		}
		if variable == "" {
			o.Env = nil
		}
		var c *Config
		var err error
		must.BoundMemory(t, len(text)+maxNodes, 1000, func() { c, err = load("/t/t.yaml", text, o) })
		if err != nil {
			checkError(t, err)
			return
		}
		again, err := load("/elsewhere/u.yaml", c.YAML(), Overrides{})
		if err != nil {
			t.Fatalf("the effective config does not load: %v\n%s", err, c.YAML())
		}
		if !reflect.DeepEqual(c, again) || c.Identity() != again.Identity() || Diff(c, again) != nil {
			t.Fatalf("got\n%s\nfrom\n%s", again.YAML(), c.YAML())
		}
	})
}

func checkError(t *testing.T, err error) {
	t.Helper()
	faults := []error{err}
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		faults = list.Unwrap()
	}
	for _, fault := range faults {
		var e *Error
		if !errors.As(fault, &e) || e.Msg == "" || e.File == "" {
			t.Errorf("%#v is no complete *Error", fault)
		}
		if strings.ContainsAny(fault.Error(), "\n\r") {
			t.Errorf("%q has several lines", fault)
		}
	}
}
