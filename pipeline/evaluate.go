package pipeline

import (
	"context"
	"fmt"
	"math"

	"golang.org/x/sync/semaphore"

	"descbench/descriptors"
	"descbench/eval"
	"descbench/eval/nearest"
	"descbench/eval/truth"
	"descbench/keypoints"
)

// A view is one image of a scene as evaluation sees it: no pixels.
type view struct {
	width, height int
	set           keypoints.Set
	rows          *descriptors.Matrix
}

// evaluatePair ranks every keypoint of the first view among those of the
// other, to which h maps, and returns the records. The caller fills in the
// names and digests.
func evaluatePair(ctx context.Context, first, other view, h keypoints.Homography, slots *semaphore.Weighted, workers int) (eval.Pair, []eval.Query, error) {
	truths := truth.Find(h, first.set.Keypoints, other.set.Keypoints, eval.MaxTolerancePx)
	truthRows := make([]int32, len(truths))
	for i, t := range truths {
		truthRows[i] = t.Row
	}
	ranks, err := nearest.Search(ctx, first.rows, other.rows, truthRows, nearest.Options{Workers: workers, Slots: slots})
	if err != nil {
		return eval.Pair{}, nil, fmt.Errorf("nearest neighbours: %w", err)
	}
	pair := eval.Pair{
		Dimension: int32(first.rows.Dim),
		Width1:    int32(first.width), Height1: int32(first.height),
		WidthK: int32(other.width), HeightK: int32(other.height),
		Keypoints1: int32(first.set.Len()), KeypointsK: int32(other.set.Len()),
		Invalid1: int32(first.rows.CountInvalid()), InvalidK: int32(other.rows.CountInvalid()),
	}
	queries := make([]eval.Query, len(truths))
	for i, t := range truths {
		k := first.set.Keypoints[i]
		q := &queries[i]
		*q = eval.Query{
			Row: int32(i), X: k.X, Y: k.Y,
			ProjectedX: t.X, ProjectedY: t.Y,
			Truth: t.Row, TruthError: t.Error,
			Less: ranks.Less[i], Equal: ranks.Equal[i],
			Nearest: ranks.Nearest[i], NearestDistance: ranks.NearestDistance[i],
			Second: ranks.Second[i], SecondDistance: ranks.SecondDistance[i],
			NearestError: math.Inf(1),
			Mutual:       ranks.Mutual[i],
			Shared:       t.X >= 0 && t.X <= float64(other.width-1) && t.Y >= 0 && t.Y <= float64(other.height-1),
			Invalid:      first.rows.IsInvalid(i),
			Candidates:   int32(other.set.Len()),
		}
		if q.Nearest >= 0 {
			q.NearestError = t.PixelError(other.set.Keypoints[q.Nearest])
		}
	}
	return pair, queries, nil
}

// finish turns raw rows into the rows that are compared: rooted, then
// normalised.
func finish(raw *descriptors.Matrix, root, normalize string) (*descriptors.Matrix, error) {
	m := descriptors.MarkInvalid(raw)
	if root == "l1" {
		var err error
		if m, err = descriptors.Root(m); err != nil {
			return nil, err
		}
	}
	norm, err := descriptors.ParseNorm(normalize)
	if err != nil {
		return nil, err
	}
	return descriptors.Normalize(m, norm)
}
