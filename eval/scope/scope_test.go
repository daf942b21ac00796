package scope

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
)

// pairsOf returns a scene whose tallies are its name with each k.
func pairsOf(name string, ks ...int) Scene[string] {
	s := Scene[string]{Name: name}
	for _, k := range ks {
		s.Parts = append(s.Parts, Part[string]{k, fmt.Sprint(name, k)})
	}
	return s
}

func TestScopesCoverWhatTheirNamesSay(t *testing.T) {
	scenes := []Scene[string]{pairsOf("i_a", 2, 3), pairsOf("v_b", 3), pairsOf("v_c", 2)}
	subset := Subset{"few", func(scene string) bool { return scene != "v_c" }}
	none := Subset{"none", func(string) bool { return false }}
	var got []string
	for _, s := range Of(scenes, subset, none) {
		got = append(got, fmt.Sprint(s.Kind, " ", s.Name, ": ", strings.Join(s.Tallies(), " ")))
	}
	want := []string{
		"0 all: i_a2 i_a3 v_b3 v_c2",
		"1 viewpoint: v_b3 v_c2", "1 illumination: i_a2 i_a3",
		"2 subset:few: i_a2 i_a3 v_b3", "2 subset:few/viewpoint: v_b3", "2 subset:few/illumination: i_a2 i_a3",
		"4 k:2: i_a2 v_c2", "4 k:3: i_a3 v_b3",
		"5 scene:i_a: i_a2 i_a3", "5 scene:v_b: v_b3", "5 scene:v_c: v_c2",
		"6 pair:i_a/1_2: i_a2", "6 pair:i_a/1_3: i_a3", "6 pair:v_b/1_3: v_b3", "6 pair:v_c/1_2: v_c2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestGroupsOfScenesAreScopesIfThereAreSeveral(t *testing.T) {
	var got []string
	for _, s := range Of([]Scene[string]{pairsOf("hall/a-b", 2), pairsOf("hall/a-c", 2), pairsOf("yard/a-b", 2)}) {
		if s.Kind == OneGroup {
			got = append(got, fmt.Sprint(s.Name, ": ", strings.Join(s.Tallies(), " ")))
		}
	}
	if want := []string{"group:hall: hall/a-b2 hall/a-c2", "group:yard: yard/a-b2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, scenes := range [][]Scene[string]{{pairsOf("hall/a-b", 2), pairsOf("hall/a-c", 2)}, {pairsOf("v_a", 2), pairsOf("v_b", 2)}} {
		for _, s := range Of(scenes) {
			if s.Kind == OneGroup {
				t.Errorf("%s, of all scenes or of one", s.Name)
			}
		}
	}
	if id := Parse("group:hall"); id.Kind != OneGroup || id.Group != "hall" {
		t.Errorf("parsed %+v", id)
	}
}

func TestTalliesOfWholeScenesHaveNoScopesOfPairs(t *testing.T) {
	var got []string
	for _, s := range Of([]Scene[string]{pairsOf("other", 0), pairsOf("v_b", 0)}) {
		got = append(got, s.Name)
	}
	if want := []string{"all", "viewpoint", "other", "scene:other", "scene:v_b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestALedgerYieldsScenesByNameAndPairsByK(t *testing.T) {
	l := NewLedger[int]("d")
	for _, p := range []struct {
		scene string
		k     int
	}{{"v_b", 3}, {"i_a", 2}, {"v_b", 2}} {
		must.Do(t, l.Enter("d", p.scene, p.k, 10*p.k))
	}
	want := []Scene[int]{{"i_a", []Part[int]{{2, 20}}}, {"v_b", []Part[int]{{2, 20}, {3, 30}}}}
	if got := l.Scenes(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestALedgerRefusesWhatDoesNotBelongToIt(t *testing.T) {
	l := NewLedger[int]("d")
	must.Do(t, l.Enter("d", "v_a", 2, 1))
	for want, err := range map[string]error{
		"d: v_a/1_3: records of descriptor \"e\"": l.Enter("e", "v_a", 3, 1),
		"d: v_a/1_2: added twice":                 l.Enter("d", "v_a", 2, 1),
		"d: : the scene has no name":              l.Enter("d", "", 0, 1),
	} {
		must.Fail(t, err, want)
	}
	if got := l.Scenes(); len(got) != 1 || len(got[0].Parts) != 1 {
		t.Errorf("what was refused was entered: %v", got)
	}
}

// Two scenes: 1 + 2 of 4 things, and 3 of 2; a third has none. They are too few for
// an interval.
func TestMeansWorkedByHand(t *testing.T) {
	parts := map[string]Fraction{"v_a": {3, 4}, "v_b": {3, 2}, "v_c": {}}
	scenes := []Scene[string]{pairsOf("v_a", 0), pairsOf("v_b", 0), pairsOf("v_c", 0)}
	of := func(s Scene[string]) Fraction { return parts[s.Name] }
	list := &List{}
	Micro(list, "all", "micro", scenes, of)
	Macro(list, "all", "macro", scenes, of)
	Micro(list, "all", "undefined", scenes[2:], of)
	Macro(list, "all", "undefined", nil, of)
	list.Count("all", "count", 0, 0)
	nan := math.NaN()
	want := []Metric{{"all", "micro", 1, nan, nan, 6}, {"all", "macro", 1.125, nan, nan, 2}, {"all", "count", 0, nan, nan, 0}}
	if got := list.Metrics; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestCategoriesAreTheFirstLettersOfHPatches(t *testing.T) {
	for scene, want := range map[string]string{"v_wall": Viewpoint, "i_dome": Illumination, "vwall": Other, "": Other} {
		if got := Category(scene); got != want {
			t.Errorf("%q: %s, want %s", scene, got, want)
		}
	}
}

// A scene without items has no mean: it must not widen or move an interval.
func TestScenesWithoutItemsTakeNoPartInIntervals(t *testing.T) {
	of := func(s Scene[Fraction]) Fraction { return s.Parts[0].Tally }
	scene := func(sum float64, n int) Scene[Fraction] {
		return Scene[Fraction]{Name: "v_a", Parts: []Part[Fraction]{{Tally: Fraction{Sum: sum, N: n}}}}
	}
	scenes := []Scene[Fraction]{scene(1, 2), scene(3, 4), scene(1, 5), scene(6, 6), scene(0, 3)}
	empty := append(slices.Clone(scenes), scene(0, 0), scene(0, 0))
	for name, add := range map[string]func(*List, []Scene[Fraction]){
		"micro": func(l *List, s []Scene[Fraction]) { Micro(l, "all", "m", s, of) },
		"macro": func(l *List, s []Scene[Fraction]) { Macro(l, "all", "m", s, of) },
	} {
		a, b := &List{}, &List{}
		add(a, scenes)
		add(b, empty)
		if a.Metrics[0] != b.Metrics[0] || !(a.Metrics[0].Low < a.Metrics[0].High) {
			t.Errorf("%s: %+v with scenes without items, %+v without them", name, b.Metrics[0], a.Metrics[0])
		}
	}
	// With one item in each scene, both means are the same.
	var ones []Scene[Fraction]
	for i := range 6 {
		ones = append(ones, scene(float64(i), 1))
	}
	l := &List{}
	Micro(l, "all", "m", ones, of)
	Macro(l, "all", "m", ones, of)
	if l.Metrics[0] != l.Metrics[1] || !(l.Metrics[0].Low < l.Metrics[0].High) {
		t.Errorf("scenes of one item: %+v", l.Metrics)
	}
}

func TestNamesOfScopesSayWhatTheyCover(t *testing.T) {
	for name, want := range map[string]ID{
		"all": {Kind: Everything}, "viewpoint": {Kind: OneCategory, Category: Viewpoint}, "subset:108": {Kind: OneSubset, Subset: "108"},
		"subset:108/other": {Kind: OneSubset, Subset: "108", Category: Other}, "k:12": {Kind: OneImage, K: 12}, "scene:v_wall": {Kind: OneScene, Scene: "v_wall"},
		"scene:hall/1_2": {Kind: OneScene, Scene: "hall/1_2"}, "pair:v_wall/1_3": {Kind: OnePair, Scene: "v_wall", K: 3}, "pair:hall/a/1_3": {Kind: OnePair, Scene: "hall/a", K: 3},
		"k:x": {Kind: Unknown}, "pair:v_wall": {Kind: Unknown}, "v_wall": {Kind: Unknown}, "": {Kind: Unknown},
	} {
		if got := Parse(name); got != want {
			t.Errorf("%q: got %+v, want %+v", name, got, want)
		}
	}
}
