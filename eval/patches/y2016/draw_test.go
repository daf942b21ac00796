package y2016

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/eval/patches"
)

// drawnSet draws a set of n sequences of 20 patches, of which the first of each has no
// texture.
func drawnSet(t *testing.T, name string, n int, d Drawing) map[string]patches.File {
	t.Helper()
	var sequences []patches.StripSequence
	for i := range n {
		textured := slices.Repeat([]bool{true}, 20)
		textured[0] = false
		sequences = append(sequences, patches.StripSequence{Name: fmt.Sprintf("%c_%d", "iv"[i%2], i), Textured: textured})
	}
	drawn := must.Get(Draw(name, sequences, d))(t)
	byName := make(map[string]patches.File)
	for _, f := range drawn.Files {
		byName[f.Name] = f
	}
	return byName
}

func written(t *testing.T, f patches.File) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, f.Write(&b))
	return &b
}

// The benchmark draws 5 and 2 pools of its 76 training sequences and 3 and 1 of its 40
// test sequences, with 500 and 4000 queries.
func TestASetHasTheFilesOfTheBenchmark(t *testing.T) {
	for _, c := range []struct {
		name                 string
		sequences, of5, of40 int
	}{{"train", 76, 5, 2}, {"test", 40, 3, 1}} {
		want := map[string]int{}
		for _, noise := range []string{"easy", "hard"} {
			want["classification/"+c.name+"_pos_"+noise+".pairs"] = 200
			for _, category := range []string{"illum", "viewpoint"} {
				pairs := c.sequences / 2 * 5
				want["matching/"+c.name+"_"+noise+"_"+category+".benchmark"] = pairs
				want["matching/"+c.name+"_"+noise+"_"+category+".labels"] = 3 * pairs
			}
			for _, pool := range []struct{ draws, sequences, queries int }{{c.of5, 5, 5 * 19}, {c.of40, 40, 40 * 19}} {
				for draw := range pool.draws {
					name := fmt.Sprintf("retrieval/%s_%s_%ds_%02d", c.name, noise, pool.sequences, draw)
					want[name+".benchmark"], want[name+".labels"] = 1+pool.queries, 1+pool.queries
				}
			}
		}
		for _, kind := range []string{"diffseq", "sameseq"} {
			want["classification/"+c.name+"_neg_"+kind+".pairs"] = 1000
		}
		got := map[string]int{}
		for name, f := range drawnSet(t, c.name, c.sequences, Drawing{1000, 1}) {
			got[name] = strings.Count(written(t, f).String(), "\n")
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
	}
}

// The readers reject negatives that are positives, queries outside the pool, labels
// that do not fit, and so on.
func TestDrawnFilesKeepTheRulesOfTheBenchmark(t *testing.T) {
	files := drawnSet(t, "test", 6, Drawing{3000, 1})
	images := map[string]bool{}
	for _, f := range files {
		if !strings.HasPrefix(f.Name, string(Classification)) {
			continue
		}
		p := must.Get(ReadPairs(f.Name, written(t, f)))(t)
		seen := map[string]bool{}
		for _, pair := range p.List {
			noise := "e"
			if strings.Contains(f.Name, "hard") {
				noise = "h"
			}
			for _, image := range []string{pair.A.Image, pair.B.Image} {
				images[f.Name+image] = true
				if image != "ref" && !strings.HasPrefix(image, noise) {
					t.Fatalf("%s: %v", f.Name, pair)
				}
			}
			if pair.A.Image == pair.B.Image || strings.Contains(f.Name, "diffseq") == (pair.A.Sequence == pair.B.Sequence) {
				t.Fatalf("%s: %v", f.Name, pair)
			}
			ends := []string{pair.A.String(), pair.B.String()}
			slices.Sort(ends)
			if key := strings.Join(ends, ","); p.Positive && seen[key] {
				t.Fatalf("%s: %v is drawn twice", f.Name, pair)
			} else {
				seen[key] = true
			}
		}
	}
	if len(images) != 4*6 {
		t.Errorf("%d kinds of images in four lists, want all 6 in each", len(images))
	}
	for _, noise := range []string{"easy", "hard"} {
		matching := must.Get(ReadMatchingBenchmark("", written(t, files["matching/test_"+noise+"_illum.benchmark"])))(t)
		must.Get(ReadMatchingLabels("", written(t, files["matching/test_"+noise+"_illum.labels"]), matching))(t)
		if got, want := matching.Pairs[0].String(), "i_0.ref,i_0."+noise[:1]+"1"; got != want || len(matching.Pairs) != 15 {
			t.Errorf("first of %d image pairs %s, want %s of 15", len(matching.Pairs), got, want)
		}
		retrieval := must.Get(ReadRetrievalBenchmark("", written(t, files["retrieval/test_"+noise+"_5s_00.benchmark"])))(t)
		must.Get(ReadClusters("", written(t, files["retrieval/test_"+noise+"_5s_00.labels"]), retrieval, nil))(t)
		if len(retrieval.Pool) != 30 || len(retrieval.Queries) != 5*19 {
			t.Errorf("%d images and %d queries, want 30 and 95", len(retrieval.Pool), len(retrieval.Queries))
		}
		for _, q := range retrieval.Queries {
			if q.Image != "ref" || q.Index == 0 {
				t.Fatalf("query %s, want textured patches of references", q)
			}
		}
	}
}

func TestTooFewSequencesOrPatchesAreRefused(t *testing.T) {
	many, two := make([]bool, 100), []bool{true, true}
	for want, textured := range map[string][][]bool{
		"1 sequence, want at least 2":       {many},
		"a pool of 1200 patches, 0 of them": {many, many},
		"a pool of 24 patches, 4 of them":   {two, two},
	} {
		var sequences []patches.StripSequence
		for i, patch := range textured {
			sequences = append(sequences, patches.StripSequence{Name: fmt.Sprint("v_", i), Textured: patch})
		}
		_, err := Draw("test", sequences, Drawing{100, 1})
		must.FailAbout(t, err, want)
	}
}
