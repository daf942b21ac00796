package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/patches/goldentest"
	"descbench/eval/patches/y2016"
)

// patchesJSONOf returns the output of descbench patches with --json.
func patchesJSONOf(t *testing.T, args ...string) map[string]any {
	t.Helper()
	cmd := newRootCommand()
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetArgs(append([]string{"patches", "--json"}, args...))
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("patches %s: %v", strings.Join(args, " "), err)
	}
	var v map[string]any
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		t.Fatalf("patches %s: %v\n%s", strings.Join(args, " "), err, out.String())
	}
	return v
}

func TestPatchesEvaluatePrintsTheFiguresOfThePublicEvaluations(t *testing.T) {
	dir := goldentest.Folder(t, "../../..")
	expected := goldentest.Expected(t, dir)
	evaluate := func(protocol string) map[string]any {
		return patchesJSONOf(t, "evaluate", "--descriptors", filepath.Join(dir, "small", "descriptors", "sift"),
			"--tasks-dir", filepath.Join(dir, "small", "tasks"), "--split", "a", "--protocol", protocol)
	}
	c := &goldentest.Comparison{T: t}
	defer c.Report()

	got, want := evaluate("p17"), expected["python_2017 sift/L2/a"]
	c.Same("p17 verification", got["verification"], want["verification"])
	c.Same("p17 matching", object(t, got, "matching", "map"), want["matching_map"])
	c.Same("p17 retrieval", object(t, got, "retrieval", "map"), want["retrieval_map"])
	for name, value := range map[string]string{"descriptor": "sift", "split": "a", "protocol": "p17", "distance": "L2"} {
		c.Same(name, got[name], value)
	}

	want = expected["independent sift/L2/a"]
	for _, p := range []struct{ protocol, auc, ap, matching, retrieval string }{
		{"m17", "auc_opt", "ap_trec_posfirst", "matching_map_trec", "retrieval_map_trec"},
		{"hb2016", "auc_opt", "ap_trec_posfirst", "matching_map_trec_over_correct", "retrieval_map_trec"},
		{"grouped", "auc_mid", "ap_sklearn", "", ""},
	} {
		got := evaluate(p.protocol)
		for _, noise := range []string{"e", "h", "t"} {
			for _, kind := range []string{"inter", "intra"} {
				cell := object(t, got, "verification", noise, kind)
				of := object(t, want, "verification", noise, kind)
				name := p.protocol + "/" + noise + "/" + kind
				c.Same(name+"/auc", cell["balanced_auc"], object(t, of, "balanced")[p.auc])
				c.Same(name+"/ap", cell["imbalanced_ap"], object(t, of, "imbalanced")[p.ap])
			}
		}
		if p.matching != "" {
			c.Same(p.protocol+" matching", object(t, got, "matching", "map"), want[p.matching])
			c.Same(p.protocol+" retrieval", object(t, got, "retrieval", "map"), want[p.retrieval])
		}
	}
}

// object returns the object at a path.
func object(t *testing.T, v map[string]any, path ...string) map[string]any {
	t.Helper()
	for _, name := range path {
		next, ok := v[name].(map[string]any)
		if !ok {
			t.Fatalf("no object %s on the way to %v", name, path)
		}
		v = next
	}
	return v
}

func TestPatchesClassifyPrintsTheExpectedFigures(t *testing.T) {
	dir := goldentest.Folder(t, "../../..")
	expected := goldentest.Expected(t, dir)["original_formats"]
	c := &goldentest.Comparison{T: t}
	defer c.Report()
	hand := filepath.Join(dir, "hand", "classification")
	for _, name := range []string{"alltied", "imbalanced", "inverted", "perfect", "simple", "ties"} {
		got := patchesJSONOf(t, "classify", "--pos", filepath.Join(hand, name+"_pos.results"), "--neg", filepath.Join(hand, name+"_neg.results"))
		c.Same(name, got["imbalanced"], expected["hand/classification/"+name])
	}

	// All four combinations in a call: from the results files, from descriptors,
	// and from what the latter wrote.
	folder := filepath.Join(dir, "v1", "results", "classification", "sift")
	benchmarks := filepath.Join(dir, "v1", "benchmarks", "classification")
	out := t.TempDir()
	written := filepath.Join(out, "results", "classification", "sift")
	results := func(folder string) []string {
		return []string{
			"classify", "--pos", filepath.Join(folder, "test_pos_easy.results"), "--pos", filepath.Join(folder, "test_pos_hard.results"),
			"--neg", filepath.Join(folder, "test_neg_diffseq.results"), "--neg", filepath.Join(folder, "test_neg_sameseq.results"),
		}
	}
	compute := []string{"classify", "--descriptors", filepath.Join(dir, "small", "descriptors", "sift"), "--out", out}
	for _, name := range []string{"pos_easy", "pos_hard", "neg_diffseq", "neg_sameseq"} {
		compute = append(compute, "--pairs", filepath.Join(benchmarks, "test_"+name+".pairs"))
	}
	for _, args := range [][]string{results(folder), compute, results(written)} {
		list, _ := patchesJSONOf(t, args...)["combinations"].([]any)
		if len(list) != 4 {
			t.Fatalf("%d combinations, want 4", len(list))
		}
		for _, v := range list {
			got := v.(map[string]any)
			negative := strings.TrimPrefix(y2016.TaskName(got["negatives"].(string)), "test_neg_")
			positive := strings.TrimPrefix(y2016.TaskName(got["positives"].(string)), "test_pos_")
			for _, protocol := range []string{"balanced", "imbalanced"} {
				key := "classification/sift/" + negative + "_" + positive + "/" + protocol
				if expected[key] == nil {
					t.Fatalf("nothing expected of %s", key)
				}
				c.Same(key, got[protocol], expected[key])
			}
		}
	}
}

