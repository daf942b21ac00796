package estimate

import (
	"fmt"
	"math"
	"slices"

	"descbench/eval/matching"
	"descbench/eval/record"
	"descbench/keypoints"
)

// Enter writes what depends on the matcher into the record of an image pair, given
// its query records: the number of correct matches in the shared region of image K,
// and the corner error of the homography that each estimator finds from the
// matches, infinite if it finds none. Nothing else than the records is needed, so
// that it can be done again for another matcher or other estimators.
func Enter(pair *record.Pair, queries []record.Query, m matching.Matcher, estimators []string) error {
	elements, ok := pair.Homography()
	truth := keypoints.Homography(elements)
	inverse, err := truth.Inverse()
	if err != nil || !ok {
		return fmt.Errorf("%s/1_%d: the record has no homography", pair.Scene, pair.K)
	}
	matches := m.Match(queries)
	pair.Matcher = m.String()
	pair.CorrectSharedK = matching.CorrectSharedK(queries, matches, inverse, [2]int{int(pair.Width1), int(pair.Height1)})
	from, to := make([]Point, len(matches)), make([]Point, len(matches))
	for i, row := range matches {
		q := &queries[row]
		from[i], to[i] = Point{q.X, q.Y}, Point{q.NearestX, q.NearestY}
	}
	var corners []matching.CornerError
	for _, name := range estimators {
		h, _, ok, err := Homography(from, to, name)
		if err != nil {
			return err
		}
		px := math.Inf(1)
		if ok {
			px = CornerError(h, truth, int(pair.Width1), int(pair.Height1))
		}
		corners = append(corners, matching.CornerError{Estimator: name, Px: px})
	}
	matching.EnterCornerErrors(pair, corners)
	return nil
}

// Entered reports whether the record of a pair holds what Enter writes for this
// matcher and these estimators.
func Entered(pair *record.Pair, m matching.Matcher, estimators []string) bool {
	corners := matching.CornerErrors(pair)
	if pair.Matcher != m.String() || len(corners) != len(estimators) {
		return false
	}
	for _, name := range estimators {
		if !slices.ContainsFunc(corners, func(c matching.CornerError) bool { return c.Estimator == name }) {
			return false
		}
	}
	return true
}
