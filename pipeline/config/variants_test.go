package config

import (
	"slices"
	"strings"
	"testing"
)

func TestVariantsAreTheDescriptorsThatTheyDescribe(t *testing.T) {
	got, want := mustLoad(t, "testdata/variants.good.yml"), mustLoad(t, "testdata/variants_written_out.good.yml")
	if string(got.YAML()) != string(want.YAML()) {
		t.Errorf("got\n%s\nwant\n%s", got.YAML(), want.YAML())
	}
}

func TestOverridesReachVariantsAndTheirDescriptors(t *testing.T) {
	const file = "testdata/variants.good.yml"
	names := func(set ...string) string {
		var out []string
		for _, d := range mustLoad(t, file, set...).Descriptors {
			out = append(out, d.Name)
		}
		return strings.Join(out, " ")
	}
	for set, want := range map[string]string{
		"descriptors=[{name: other, type: mstd, keypoints: s}]":    "other sift-two sift-three sift-root-two sift-root-three surf-two own/orb own/sigma2",
		"variants[own/{kind}].name=mine_{kind}":                    "plain sift-two sift-three sift-root-two sift-root-three surf-two mine_orb mine_sigma2",
		"variants[{type}-{root}-{pool}].matrix.type=usift,rgbsift": "plain usift-two usift-three usift-root-two usift-root-three rgbsift-two rgbsift-three rgbsift-root-two rgbsift-root-three surf-two own/orb own/sigma2",
	} {
		if got := names(set); got != want {
			t.Errorf("%s: got  %s\nwant %s", set, got, want)
		}
	}
	var labels []string
	for _, d := range mustLoad(t, file, "variants[own/{kind}].label={kind} Sum {kind}").Descriptors {
		labels = append(labels, d.Label)
	}
	if want := []string{"orb Sum orb", "sigma2 Sum sigma2"}; !slices.Equal(labels[len(labels)-2:], want) {
		t.Errorf("labels %q, want at the end %q", labels, want)
	}
	// One descriptor changes, and not those that share its line.
	was, is := mustLoad(t, file), mustLoad(t, file, "descriptors[sift-root-three].pooling.aggregate=mean")
	if got, want := Diff(was, is), []string{"descriptors[sift-root-three].pooling.aggregate: concatenate -> mean"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
