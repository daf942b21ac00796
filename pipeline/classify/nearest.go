package classify

import (
	"context"
	"fmt"

	"descbench/eval/binary"
	"descbench/eval/fact"
	"descbench/eval/record"
	"descbench/pipeline/fold"
	"descbench/pipeline/store/unitfile"
)

// Nearest classifies each query with its nearest neighbour, from the records of the
// run. The areas have intervals over scenes from 1000 resamples.
func Nearest(ctx context.Context, r Request) (*Result, error) {
	units, err := r.open()
	if err != nil {
		return nil, err
	}
	out := &Result{}
	for _, of := range r.Systems {
		d := units.Plan.Config.Named(of.Descriptor)
		n := &nearestPairs{classifier: newClassifier(r, of)}
		err := fold.EachUnit(ctx, units, d.Name, func(scene string, unit *unitfile.EvalUnit) error {
			if unit == nil { // failed, as the summary says
				return nil
			}
			return fold.EachPair(*unit, func(r record.Records) error { return n.addPair(scene, r) })
		})
		if err != nil {
			return nil, err
		}
		switch {
		case len(n.scenes) == 0 && n.placeless:
			out.LeftOut = append(out.LeftOut, fact.New(fact.NoPlaces).On(of.Name))
			continue
		case len(n.scenes) == 0: // no queries
			continue
		case n.unscored > 0:
			out.LeftOut = append(out.LeftOut, fact.New(fact.Unscored).On(of.Name).With("n", float64(n.unscored)))
			continue
		}
		s, err := n.close(ctx, out)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		s.Matches = d.Matches != nil
		if s.WithoutNearest > 0 {
			f := fact.New(fact.NotClassified).With("n", float64(s.WithoutNearest))
			if s.Matches {
				f = f.Naming("matches", "yes")
			}
			s.Summary.Facts = append(s.Summary.Facts, f)
		}
		if k := units.Plan.Config.MatcherOf(*d).TopK; s.Matches && k > 0 {
			s.Summary.Facts = append(s.Summary.Facts, fact.New(fact.AllClassified).With("top", float64(k)))
		}
		if misread := fold.MisreadScores(s.Summary); s.Matches && misread != nil {
			s.Summary.Facts = append(fact.Without(s.Summary.Facts, fact.AUCBelowHalf), misread...)
		}
	}
	return out, nil
}

// nearestPairs are the queries of a descriptor with their nearest neighbours.
type nearestPairs struct {
	classifier
	samples        []binary.Samples // by scene
	withoutNearest int
	unscored       int  // matches without a distance
	placeless      bool // of some image pairs, it is not known where points lie
}

// addPair labels the queries of an image pair.
func (n *nearestPairs) addPair(scene string, r record.Records) error {
	if r.Pair.Placeless() {
		n.placeless = true
		return nil
	}
	if len(r.Queries) == 0 {
		return nil
	}
	samples, withoutNearest, unscored := fold.NearestSamples(r.Queries, n.tolerancePx)
	n.withoutNearest += withoutNearest
	n.unscored += unscored
	if n.add(scene, r.Queries); len(n.samples) < len(n.scenes) {
		n.samples = append(n.samples, binary.Samples{})
	}
	n.samples[len(n.scenes)-1].Merge(&samples)
	return nil
}

// close adds the system of the descriptor.
func (n *nearestPairs) close(ctx context.Context, out *Result) (*binary.System, error) {
	curves := make([]*binary.Curve, len(n.samples))
	for i := range n.samples {
		curves[i] = n.samples[i].Curve()
	}
	curve, resampler := binary.Merge(curves)
	s, err := n.conclude(ctx, out, curve, resampler)
	if err == nil {
		s.WithoutNearest = n.withoutNearest
	}
	return s, err
}