func TestPatchesMatchPrintsTheExpectedFigures(t *testing.T) {
	dir := goldentest.Folder(t, "../../..")
	expected := goldentest.Expected(t, dir)["original_formats"]
	c := &goldentest.Comparison{T: t}
	defer c.Report()
	evaluate := func(benchmarks, results, name string) map[string]any {
		return patchesJSONOf(t, "match", "--benchmark", filepath.Join(benchmarks, name+".benchmark"),
			"--labels", filepath.Join(benchmarks, name+".labels"), "--results", filepath.Join(results, name+".results"))
	}
	hand := filepath.Join(dir, "hand", "matching")
	for _, name := range []string{"boring_crossed", "boring_identity", "five", "five_ties"} {
		c.Same(name, evaluate(hand, hand, name), expected["hand/matching/"+name])
	}
	benchmarks, out := filepath.Join(dir, "v1", "benchmarks", "matching"), t.TempDir()
	for _, name := range []string{"test_easy_illum", "test_easy_viewpoint", "test_hard_illum", "test_hard_viewpoint"} {
		want := expected["matching/sift/"+name]
		c.Same(name, evaluate(benchmarks, filepath.Join(dir, "v1", "results", "matching", "sift"), name), want)
		// Without labels: patch n matches patch n, as in these labels.
		c.Same(name+" computed", patchesJSONOf(t, "match", "--benchmark", filepath.Join(benchmarks, name+".benchmark"),
			"--descriptors", filepath.Join(dir, "small", "descriptors", "sift"), "--out", out), want)
		c.Same(name+" written", evaluate(benchmarks, filepath.Join(out, "results", "matching", "sift"), name), want)
	}
}

func TestPatchesRetrievePrintsTheExpectedFigures(t *testing.T) {
	dir := goldentest.Folder(t, "../../..")
	expected := goldentest.Expected(t, dir)["original_formats"]
	c := &goldentest.Comparison{T: t}
	defer c.Report()
	evaluate := func(benchmarks, results, name string, more ...string) map[string]any {
		return patchesJSONOf(t, append([]string{
			"retrieve", "--benchmark", filepath.Join(benchmarks, name+".benchmark"),
			"--labels", filepath.Join(benchmarks, name+".labels"), "--results", filepath.Join(results, name+".results"),
		}, more...)...)
	}
	hand := filepath.Join(dir, "hand", "retrieval")
	c.Same("ranks", evaluate(hand, hand, "ranks"), expected["hand/retrieval/ranks"])

	benchmarks, out := filepath.Join(dir, "v1", "benchmarks", "retrieval"), t.TempDir()
	descriptors := []string{"--descriptors", filepath.Join(dir, "small", "descriptors", "sift")}
	for _, name := range []string{"test_easy_2s_00", "test_easy_5s_00", "test_hard_2s_00", "test_hard_5s_00"} {
		want := expected["retrieval/sift/"+name]
		// Chance levels need the descriptors.
		c.Same(name, evaluate(benchmarks, filepath.Join(dir, "v1", "results", "retrieval", "sift"), name, descriptors...), want)
		// Without labels: the clusters are what these labels say.
		c.Same(name+" computed", patchesJSONOf(t, append([]string{
			"retrieve", "--benchmark", filepath.Join(benchmarks, name+".benchmark"), "--out", out,
		}, descriptors...)...), want)
		c.Same(name+" written", evaluate(benchmarks, filepath.Join(out, "results", "retrieval", "sift"), name, descriptors...), want)
	}
}
