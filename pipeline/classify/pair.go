package classify

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"descbench/descriptors"
	"descbench/eval/binary"
	"descbench/eval/nearest"
	"descbench/eval/record"
	"descbench/eval/truth"
	"descbench/keypoints"
	"descbench/pipeline/features"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

// A pair is an image pair with all that is needed to classify its keypoints.
type pair struct {
	k        int
	queries  []record.Query // by row of image 1
	relevant [][]int32      // by row of image 1, the rows of image k within the tolerance
	unknown  []bool         // by row of image 1: it is not known which these are
	measure  *nearest.Measure
	rows     int // of image k
}

// eachPair calls do for each image pair of a scene of which it is known where points lie.
func (a *allPairs) eachPair(ctx context.Context, scene string, do func(*pair) error) error {
	records, err := fold.Records(a.units, a.descriptor.Name, scene)
	if err != nil {
		return err
	}
	w, sets, rows, err := a.openScene(ctx, scene)
	if err != nil {
		return err
	}
	defer w.Close()
	for _, r := range records {
		if err := ctx.Err(); err != nil {
			return err
		}
		i := int(r.Pair.K) - 1
		p := &pair{k: int(r.Pair.K), queries: r.Queries, rows: sets[i].Len()}
		if len(r.Queries) != sets[0].Len() || int(r.Pair.KeypointsK) != p.rows {
			return errChanged
		}
		m, err := w.Source.Mapping(i)
		if err != nil {
			return err
		}
		if !m.KnowsPlaces() {
			continue
		}
		places := m.Places(sets[0].Keypoints)
		p.relevant, p.unknown = truth.Relevant(places, sets[i].Keypoints, a.tolerancePx), make([]bool, len(places))
		for row, place := range places {
			p.unknown[row] = place.State == keypoints.Unknown
		}
		if p.measure, err = nearest.NewMeasure(rows[0], rows[i]); err != nil {
			return err
		}
		if err := do(p); err != nil {
			return fmt.Errorf("image %d: %w", p.k, err)
		}
	}
	return nil
}

var errChanged = plan.Fault(errors.New("the features are not those of the run's records; rerun the experiment under a new name"))

// openScene opens a scene and returns its keypoints and rows of every image. The caller
// closes the scene.
func (a *allPairs) openScene(ctx context.Context, scene string) (*features.Scene, []keypoints.Set, []*descriptors.Matrix, error) {
	w, err := a.stage.OpenEvaluated(ctx, scene, a.descriptor)
	if err != nil {
		return nil, nil, nil, err
	}
	rows := make([]*descriptors.Matrix, len(w.Source.Images))
	sets, err := w.Load(ctx, a.descriptor)
	if err == nil {
		err = w.EachImage(ctx, func(i int) (err error) {
			rows[i], _, err = w.Rows(a.descriptor, i)
			return err
		})
	}
	if err != nil {
		w.Close()
		return nil, nil, nil, err
	}
	return w, sets, rows, nil
}

// positives returns the distances of the positives that have one.
func (p *pair) positives() []float64 {
	var all, some []float64
	for q, rows := range p.relevant {
		some = append(some[:0], make([]float64, len(rows))...)
		p.measure.To(q, rows, some)
		for _, d := range some {
			if d == d {
				all = append(all, d)
			}
		}
	}
	return all
}

// mostWorkers is the number of workers, each of which has bins of its own.
const mostWorkers = 8

// count counts all pairs of keypoints.
func (p *pair) count(ctx context.Context, edges *binary.Edges, jobs int) (*binary.Bins, error) {
	workers := min(jobs, mostWorkers)
	counted := make([]*binary.Bins, workers)
	g, ctx := errgroup.WithContext(ctx)
	for worker := range workers {
		g.Go(func() error {
			counted[worker] = binary.NewBins(edges)
			distances := make([]float64, p.rows)
			for q := worker; q < len(p.queries); q += workers {
				if err := ctx.Err(); err != nil {
					return err
				}
				p.measure.Distances(q, 0, distances)
				if nearest := p.queries[q].Nearest; nearest >= 0 && distances[nearest] != p.queries[q].NearestDistance {
					return errChanged
				}
				if !p.unknown[q] {
					counted[worker].Add(distances, p.relevant[q])
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, other := range counted[1:] {
		counted[0].Merge(other)
	}
	return counted[0], nil
}
