package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/keypoints"
)

func TestNoParameterHidesAKeyAndEveryDefaultIsAllowed(t *testing.T) {
	for _, k := range keypoints.Detectors() {
		checkParams(t, k.Name, k.Params, []string{"type"})
	}
	for _, k := range descriptors.Kinds() {
		checkParams(t, k.Name, k.Params, []string{"name", "type", "keypoints", "pooling", "root", "normalize"})
		for _, p := range k.Params {
			if p.SameAs == "" {
				continue
			}
			d, ok := keypoints.FindDetector(p.SameAs)
			if !ok || !slices.ContainsFunc(d.Params, func(q keypoints.Param) bool {
				return q.Name == p.Name && q.Kind == p.Kind && q.Default == p.Default && q.Min == p.Min && q.Max == p.Max && slices.Equal(q.Choices, p.Choices)
			}) {
				t.Errorf("%s.%s: detector %s has no such parameter", k.Name, p.Name, p.SameAs)
			}
		}
	}
}

func checkParams(t *testing.T, name string, specs []keypoints.Param, keys []string) {
	t.Helper()
	for _, s := range specs {
		if slices.Contains(keys, s.Name) {
			t.Errorf("%s: parameter %s comes twice or hides the key of this name", name, s.Name)
		}
		keys = append(keys, s.Name)
		if s.Doc == "" || strings.ToLower(s.Name) != s.Name {
			t.Errorf("%s: parameter %q: no doc, or not in small letters", name, s.Name)
		}
		in := keypoints.Params{s.Name: s.Default}
		p := paramFields([]keypoints.Param{s}, in)[0].value
		d := newDecoder("t", "/")
		p.decode(d, s.Name, p.encode(everything))
		if len(d.faults) > 0 || !reflect.DeepEqual(in[s.Name], s.Default) {
			t.Errorf("%s.%s: default %v: %v, %v", name, s.Name, s.Default, in[s.Name], d.faults)
		}
	}
}
