// Package matchio reads the matches of an image pair that another program found,
// from NumPy archives (.npz). It is pure Go.
//
// Matches are pairs of keypoints, given by their rows in the keypoint sets of the
// two images, or pairs of positions of a method without keypoints (detector-free).
// An archive contains one of
//
//	matches0              N: for each keypoint of the first image, the row of its match
//	                      in the second one, or -1 (hloc, glue-factory)
//	matches               M×2: the rows of each match in the first and the second image
//	keypoints0, keypoints1  M×2 each: the positions x, y of each match in px (LoFTR);
//	                      with matches0 or matches, the keypoints that these refer to
//
// and optionally, with one element per match (or per element of matches0), scores,
// confidence, matching_scores or matching_scores0, from 0 to 1, or distances, 0 or
// more (up to 1e-5 outside counts as rounded), and keypoint_counts, the numbers of keypoints of the two images, -1 if unknown. A leading dimension of 1, of a batch, is dropped.
// Rows are counted from 0. Other arrays are ignored.
package matchio

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"descbench/keypoints"
	"descbench/pipeline/files/keypointio"
)

// maxMatches limits the matches of one image pair.
const maxMatches = 1 << 24

// Matches are the matches of an image pair.
type Matches struct {
	// List holds the matches in the order of the file.
	List []Match
	// Keypoints are the numbers of keypoints of the two images, -1 where the file
	// does not state them.
	Keypoints [2]int
	// Points says that the matches have positions, Rows that they have rows. One of
	// the two is true, or both.
	Points, Rows bool
	// Scored says that the matches have distances.
	Scored bool
	// Sizes are the width and the height of each image in which the positions are; nil where
	// the file does not state them.
	Sizes [2][]float64
	// Moved says that positions were moved from the stored image to the one that a run made of it.
	Moved bool
	// Cut says that matches were left out because a run's crop cuts them off.
	Cut bool
	// Half says that positions are 16-bit numbers, which are rounded.
	Half bool
	// Ignored are the names of the arrays of a file that were not read.
	Ignored []string
}

// A Match is a pair of keypoints or positions.
type Match struct {
	Row0, Row1     int // in the keypoint sets; -1 without
	X0, Y0, X1, Y1 float32
	// Distance is the file's distance, or 1 minus its score, so that the best match
	// has the smallest one; NaN without either.
	Distance float64
}

// A Numbering says which row numbers the matches of an image may have, and which of them
// are those of the keypoints of its set.
type Numbering struct {
	Rows int
	Of   []int32 // by keypoint of the set; nil: all Rows, in order
	// At are the keypoints of the set, with which positions of matches are compared; nil: they are not.
	At []keypoints.Keypoint
}

// Len returns the number of keypoints of the set.
func (n Numbering) Len() int {
	if n.Of == nil {
		return n.Rows
	}
	return len(n.Of)
}

// keypoints returns the keypoint of the set that each row number means, -1 for none.
func (n Numbering) keypoints() []int32 {
	of := make([]int32, n.Rows)
	for row := range of {
		if of[row] = int32(row); n.Of != nil {
			of[row] = -1
		}
	}
	for k, row := range n.Of {
		of[row] = int32(k)
	}
	return of
}

