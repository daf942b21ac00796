package y2017

import (
	"context"

	"golang.org/x/sync/errgroup"

	"descbench/eval/patches"
)

// match runs image matching: it finds the nearest neighbour of each patch of a
// reference image in every other image of its sequence.
func (e *evaluation) match(ctx context.Context) error {
	var pairs []MatchedPair
	for _, noise := range Noises() {
		for s, sequence := range e.in.Sequences.Names {
			for k := 1; k <= imagesPerNoise; k++ {
				pairs = append(pairs, MatchedPair{Sequence: sequence, Noise: noise, K: k, Patches: e.in.Sequences.Patches[s]})
			}
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(patches.Workers(e.opt.Workers))
	for i := range pairs {
		g.Go(func() error { return e.matchPair(ctx, &pairs[i]) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, s := range e.parts {
		s.figures.Matching = e.meanOfPairs(pairs, s)
	}
	return nil
}

func (e *evaluation) matchPair(ctx context.Context, p *MatchedPair) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	nearest, distance, err := e.measure.First(e.set.Image(p.Sequence, patches.Reference), e.set.Image(p.Sequence, imageName(p.Noise, p.K)))
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

// meanOfPairs averages over the pairs of a scope.
func (e *evaluation) meanOfPairs(pairs []MatchedPair, s *part) *MatchingFigures {
	m := &MatchingFigures{}
	var ap, success [3]Share
	for n, noise := range Noises() {
		count := 0
		for i, p := range pairs {
			if p.Noise != noise || !s.member[i/imagesPerNoise%len(s.member)] {
				continue
			}
			m.Pairs = append(m.Pairs, p)
			ap[n] += Share(p.AP)
			success[n] += Share(p.Correct) / Share(p.Patches)
			count++
		}
		ap[n] /= Share(count)
		success[n] /= Share(count)
	}
	m.MAP, m.SuccessRate = newNoiseMean(ap), newNoiseMean(success)
	return m
}

// balanceMatching adds the means that give equal weight to illumination and viewpoint
// sequences, as in the benchmark's paper.
func (e *evaluation) balanceMatching() {
	i, v := e.result.Illumination, e.result.Viewpoint
	if i == nil || v == nil || i.Matching == nil {
		return
	}
	half := func(a, b Share) Share { return (a + b) / 2 }
	a, b := i.Matching.MAP, v.Matching.MAP
	e.result.Matching.Balanced = &NoiseMean{half(a.Easy, b.Easy), half(a.Hard, b.Hard), half(a.Tough, b.Tough), half(a.Mean, b.Mean)}
}
