package pairing

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"descbench/descriptors"
	"descbench/eval/matching"
	"descbench/eval/nearest"
	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/eval/truth"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/estimate"
	"descbench/pipeline/features"
)

// A view is one image of a scene without its pixels, as needed for evaluation.
type view struct {
	width, height int
	set           keypoints.Set
	rows          *descriptors.Matrix
}

// position returns the position of a row in px, NaN for row -1.
func (v view) position(row int32) (x, y float32) {
	if row < 0 {
		nan := float32(math.NaN())
		return nan, nan
	}
	k := v.set.Keypoints[row]
	return k.X, k.Y
}

// A geometry is what follows from the keypoints of an image pair and the mapping between its
// images, whatever the descriptor.
type geometry struct {
	selected *selection // nil: all keypoints
	// truths holds the ground truths by query, or by selected query, under the run's
	// relevance rule; not to be changed.
	truths   []truth.Truth
	partners []int32           // of all keypoints of image 1, as matching.Partners returns them
	states   []keypoints.State // of all keypoints of image 1, if the images have cameras
	back     []keypoints.Place // of the candidates in image 1, if the images have cameras
	pair     record.Pair       // without what a descriptor adds
	took     time.Duration
}

// A pairing is an image pair of a scene with everything needed to compute its
// records.
type pairing struct {
	first, other view
	mapping      keypoints.Mapping // from the first image to the other; for the geometry and imported matches only
	scene        string
	subsets      []string
	k            int
	evaluation   config.Evaluation
	matcher      matching.Matcher
	matches      *estimate.Matched // after evaluate or matched
	took         times
}

// times are those of the stages of a pair.
type times struct {
	truth, search, estimate time.Duration
	cached                  int // images whose estimates came from the cache
}

// geometry computes the geometry of the pair.
func (p *pairing) geometry() (geometry, error) {
	start := time.Now()
	there, back, pair := p.described()
	of, g := p, geometry{pair: pair, partners: p.partners(there, back), states: p.states(there)}
	if n := p.evaluation.SharedTopK; n > 0 {
		s, err := p.selected(n, there, back)
		if err != nil {
			return geometry{}, err
		}
		of, g.selected = p.only(s), &s
		there = nil
		for _, row := range s.first {
			there = append(there, keypoints.Place{X: s.there[row].X, Y: s.there[row].Y, State: keypoints.Visible})
		}
		a, b := of.first.set.Keypoints, of.other.set.Keypoints
		matching.EnterRepeatabilityInK(&g.pair, there, b)
		if p.evaluation.KeynetRegion {
			matching.EnterKeynet(&g.pair, p.mapping.Inverse().Homography(), a, b)
		}
	}
	if g.states != nil {
		g.back = of.mapping.Inverse().Places(of.other.set.Keypoints)
	}
	g.truths = of.truths(there)
	g.pair.Correspondences = p.correspondences(g.truths)
	g.took = time.Since(start)
	return g, nil
}

// evaluate searches the other view for every keypoint of the first one, ranks
// the candidates and returns the records. The caller fills in the descriptor's
// name and the digests.
func (p *pairing) evaluate(ctx context.Context, g geometry) (record.Pair, []record.Query, error) {
	evaluate := p.evaluateAll
	if g.selected != nil {
		evaluate = p.evaluateSelected
	}
	pair, queries, err := evaluate(ctx, g)
	for i, partner := range g.partners[:len(queries)] {
		queries[i].Partner = partner
		if g.states != nil {
			queries[i].State = g.states[i]
		}
	}
	return pair, queries, err
}

// states returns what is known of these places, nil if a homography says it.
func (p *pairing) states(places []keypoints.Place) (states []keypoints.State) {
	if _, posed := p.mapping.Cameras(); !posed {
		return nil
	}
	states = make([]keypoints.State, len(places))
	for i, place := range places {
		states[i] = place.State
	}
	return states
}

// nearest completes the record of a query by the position of its nearest candidate, given its own place
// and, if the images have cameras, those of the candidates in image 1.
func (p *pairing) nearest(q *record.Query, at keypoints.Place, back []keypoints.Place) {
	q.NearestX, q.NearestY = p.other.position(q.Nearest)
	if q.Nearest < 0 {
		return
	}
	q.NearestError = at.PixelError(p.other.set.Keypoints[q.Nearest])
	if back != nil {
		in1 := back[q.Nearest]
		q.NearestState, q.NearestError1 = in1.State, in1.PixelError(p.first.set.Keypoints[q.Row])
	}
}

// partners returns matching.Partners of the keypoints of image 1, given the places of those of both
// images in the other one; nothing is known of any without places.
func (p *pairing) partners(there, back []keypoints.Place) []int32 {
	if !p.mapping.KnowsPlaces() {
		return slices.Repeat([]int32{matching.UnknownPartner}, len(there))
	}
	return matching.Partners(p.first.set.Keypoints, p.other.set.Keypoints, there, back)
}

