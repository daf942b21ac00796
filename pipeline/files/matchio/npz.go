package matchio

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"descbench/keypoints"
	"descbench/pipeline/files/keypointio"
	"descbench/pipeline/files/npz"
)

// confidences are the arrays of scores or distances.
var confidences = []struct {
	name  string
	score bool
}{
	{"scores", true}, {"confidence", true}, {"matching_scores", true}, {"matching_scores0", true}, {"distances", false},
}

// FromArchive returns the matches in the arrays of an archive, checked like those of a
// file.
func FromArchive(archive *npz.Archive) (*Matches, error) {
	m := &Matches{Keypoints: [2]int{-1, -1}}
	points, half, err := readPoints(archive)
	m.Half = half
	if err != nil {
		return nil, err
	}
	for i := range m.Sizes {
		if m.Sizes[i], err = archive.Numbers(fmt.Sprint("image_size", i)); err != nil {
			return nil, err
		}
	}
	if points[0] != nil {
		m.Points, m.Keypoints = true, [2]int{len(points[0]), len(points[1])}
	}
	if counts, err := archive.Numbers("keypoint_counts"); err != nil {
		return nil, err
	} else if len(counts) == 2 && !m.Points {
		m.Keypoints = [2]int{int(counts[0]), int(counts[1])}
	}
	var per []int // match by element of the confidences, -1 without; nil: one each
	switch {
	case archive.Has("matches0") && archive.Has("matches"):
		return nil, errors.New("found matches0 and matches, want one of the two")
	case archive.Has("matches0"):
		per, err = m.readMatches0(archive)
	case archive.Has("matches"):
		err = m.readRows(archive)
	case !m.Points:
		return nil, errors.New("found none of matches0, matches, and keypoints0 with keypoints1, want one of them")
	case len(points[0]) != len(points[1]):
		return nil, fmt.Errorf("keypoints0 and keypoints1 have %d and %d rows, want as many, one per match, or matches0 or matches", len(points[0]), len(points[1]))
	default:
		for range points[0] {
			m.List = append(m.List, Match{Row0: -1, Row1: -1})
		}
	}
	if err != nil {
		return nil, err
	}
	for i := range m.List {
		at := &m.List[i]
		at.Distance = math.NaN()
		if !m.Points {
			continue
		}
		a, b := i, i
		if m.Rows {
			a, b = at.Row0, at.Row1
		}
		at.X0, at.Y0, at.X1, at.Y1 = points[0][a].X, points[0][a].Y, points[1][b].X, points[1][b].Y
	}
	return m, m.readConfidences(archive, per)
}

// readPoints reads the positions of both images, nil without them.
func readPoints(archive *npz.Archive) (points [2][]keypoints.Keypoint, half bool, err error) {
	if archive.Has("keypoints0") != archive.Has("keypoints1") {
		return points, false, errors.New("found one of keypoints0 and keypoints1, want both or neither")
	}
	if !archive.Has("keypoints0") {
		return points, false, nil
	}
	for i, name := range []string{"keypoints0", "keypoints1"} {
		array, err := arrayOf(archive, name, 2)
		if err != nil {
			return points, false, err
		}
		half = half || strings.HasSuffix(array.Type, "f2")
		points[i] = make([]keypoints.Keypoint, array.Shape[0])
		if err := keypointio.SetColumns(points[i], keypoints.Columns()[:2], name, array); err != nil { // x and y
			return points, false, err
		}
	}
	return points, half, nil
}

// arrayOf reads an array of one column or of several, and drops the dimension of a
// batch.
func arrayOf(archive *npz.Archive, name string, columns int) (npz.Array, error) {
	array, err := archive.Array(name)
	if err != nil {
		return array, err
	}
	if array.Type == "|b1" && strings.HasPrefix(name, "matches") {
		return array, fmt.Errorf("%s: found booleans, want numbers of rows; for a mask, return np.argwhere(mask) as matches, or np.where(mask, rows, -1) as matches0", name)
	}
	dimensions, want := 1, "(N,)"
	if columns > 1 {
		dimensions, want = 2, fmt.Sprintf("(N, %d)", columns)
	}
	if len(array.Shape) == dimensions+1 && array.Shape[0] == 1 {
		array.Shape = array.Shape[1:]
	}
	if name == "matches0" && len(array.Shape) == 2 && array.Shape[1] == 2 {
		want += `; pairs of rows are the array matches: return {"matches": ...}`
	}
	if name == "matches" && len(array.Shape) == 1 {
		want += `; a row number for each keypoint is the array matches0: return {"matches0": ...}`
	}
	if len(array.Shape) != dimensions || columns > 1 && array.Shape[1] != columns {
		return array, fmt.Errorf("%s: shape %s, want %s", name, array.ShapeString(), want)
	}
	if array.Shape[0] > maxMatches {
		return array, fmt.Errorf("%s: shape %s, want at most %d rows", name, array.ShapeString(), maxMatches)
	}
	return array, nil
}

// readMatches0 reads the match of each keypoint of the first image, and returns the
// index of each keypoint's match.
func (m *Matches) readMatches0(archive *npz.Archive) (per []int, err error) {
	array, err := arrayOf(archive, "matches0", 1)
	if err != nil {
		return nil, err
	}
	n := array.Shape[0]
	if m.Keypoints[0] >= 0 && m.Keypoints[0] != n {
		return nil, fmt.Errorf("matches0 has %d elements, want %d, one per row of keypoints0", n, m.Keypoints[0])
	}
	m.Rows, m.Keypoints[0] = true, n
	per = make([]int, n)
	err = array.Each(func(i int, v float64) error {
		if per[i] = -1; v == -1 {
			return nil
		}
		other, err := row(v, m.Keypoints[1])
		if err != nil {
			return fmt.Errorf("matches0: element %d: %w, or -1", i, err)
		}
		per[i] = len(m.List)
		m.List = append(m.List, Match{Row0: i, Row1: other})
		return nil
	})
	return per, err
}

// readRows reads the pairs of rows.
func (m *Matches) readRows(archive *npz.Archive) error {
	array, err := arrayOf(archive, "matches", 2)
	if err != nil {
		return err
	}
	m.Rows, m.List = true, make([]Match, array.Shape[0])
	return array.Each(func(i int, v float64) error {
		number, err := row(v, m.Keypoints[i%2])
		if err != nil {
			return fmt.Errorf("matches: row %d, column %d: %w", i/2, i%2, err)
		}
		if i%2 == 0 {
			m.List[i/2].Row0 = number
		} else {
			m.List[i/2].Row1 = number
		}
		return nil
	})
}

// readConfidences reads the array of scores or distances, if there is one.
func (m *Matches) readConfidences(archive *npz.Archive, per []int) error {
	for _, c := range confidences {
		if !archive.Has(c.name) {
			continue
		}
		if m.Scored {
			return fmt.Errorf("found %s and another array of scores or distances, want one", c.name)
		}
		m.Scored = true
		array, err := arrayOf(archive, c.name, 1)
		if err != nil {
			return err
		}
		want := len(m.List)
		if per != nil {
			want = len(per)
		}
		if array.Shape[0] != want {
			return fmt.Errorf("%s: shape %s, want (%d,)", c.name, array.ShapeString(), want)
		}
		err = array.Each(func(i int, v float64) error {
			at := i
			if per != nil {
				at = per[i]
			}
			if at < 0 {
				return nil
			}
			if m.List[at].Distance, err = distanceOf(v, c.score); err != nil {
				return fmt.Errorf("%s: element %d: %w", c.name, i, err)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
