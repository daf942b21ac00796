package plan

import (
	"cmp"
	"slices"
)

// imageCost is the cost of an image that does not depend on its size, in pixels:
// mainly the search among the keypoints, whose number a selection limits. It is the
// intercept of a least-squares fit of the times of six descriptors (SIFT, RootSIFT,
// RGB-SIFT, DSP-SIFT, SURF and ORB, at most 2000 keypoints per image) over the pixels of
// five HPatches scenes: 1.1 s per image and 1.7 s per megapixel.
const imageCost = 680_000

// Share returns the scenes of a shard. Every process divides the scenes in the same
// way, from the sizes of the images alone: the most expensive scene first, each to
// the shard that has the least to do.
func (p *Plan) Share(s Shard) []string {
	if s.Whole() {
		return p.Scenes
	}
	parts := p.Divide(s.Count)
	if s.Index > len(parts) {
		return nil // more shards than scenes
	}
	return parts[s.Index-1]
}

// dearest returns the indices of the scenes, the most expensive first.
func (p *Plan) dearest() []int {
	costs := p.costs()
	order := make([]int, len(p.Scenes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(costs[b], costs[a]) })
	return order
}

// Divide returns the scenes of each of count shards, in the order of the plan. It
// leaves out shards that have none.
func (p *Plan) Divide(count int) [][]string {
	costs := p.costs()
	count = min(count, len(p.Scenes))
	sums, owner := make([]float64, count), make([]int, len(p.Scenes))
	for _, scene := range p.dearest() {
		least := slices.Index(sums, slices.Min(sums))
		owner[scene] = least
		sums[least] += costs[scene]
	}
	parts := make([][]string, count)
	for scene, name := range p.Scenes {
		parts[owner[scene]] = append(parts[owner[scene]], name)
	}
	return parts
}

// Cost returns the share of some scenes in the cost of all scenes of the plan.
func (p *Plan) Cost(scenes []string) float64 {
	among := make(map[string]bool)
	for _, scene := range scenes {
		among[scene] = true
	}
	some, all := 0.0, 0.0
	for i, cost := range p.costs() {
		all += cost
		if among[p.Scenes[i]] {
			some += cost
		}
	}
	return some / all
}

// readCosts returns the expected cost of every scene of the plan, in pixels, from
// the headers of its images.
func (p *Plan) readCosts() []float64 {
	costs := make([]float64, len(p.Scenes))
	for i, scene := range p.Scenes {
		for _, pixels := range Source(p.Config.Dataset).Sizes(scene) {
			costs[i] += imageCost + float64(pixels)
		}
	}
	return costs
}