func (p *pairing) evaluateAll(ctx context.Context, g geometry) (record.Pair, []record.Query, error) {
	start := time.Now()
	truths := g.truths
	answers, err := p.answers(truths)
	if err != nil {
		return record.Pair{}, nil, err
	}
	ranks, err := nearest.Search(ctx, p.first.rows, p.other.rows, answers.ranked)
	if err != nil {
		return record.Pair{}, nil, fmt.Errorf("nearest neighbours: %w", err)
	}
	answers.uncount(ranks)
	gallery, err := p.gallery(ctx, answers)
	if err != nil {
		return record.Pair{}, nil, fmt.Errorf("fixed gallery: %w", err)
	}
	p.took.search = time.Since(start)
	queries := make([]record.Query, len(truths))
	for i, t := range truths {
		q := &queries[i]
		*q = p.unanswered(i, t.Place)
		q.Truth, q.TruthError = t.Row, t.Error
		q.Less, q.Equal = ranks.Less[i], ranks.Equal[i]
		q.Nearest, q.NearestDistance = ranks.Nearest[i], ranks.NearestDistance[i]
		q.Second, q.SecondDistance = ranks.Second[i], ranks.SecondDistance[i]
		q.Mutual, q.Invalid = ranks.Mutual[i], p.first.rows.IsInvalid(i)
		q.Candidates = int32(p.other.set.Len())
		q.GalleryLess, q.GalleryEqual = gallery.less[i], gallery.equal[i]
		q.TruthX, q.TruthY = p.other.position(q.Truth)
		p.nearest(q, t.Place, g.back)
	}
	start = time.Now()
	pair := g.pair
	err = p.enter(&pair, queries)
	p.took.estimate = time.Since(start)
	return pair, queries, err
}

// truths returns the ground truth of every query, given its place in the other image, under the
// run's relevance rule.
func (p *pairing) truths(there []keypoints.Place) []truth.Truth {
	truths := truth.Find(there, p.other.set.Keypoints, scope.MaxTolerancePx)
	if p.evaluation.Relevance != ranking.IdentityRelevant {
		return truths
	}
	projected := make(map[int32]int32) // row in the source set → row of its projection
	for row, source := range p.other.set.Source {
		projected[source] = int32(row)
	}
	for i := range truths {
		t := &truths[i]
		source := int32(i)
		if p.first.set.Source != nil {
			source = p.first.set.Source[i]
		}
		row, found := projected[source]
		if found {
			t.Row, t.Error = row, t.PixelError(p.other.set.Keypoints[row])
		}
		if !found || t.Error > scope.MaxTolerancePx {
			t.Row, t.Error = -1, math.Inf(1)
		}
	}
	return truths
}

// correspondences returns the number of queries with a correct candidate, -1 if it is not known
// where points lie.
func (p *pairing) correspondences(truths []truth.Truth) (n int32) {
	if !p.mapping.KnowsPlaces() {
		return -1
	}
	for _, t := range truths {
		if t.Error <= matching.TolerancePx {
			n++
		}
	}
	return n
}

// enter adds to the record of the pair what follows from its rows and query records, but for estimates.
func (p *pairing) enter(pair *record.Pair, queries []record.Query) (err error) {
	a, b := p.first.rows, p.other.rows
	pair.Dimension, pair.RowBytes = int32(a.Dim), int32(rowBytes(a))
	pair.Invalid1, pair.InvalidK = int32(a.CountInvalid()), int32(b.CountInvalid())
	p.matches, err = estimate.Match(pair, queries, p.matcher, p.evaluation.SharedTopK > 0)
	return err
}

// estimates adds to the records of a scene's pairs the errors of estimates, and returns the time
// that these took, and for how many images all came from the cache.
func estimates(ctx context.Context, w *features.Scene, of []*pairing, pairs []record.Pair) (took time.Duration, cached int, err error) {
	matched, all := make([]*estimate.Matched, len(of)), make([][]matching.EstimateError, len(of))
	for i := 1; i < len(of); i++ {
		matched[i] = of[i].matches
	}
	names := w.Plan.Config.Evaluation.Estimators
	if len(names) > 0 {
		cached = len(of)
	}
	for _, name := range names {
		found, t, kept, err := w.Estimates(ctx, name, matched)
		if err != nil {
			return 0, 0, err
		}
		if took += t; !kept {
			cached = 0
		}
		for i := range found {
			all[i] = append(all[i], found[i]...)
		}
	}
	for i := 1; i < len(of); i++ {
		matching.EnterEstimateErrors(&pairs[i], all[i])
	}
	return took, cached, nil
}

// described returns the places of the keypoints of both images in the other one, and the
// record of the pair with what follows from them.
func (p *pairing) described() (there, back []keypoints.Place, pair record.Pair) {
	a, b := p.first, p.other
	there, back = p.mapping.Places(a.set.Keypoints), p.mapping.Inverse().Places(b.set.Keypoints)
	pair = record.Pair{
		Scene: p.scene, K: int32(p.k), Subsets: strings.Join(p.subsets, " "),
		Width1: int32(a.width), Height1: int32(a.height),
		WidthK: int32(b.width), HeightK: int32(b.height),
		Keypoints1: int32(a.set.Len()), KeypointsK: int32(b.set.Len()),
		Known1: -1, KnownK: -1,
	}
	if _, posed := p.mapping.Cameras(); posed && p.mapping.KnowsPlaces() {
		pair.Known1, pair.KnownK = known(there), known(back)
	}
	matching.EnterRepeatability(&pair, a.set.Keypoints, b.set.Keypoints, there, back)
	pair.Spread1 = matching.Spread(a.set.Keypoints, a.width, a.height)
	pair.SpreadK = matching.Spread(b.set.Keypoints, b.width, b.height)
	pair.SetMapping(p.mapping)
	return there, back, pair
}

// known returns the number of places that are not unknown.
func known(places []keypoints.Place) (n int32) {
	for _, p := range places {
		if p.State != keypoints.Unknown {
			n++
		}
	}
	return n
}

// rowBytes returns the size of a row in the form in which it is compared.
func rowBytes(m *descriptors.Matrix) int {
	if m.Type == descriptors.Float32 {
		return 4 * m.Stride()
	}
	return m.Stride()
}
