package config

import (
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/pipeline/files/importer"
)

func TestTheElementsOfFilesArePartOfTheIdentityAndBitsHaveNoNorm(t *testing.T) {
	read := func(elements string) *Config {
		t.Helper()
		text := strings.Replace(`experiment: {name: t}
dataset: {root: scenes}
descriptors:
  - {name: d, type: file, path: "{scene}/{image}.npz"ELEMENTS}
`, "ELEMENTS", elements, 1)
		return must.Get(load("/a/t.yaml", []byte(text), Overrides{}))(t)
	}
	left, bits, bytes := read(""), read(", elements: bits"), read(", elements: uint8")
	for c, want := range map[*Config]Descriptor{
		left:  {Normalize: descriptors.L2, File: &File{}},
		bits:  {Normalize: descriptors.NoNorm, File: &File{Elements: importer.Bits}},
		bytes: {Normalize: descriptors.L2, File: &File{Elements: importer.Uint8}},
	} {
		if d := c.Descriptors[0]; d.Normalize != want.Normalize || d.File.Elements != want.File.Elements {
			t.Errorf("elements %q: norm %v", d.File.Elements, d.Normalize)
		}
	}
	if strings.Contains(string(left.YAML()), "elements") {
		t.Errorf("a type in\n%s", left.YAML())
	}
	want := []string{"descriptors[d].normalize: l2 -> none", "descriptors[d].elements: absent -> bits"}
	if got := Diff(left, bits); !slices.Equal(got, want) || left.Identity() == bits.Identity() {
		t.Errorf("difference %q, want %q", got, want)
	}
	if got, want := bits.Descriptors[0].String(), "file, keypoints: d, path: /a/{scene}/{image}.npz, elements: bits, normalize: none"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
