package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
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

// badVariants holds what Load says about sections variants that begin on line 5 of
// a file.
var badVariants = []struct{ section, fault string }{
	{`variants: {}`, `5: variants: found a mapping, want a list of at least one matrix of descriptors`},
	{`variants: [x]`, `5: variants[#1]: found "x", want a mapping`},
	{`variants: [{matrix: {type: [sift]}}]`, `5: variants[#1].name: missing, want a template such as "{type}-{root}"`},
	{`variants: [{name: {type}, matrix: {type: [sift]}}]`, `5: variants[#1].name: found a mapping, want a template such as "{type}-{root}", in quotes`},
	{`variants: [{name: "{type}"}]`, `5: variants[{type}].matrix: missing, want the dimensions, such as {type: [sift, rgbsift]}`},
	{`variants: [{name: "{type}", matrix: []}]`, `5: variants[{type}].matrix: found a list, want the dimensions, such as {type: [sift, rgbsift]}`},
	{`variants: [{name: "{type}", matrix: {type: []}}]`, `5: variants[{type}].matrix.type: found nothing in it, want at least one value`},
	{`variants: [{name: "{type}", matrix: {type: sift}}]`, `5: variants[{type}].matrix.type: found "sift", want a list of values, or labels of keys to set`},
	{`variants: [{name: "{type}", matrix: {type: [sift, sift]}}]`, `5: variants[{type}].matrix.type: found "sift" twice`},
	{`variants: [{name: "{p}", type: sift, matrix: {p: [{scales: [1]}]}}]`, `5: variants[{p}].matrix.p: found a mapping, want a word or a number; for anything else, label it: {LABEL: {p: VALUE}}`},
	{`variants: [{name: "{root}", type: sift, matrix: {root: {a: l1}}}]`, `5: variants[{root}].matrix.root: found "l1", want the keys that the label a sets, such as {root: l1}, or {} for none`},
	{`variants: [{name: "{typ}", matrix: {type: [sift]}}]`, `5: variants[{typ}].name: found {typ} in it, which is not a dimension of the matrix, want type`},
	{`variants: [{name: "{type}", label: "{root} SIFT", matrix: {type: [sift]}}]`, `5: variants[{type}].label: found {root} in it, which is not a dimension of the matrix, want type`},
	{`variants: [{name: x, matrix: {type: [sift, surf]}}]`, `5: variants[x].name: gives "x" twice, for {type: sift} and for {type: surf}; want other labels or another template`},
	{`variants: [{name: "{a}{b}", type: sift, matrix: {a: {x: {}, xy: {}}, b: {yz: {}, z: {}}}}]`, `5: variants[{a}{b}].name: gives "xyz" twice, for {a: x, b: yz} and for {a: xy, b: z}; want other labels or another template`},
	{`variants: [{name: "-{x}", type: sift, matrix: {x: {a b: {}}}}]`, `5: descriptors[#1].name: found "a b", want ` + nameRule.want},
	{`variants: [{name: "{type}-{a}-{b}", matrix: {type: [sift], a: {x: {root: l1}}, b: {y: {root: none}}}}]`, `5: variants[{type}-{a}-{b}].matrix.b: found root, which the dimension a sets, too; want one of the two`},
	{"variants:\n  - name: \"{type}-{root}\"\n    matrix:\n      type: [sift, surf]\n      root: {\"\": {}, r: {root: l1}}",
		`9: descriptors[surf-r].root: found "l1", want none: root needs non-negative elements`},
	{"descriptors: [{name: sift, type: sift}]\nvariants: [{name: \"{type}\", matrix: {type: [sift]}}]",
		`6: descriptors[#2].name: found "sift", which is the name of the descriptor on line 5, want another name`},
	{"variants:\n  - {name: \"{type}-{k}\", matrix: {type: [mstd], k: [1, 2, 3]}}",
		`6: descriptors[mstd-1].k: unknown key, want one of name, label, variant, type, keypoints, pooling, root, normalize, matcher`},
	{"variants: [{name: \"{type}\",\n  matrix: {type: [sift]},\n  key: 1}]",
		`7: descriptors[sift].key: unknown key, want one of name, label, variant, type, keypoints, n_octave_layers, sigma, pyramid, pooling, root, normalize, matcher`},
	{"variants:\n  - name: \"{type}-{root}\"\n    matrix:\n      type: [sift]\n      root: {a: {}, b: {root: l3}}",
		`9: descriptors[sift-b].root: found "l3", want one of none, l1 (did you mean l1?)`},
	{"variants: [{name: \"{a}{b}{c}{d}\", type: sift, matrix: {" + many("a") + ", " + many("b") + ", " + many("c") + "}}]",
		`5: variants[{a}{b}{c}{d}].matrix: found more than 1000 combinations, want at most 1000`},
	{`descriptors: [{name: x, type: mstd, variants: a}]`, `5: descriptors[x].variants: unknown key, want a key of a descriptor; variants is a section beside descriptors`},
	{"variants: [{name: \"{evaluation.tolerance_px}\", type: mstd, matrix: {evaluation.tolerance_px: [1, 3]}}]",
		`5: descriptors[1]."evaluation.tolerance_px": unknown key, want a key of a descriptor; evaluation holds for all of them: make a run for each value, or use descbench eval --sweep`},
}

// many returns a dimension with 11 values.
func many(name string) string {
	var values []string
	for i := range 11 {
		values = append(values, fmt.Sprint(i))
	}
	return name + ": [" + strings.Join(values, ", ") + "]"
}

func TestBadVariantsAreRefusedWithLineKeyAndReason(t *testing.T) {
	for _, bad := range badVariants {
		text := "experiment: {name: t}\ndataset: {root: scenes}\nkeypoint_sets:\n  - {name: s, detect: {type: sift}}\n" + bad.section + "\n"
		_, err := load("f", []byte(text), Overrides{})
		must.Fail(t, err, "f:"+bad.fault)
	}
}
