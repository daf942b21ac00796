package estimate

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"descbench/eval/matching"
	"descbench/eval/random"
	"descbench/eval/record"
	"descbench/keypoints"
)

// Version is part of the key of cached errors. Increase it with every change to this package that
// gives other errors for the same matches.
const Version = 1

// Enter writes what depends on the matcher into the record of an image pair, given
// its query records: the number of correct matches in the shared region of image K,
// and the errors of what each estimator finds from the matches, infinite if it finds nothing:
// the corner error of a homography or, if the images have cameras, the errors of their relative
// pose. It fails for estimators of the other kind. Nothing else than the records is
// needed, so that it can be done again for another matcher or other estimators. selected says that
// all matched keypoints were chosen from a region that both images share.
//
// An estimate by samples depends on the order of the matches. With one draw and no repetitions,
// it is the order of the records; else, each estimate has a random order of its own, which does
// not depend on that of the records.
//
// own estimates by functions of the user. If it is nil, their errors stay those in the record,
// which must be of the same matcher and as many estimates.
func Enter(pair *record.Pair, queries []record.Query, matcher matching.Matcher, estimators []string, draws matching.Draws, selected bool, own Own) error {
	m, err := Match(pair, queries, matcher, selected)
	if err != nil {
		return err
	}
	var all []matching.EstimateError
	for _, name := range estimators {
		found, err := m.Errors(name, draws, own)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	matching.EnterEstimateErrors(pair, all)
	return nil
}

// A Matched is an image pair with the matches that estimates are made from.
type Matched struct {
	pair               *record.Pair
	before             record.Pair
	mapping            keypoints.Mapping
	sizes              [2][2]int // width and height of the images, px
	matches, canonical Matches
}

// Match is the part of Enter before the estimates.
func Match(pair *record.Pair, queries []record.Query, matcher matching.Matcher, selected bool) (*Matched, error) {
	mapping, ok := pair.Mapping()
	if !ok {
		return nil, fmt.Errorf("%s/1_%d: the record has neither a homography nor cameras", pair.Scene, pair.K)
	}
	rows, before, sizes := matcher.Match(queries), *pair, [2][2]int{{int(pair.Width1), int(pair.Height1)}, {int(pair.WidthK), int(pair.HeightK)}}
	pair.Matcher = matcher.String()
	pair.CorrectSharedK = matching.CorrectSharedK(queries, rows, mapping.Inverse(), selected)
	matches := matchesOf(pair, queries, rows)
	return &Matched{pair, before, mapping, sizes, matches, matches.canonical()}, nil
}

// Identity returns what the errors of estimates depend on, whatever the estimator.
func (m *Matched) Identity() string {
	cameras, posed := m.mapping.Cameras()
	b := fmt.Appendf(nil, "%q %d %v %d ", m.pair.Scene, m.pair.K, m.sizes, len(m.matches.Src))
	if posed {
		b = fmt.Append(b, cameras)
	} else {
		b = fmt.Append(b, m.mapping.Homography())
	}
	for _, v := range []any{m.matches.Src, m.matches.Dst, m.matches.Distances, m.matches.Weights} {
		b, _ = binary.Append(fmt.Append(b, "\n"), binary.LittleEndian, v) // fails for other types only
	}
	return string(b)
}

// Errors returns the errors of what an estimator finds, as Enter enters them.
func (m *Matched) Errors(name string, draws matching.Draws, own Own) (all []matching.EstimateError, err error) {
	pair := m.pair
	cameras, posed := m.mapping.Cameras()
	e, err := matching.ParseEstimator(name)
	if err != nil {
		return nil, fmt.Errorf("estimator %q, %w", name, err)
	}
	if e.Pose() != posed {
		return nil, fmt.Errorf("%s/1_%d: estimator %s", pair.Scene, pair.K, e.Misplaced())
	}
	measured := e
	if e.ScaledThreshold {
		e.ThresholdPx *= scaleOf(pair)
	}
	estimates := e.Estimates(draws)
	if e.IsOwn() && own == nil {
		found := entered(&m.before, name)
		if m.before.Matcher != pair.Matcher || len(found) != estimates {
			return nil, fmt.Errorf("%s/1_%d: the record has no %d estimates by %s from these matches, and only run calls own functions; run the config under another experiment.name", pair.Scene, pair.K, estimates, name)
		}
		return found, nil
	}
	for i := range estimates {
		of := m.matches
		if estimates > 1 || e.Repetitions > 0 {
			of = m.canonical.shuffled(pair, i)
		}
		estimate, err := own.estimate(Request{e, of, cameras, int(pair.K), m.sizes, i})
		if err != nil {
			return nil, err
		}
		found := matching.EstimateError{Estimator: name}
		if posed {
			if found.Rotation, found.Translation = PoseErrors(estimate.Pose, cameras.Pose); !estimate.Found || math.IsNaN(found.Degrees()) {
				found.Rotation, found.Translation = math.Inf(1), math.Inf(1)
			}
		} else if found.Px = math.Inf(1); estimate.Found {
			found.Px = cornerErrorOf(measured, estimate.Homography, m.mapping.Homography(), pair)
		}
		all = append(all, found)
	}
	return all, nil
}

// matchesOf returns the matches of an image pair, given by the indices of their queries.
// Imported matches weigh as much as their scores, of which the records hold 1 minus the
// score as a distance (see package matchio). Without scores, all matches weigh the same.
func matchesOf(pair *record.Pair, queries []record.Query, rows []int32) Matches {
	m := Matches{Src: make([]Point, len(rows)), Dst: make([]Point, len(rows)), Distances: make([]float64, len(rows)), Weights: make([]float64, len(rows))}
	scored := pair.Imported != ""
	for i, row := range rows {
		q := &queries[row]
		m.Src[i], m.Dst[i] = Point{q.X, q.Y}, Point{q.NearestX, q.NearestY}
		m.Distances[i], m.Weights[i] = q.NearestDistance, 1-q.NearestDistance
		scored = scored && m.Weights[i] >= 0
	}
	if !scored {
		m.Weights = nil
	}
	return m
}

// canonical returns the matches in an order that does not depend on their own.
func (m Matches) canonical() Matches {
	return m.sorted(func(i, j int) int {
		a, b, c, d := m.Src[i], m.Src[j], m.Dst[i], m.Dst[j]
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(c.X, d.X), cmp.Compare(c.Y, d.Y), cmp.Compare(m.Distances[i], m.Distances[j]))
	})
}

