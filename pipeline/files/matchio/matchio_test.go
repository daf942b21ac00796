package matchio

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline/files/npz"
)

// archive returns an .npz file of the members.
func archive(t *testing.T, members ...npz.Member) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, npz.WriteArchive(&b, members, ""))
	return b.String()
}

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "1_2.matches")
	must.Do(t, os.WriteFile(path, []byte(content), 0o666))
	return path
}

func points(name string, v ...float32) npz.Member { return npz.Of(v, len(v)/2, 2).Member(name) }

func TestMatchesAreReadAsOtherProgramsWriteThem(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		want Matches
	}{
		"hloc": {
			archive(t, npz.Of([]int32{-1, 2, 0}, 3).Member("matches0"), npz.Of([]float32{0, 0.75, 0.5}, 3).Member("matching_scores0"), points("extra")),
			Matches{Ignored: []string{"extra"}, Rows: true, Scored: true, Keypoints: [2]int{3, -1}, List: []Match{{Row0: 1, Row1: 2, Distance: 0.25}, {Row0: 2, Row1: 0, Distance: 0.5}}},
		},
		"glue-factory, with a batch": {
			archive(t, points("keypoints0", 1, 2, 3, 4), points("keypoints1", 5, 6), npz.Of([]int64{-1, 0}, 1, 2).Member("matches0")),
			Matches{Rows: true, Points: true, Keypoints: [2]int{2, 1}, List: []Match{{Row0: 1, Row1: 0, X0: 3, Y0: 4, X1: 5, Y1: 6, Distance: math.NaN()}}},
		},
		"LoFTR": {
			archive(t, points("keypoints0", 1, 2, 3, 4), points("keypoints1", 5, 6, 7, 8), npz.Of([]float32{1, 0.5}, 2).Member("confidence")),
			Matches{Points: true, Scored: true, Keypoints: [2]int{2, 2}, List: []Match{
				{Row0: -1, Row1: -1, X0: 1, Y0: 2, X1: 5, Y1: 6}, {Row0: -1, Row1: -1, X0: 3, Y0: 4, X1: 7, Y1: 8, Distance: 0.5}}},
		},
		"pairs of rows": {
			archive(t, npz.Of([]int32{4, 1, 0, 3}, 2, 2).Member("matches"), npz.Of([]float32{12.5, 3}, 2).Member("distances")),
			Matches{Rows: true, Scored: true, Keypoints: [2]int{-1, -1}, List: []Match{{Row0: 4, Row1: 1, Distance: 12.5}, {Row0: 0, Row1: 3, Distance: 3}}},
		},
		"scores and distances that float32 rounds": {
			archive(t, npz.Of([]int32{0, 1, 2}, 3).Member("matches0"), npz.Of([]float32{1 + 1.0/131072, -1.0 / 131072, 0.5}, 3).Member("matching_scores0")),
			Matches{Rows: true, Scored: true, Keypoints: [2]int{3, -1}, List: []Match{{}, {Row0: 1, Row1: 1, Distance: 1}, {Row0: 2, Row1: 2, Distance: 0.5}}},
		},
		"a distance that float32 rounds": {
			archive(t, npz.Of([]int32{4, 1}, 1, 2).Member("matches"), npz.Of([]float32{-9e-6}, 1).Member("distances")),
			Matches{Rows: true, Scored: true, Keypoints: [2]int{-1, -1}, List: []Match{{Row0: 4, Row1: 1}}},
		},
		"no matches": {archive(t, npz.Of([]int32{}, 0, 2).Member("matches")), Matches{Rows: true, Keypoints: [2]int{-1, -1}, List: []Match{}}},
	} {
		got, err := Read(write(t, c.file))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, m := range c.want.List { // NaN is not equal to itself
			if math.IsNaN(m.Distance) && math.IsNaN(got.List[i].Distance) {
				c.want.List[i].Distance, got.List[i].Distance = 0, 0
			}
		}
		if !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s: got %+v\nwant %+v", name, *got, c.want)
		}
	}
}