// ByRow returns, for each keypoint of image 1, the row of its match in image K or -1, and
// the distance of the match. It leaves out matches of keypoints that are not in the sets. It
// returns an error if the matches have not these row numbers, of what it calls by the name set, or
// have other positions than its keypoints.
func (m *Matches) ByRow(set string, first, other Numbering) ([]int32, []float64, error) {
	if !m.Rows {
		return nil, nil, fmt.Errorf("positions without rows, want matches0 or matches, the rows of the keypoint set; remove the key keypoints, or of, from the config to use the positions")
	}
	for i, want := range [2]int{first.Rows, other.Rows} {
		if n := m.Keypoints[i]; n >= 0 && n != want {
			cure := "want the keypoints that were matched, without further selection"
			if n < want && !m.Points {
				cure = "want a row for each keypoint, -1 without a match; the pairs of accepted matches are the array matches, M×2"
			}
			return nil, nil, fmt.Errorf("matches of %d keypoints, but %s has %d in this image; %s", n, set, want, cure)
		}
	}
	of1, ofK := first.keypoints(), other.keypoints()
	rows, distances := make([]int32, first.Len()), make([]float64, first.Len())
	for i := range rows {
		rows[i], distances[i] = -1, math.NaN()
	}
	for i, at := range m.List {
		if at.Row0 >= first.Rows || at.Row1 >= other.Rows {
			image, row, n, hint := "1", at.Row0, first.Rows, ""
			if row < n {
				image, row, n = "k", at.Row1, other.Rows
			}
			if at.Row0 <= first.Rows && at.Row1 <= other.Rows {
				hint = " counted from 1?"
			}
			return nil, nil, fmt.Errorf("match %d: row %d of image %s, but %s has %d keypoints there;%s want rows from 0", i, row, image, set, n, hint)
		}
		switch a, b := of1[at.Row0], ofK[at.Row1]; {
		case a < 0 || b < 0:
		case rows[a] >= 0:
			return nil, nil, fmt.Errorf("match %d: row %d of image 1 has another match, want at most one per keypoint; write positions for more", i, at.Row0)
		default:
			rows[a], distances[a] = b, at.Distance
			if !m.Points {
				continue
			}
			if err := cmp.Or(first.contradicts(a, at.X0, at.Y0), other.contradicts(b, at.X1, at.Y1)); err != nil {
				return nil, nil, fmt.Errorf("match %d, rows %d and %d of %s: %w", i, at.Row0, at.Row1, set, err)
			}
		}
	}
	return rows, distances, nil
}

// contradicts returns an error if keypoint k of the set is elsewhere. Half floats and other rules
// of scaling shift positions by up to 2 px.
func (n Numbering) contradicts(k int32, x, y float32) error {
	if n.At == nil || math.Hypot(float64(n.At[k].X-x), float64(n.At[k].Y-y)) <= 2 {
		return nil
	}
	return fmt.Errorf("a keypoint is at (%g, %g), but keypoints0 or keypoints1 has it at (%g, %g); want the keypoints that were matched", n.At[k].X, n.At[k].Y, x, y)
}

// Read reads a file. Errors contain the file name and the array.
func Read(path string) (*Matches, error) {
	archive, _, err := keypointio.Open(path)
	if err == nil && archive == nil {
		err = errors.New("found no .npz archive, want one: numpy.savez(FILE, matches=...)")
	}
	var m *Matches
	if err == nil {
		m, err = FromArchive(archive)
	}
	if err != nil {
		return nil, fmt.Errorf("imported matches: %s: %w", path, err)
	}
	m.Ignored = archive.Unread()
	return m, nil
}

// row checks a row number.
func row(v float64, keypoints int) (int, error) {
	if v != math.Trunc(v) || v < 0 || v > math.MaxInt32 {
		return 0, fmt.Errorf("%v, want the row of a keypoint, counted from 0", v)
	}
	if keypoints >= 0 && int(v) >= keypoints {
		return 0, fmt.Errorf("row %v of %d keypoints", v, keypoints)
	}
	return int(v), nil
}

// rounding is how far scores and distances may be out of range: sums and products of float32.
const rounding = 1e-5

// distanceOf converts a score or checks a distance.
func distanceOf(v float64, score bool) (float64, error) {
	switch {
	case score && v >= -rounding && v <= 1+rounding:
		return 1 - min(max(v, 0), 1), nil
	case score:
		return 0, fmt.Errorf("%v, want a score from 0 to 1, or distances", v)
	case v >= -rounding && !math.IsInf(v, 1):
		return max(v, 0), nil
	}
	return 0, fmt.Errorf("%v, want a distance of 0 or more", v)
}