// sorted returns the matches in the order of a comparison of their indices, equal ones in their own.
func (m Matches) sorted(compare func(i, j int) int) Matches {
	order := make([]int, len(m.Src))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return m.at(order)
}

// shuffled returns the matches in a random order that depends on the image pair and the
// number of the estimate alone.
func (m Matches) shuffled(pair *record.Pair, estimate int) Matches {
	return m.at(random.New(1, "shuffled matches", pair.Scene, pair.K, estimate).Sample(len(m.Src), len(m.Src)))
}

// at returns the matches in another order.
func (m Matches) at(order []int) (out Matches) {
	for _, i := range order {
		out.Src, out.Dst = append(out.Src, m.Src[i]), append(out.Dst, m.Dst[i])
		out.Distances = append(out.Distances, m.Distances[i])
		if m.Weights != nil {
			out.Weights = append(out.Weights, m.Weights[i])
		}
	}
	return out
}

// Entered reports whether the record of a pair holds what Enter writes for this
// matcher, these estimators and so many draws.
func Entered(pair *record.Pair, m matching.Matcher, estimators []string, draws matching.Draws) bool {
	estimates := make(map[string]int)
	for _, e := range matching.EstimateErrors(pair) {
		estimates[e.Estimator]++
	}
	for _, name := range estimators {
		e, err := matching.ParseEstimator(name)
		if err != nil || estimates[name] != e.Estimates(draws) {
			return false
		}
		delete(estimates, name)
	}
	return pair.Matcher == m.String() && len(estimates) == 0
}