func TestFaultyFilesOfMatchesAreRefused(t *testing.T) {
	rows := func(v ...float32) npz.Member { return npz.Of(v, len(v)).Member("matches0") }
	for want, file := range map[string]string{
		`matches: shape (2,), want (N, 2); a row number for each keypoint is the array matches0: return {"matches0": ...}`: archive(t, npz.Of(make([]int32, 2), 2).Member("matches")),

		"found none of matches0, matches, and keypoints0 with keypoints1":                                                                         archive(t, npz.Of([]int32{1}, 1).Member("pairs")),
		"found one of keypoints0 and keypoints1, want both or neither":                                                                            archive(t, points("keypoints0", 1, 2)),
		"keypoints0 and keypoints1 have 1 and 2 rows, want as many":                                                                               archive(t, points("keypoints0", 1, 2), points("keypoints1", 1, 2, 3, 4)),
		"matches0: element 1: 0.5, want the row of a keypoint, counted from 0, or -1":                                                             archive(t, rows(-1, 0.5)),
		"matches0: element 0: -2, want the row of a keypoint":                                                                                     archive(t, rows(-2)),
		"matches0: element 0: row 1 of 1 keypoints, or -1":                                                                                        archive(t, rows(1), points("keypoints0", 1, 2), points("keypoints1", 1, 2)),
		"matches0 has 2 elements, want 1, one per row of keypoints0":                                                                              archive(t, rows(0, 0), points("keypoints0", 1, 2), points("keypoints1", 1, 2)),
		"matches: found booleans, want numbers of rows; for a mask, return np.argwhere(mask) as matches, or np.where(mask, rows, -1) as matches0": archive(t, npz.Of(make([]bool, 6), 2, 3).Member("matches")),
		"matches: shape (2, 3), want (N, 2)":                                                                                                      archive(t, npz.Of(make([]int32, 6), 2, 3).Member("matches")),
		"matching_scores0: element 0: 1.5, want a score from 0 to 1, or distances":                                                                archive(t, rows(0), npz.Of([]float32{1.5}, 1).Member("matching_scores0")),
		"matching_scores0: element 0: 1.0000152587890625, want a score from 0 to 1":                                                               archive(t, rows(0), npz.Of([]float32{1 + 1.0/65536}, 1).Member("matching_scores0")),
		"matching_scores0: element 0: -1.52587890625e-05, want a score from 0 to 1":                                                               archive(t, rows(0), npz.Of([]float32{-1.0 / 65536}, 1).Member("matching_scores0")),
		"distances: element 0: -1.52587890625e-05, want a distance of 0 or more":                                                                  archive(t, rows(0), npz.Of([]float32{-1.0 / 65536}, 1).Member("distances")),
		"matching_scores0: element 0: NaN, want a score from 0 to 1, or distances":                                                                archive(t, rows(0), npz.Of([]float32{float32(math.NaN())}, 1).Member("matching_scores0")),
		"distances: element 0: NaN, want a distance of 0 or more":                                                                                 archive(t, rows(0), npz.Of([]float32{float32(math.NaN())}, 1).Member("distances")),
		"scores: shape (2,), want (1,)":                                                                                                           archive(t, rows(0), npz.Of([]float32{1, 1}, 2).Member("scores")),
		"keypoints1: row 1: y is NaN, want a finite number":                                                                                       archive(t, points("keypoints0", 1, 2, 3, 4), points("keypoints1", 1, 2, 3, float32(math.NaN()))),
		"found no .npz archive, want one":                                                                                                         "row0,row1\n1,2\n",
	} {
		path := write(t, file)
		if _, err := Read(path); err == nil || !strings.HasPrefix(err.Error(), "imported matches: "+path+": "+want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

// Rows 0 and 2 of the file of image 1, and rows 1 to 3 of that of image k, are in the sets.
func TestMatchesNumberTheKeypointsOfTheFilesFromWhichTheSetsTookSome(t *testing.T) {
	m := &Matches{Rows: true, Keypoints: [2]int{-1, 4}, List: []Match{{Row0: 0, Row1: 3, Distance: 5}, {Row0: 1, Row1: 1}, {Row0: 2, Row1: 0}}}
	first, other := Numbering{Rows: 3, Of: []int32{0, 2}}, Numbering{Rows: 4, Of: []int32{1, 2, 3}}
	rows, distances, err := m.ByRow("set", first, other)
	if err != nil || !slices.Equal(rows, []int32{2, -1}) || distances[0] != 5 || !math.IsNaN(distances[1]) {
		t.Errorf("got %v, %v, %v", rows, distances, err)
	}
	if _, _, err := m.ByRow("set", first, Numbering{Rows: 3}); err == nil || !strings.Contains(err.Error(), "matches of 4 keypoints, but set has 3") {
		t.Errorf("error %v", err)
	}
}

// Positions that half floats round or another rule of scaling moves are those of the keypoints.
func TestMatchesWhosePositionsAreNotThoseOfTheirRowsAreRefused(t *testing.T) {
	at := func(x ...float32) (n Numbering) {
		n.Rows = len(x)
		for _, x := range x {
			n.At = append(n.At, keypoints.Keypoint{X: x, Y: 7})
		}
		return n
	}
	for x1, want := range map[float32]string{
		40: "", 41.5: "", 20: "match 0, rows 1 and 0 of set: a keypoint is at (40, 7), but keypoints0 or keypoints1 has it at (20, 7); want the keypoints that were matched",
	} {
		m := &Matches{Rows: true, Points: true, Keypoints: [2]int{2, 2}, List: []Match{{Row0: 1, Row1: 0, X0: 30, Y0: 7, X1: x1, Y1: 7}}}
		_, _, err := m.ByRow("set", at(10, 30), at(40, 20))
		if got := fmt.Sprint(err); got != cmp.Or(want, "<nil>") {
			t.Errorf("x1 = %g: got %s\nwant %s", x1, got, want)
		}
	}
}
