package y2017

import (
	"context"

	"descbench/eval/patches"
	"descbench/eval/scope"
)

// match runs image matching: it finds the nearest neighbour of each patch of a
// reference image in every other image of its sequence.
func (e *evaluation) match(ctx context.Context) error {
	var pairs []MatchedPair
	for _, noise := range Noises() {
		for _, s := range e.in.Sequences {
			for k := 1; k <= patches.ImagesPerNoise; k++ {
				pairs = append(pairs, MatchedPair{Sequence: s.Name, Noise: noise, K: k, Patches: s.Patches})
			}
		}
	}
	err := patches.Each(ctx, e.opt.Workers, len(pairs), func(i int) error { return e.matchPair(ctx, &pairs[i]) })
	if err != nil {
		return err
	}
	for _, p := range e.parts {
		p.addMatching(pairs)
	}
	e.result.Pairs = pairs
	e.balanceMatching()
	return nil
}

func (e *evaluation) matchPair(ctx context.Context, p *MatchedPair) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	nearest, distance, err := e.measure.First(e.set.Image(p.Sequence, patches.Reference), e.set.Image(p.Sequence, patches.ImageName(p.Noise, p.K)))
	if err != nil {
		return err
	}
	correct := make([]bool, len(nearest))
	for i, j := range nearest {
		if correct[i] = int(j) == i; correct[i] {
			p.Correct++
		}
	}
	p.AP = e.opt.Protocol.matchAP(distance, correct)
	return nil
}

// addMatching adds the means over the pairs of the part.
func (p *part) addMatching(pairs []MatchedPair) {
	var ap, success [3]float64
	for n, noise := range Noises() {
		count := 0
		for i, m := range pairs {
			if m.Noise == noise && p.member[i/patches.ImagesPerNoise%len(p.member)] {
				ap[n] += m.AP
				success[n] += float64(m.Correct) / float64(m.Patches)
				count++
			}
		}
		ap[n] /= float64(count)
		success[n] /= float64(count)
		p.items[Matching] += count
	}
	p.addMeans(Matching, "map", ap, p.items[Matching])
	p.addMeans(Matching, "success_rate", success, p.items[Matching])
}

// balanceMatching adds the means that give equal weight to illumination and viewpoint
// sequences, as in the benchmark's paper.
func (e *evaluation) balanceMatching() {
	var both []*part
	for _, p := range e.parts {
		if p.scope == scope.Illumination || p.scope == scope.Viewpoint {
			both = append(both, p)
		}
	}
	if len(both) < 2 {
		return
	}
	var means [3]float64
	for n, noise := range Noises() {
		means[n] = (both[0].value(Matching, "map_"+noise) + both[1].value(Matching, "map_"+noise)) / 2
	}
	e.parts[0].addMeans(Matching, "map_balanced", means, e.parts[0].items[Matching])
}
