package distractors

import (
	"context"
	"math"

	"descbench/eval/binary"
	"descbench/eval/nearest"
	"descbench/eval/random"
	"descbench/keypoints"
)

// Workbench is the protocol workbench_tasks.
//
// Every keypoint of the first image is a query. Its candidates are all keypoints of
// the scene's other images, and distractors: keypoints from the pools of other
// scenes, drawn for each query. A candidate has the label +1 if it is the ground
// truth in its image (the keypoint nearest to the projected query, within the
// tolerance), 0 if it is another keypoint of the scene, and -1 if it is a
// distractor. An image in which the place of the query is Unknown has no candidates.
type Workbench struct {
	TolerancePx         float64
	DistractorScenes    int // other scenes per query; all if there are fewer
	DistractorsPerScene int // distractors from each of them; all if there are fewer
	Seed                uint64
	HardNegatives       string // CountHardNegatives or IgnoreHardNegatives; records do not depend on it
}

// A WorkbenchRecord holds the results of one scene for one descriptor.
type WorkbenchRecord struct {
	// Descriptor is the name of the descriptor in the config.
	Descriptor string `parquet:"descriptor,dict"`
	// Scene is the name of the scene.
	Scene string `parquet:"scene,dict"`

	// VerificationAP is the AP of all candidates labelled +1 among all labelled 0 and
	// -1, pooled over the scene's queries, 0 to 1; NULL without a +1.
	VerificationAP float64 `parquet:"verification_ap" null:"NaN"`
	// TruePositives is the number of candidates labelled +1.
	TruePositives int64 `parquet:"true_positives"`
	// HardNegatives is the number of candidates labelled 0.
	HardNegatives int64 `parquet:"hard_negatives"`
	// Distractors is the number of candidates labelled -1.
	Distractors int64 `parquet:"distractors"`

	// Queries is the number of queries.
	Queries int64 `parquet:"queries"`
	// InvalidQueries is the number of queries with an invalid descriptor, at infinite
	// distance from all candidates.
	InvalidQueries int64 `parquet:"invalid_queries"`
	// RetrievalQueries is the number of queries with a +1. Only these are used for
	// retrieval.
	RetrievalQueries int64 `parquet:"retrieval_queries"`
	// RetrievalAPSum is the sum of the APs of these queries if candidates labelled 0
	// are not relevant.
	RetrievalAPSum float64 `parquet:"retrieval_ap_sum"`
	// RetrievalAPSumIgnoring is the sum of the APs of these queries if candidates
	// labelled 0 are ignored.
	RetrievalAPSumIgnoring float64 `parquet:"retrieval_ap_sum_ignoring"`

	// PoolScenes is the number of other scenes available for distractors.
	PoolScenes int32 `parquet:"pool_scenes"`
}

// queriesPerBlock is the number of queries that are compared with a tile of candidates.
const queriesPerBlock = 64

// Record computes the record of a scene. pools may be in any order. A pool of the
// scene itself is ignored. All rows of a pool with fewer than DistractorsPerScene
// rows are used.
func (w Workbench) Record(ctx context.Context, descriptor string, scene *Scene, pools []Pool) (WorkbenchRecord, error) {
	record := WorkbenchRecord{Descriptor: descriptor, Scene: scene.Name}
	c, err := w.candidates(scene, others(scene.Name, pools))
	if err != nil {
		return record, err
	}
	record.PoolScenes = int32(len(c.pools))
	queries := len(scene.Images[0].Keypoints)
	record.Queries = int64(queries)

	// Compute the distances of all +1 first, then count all other candidates
	// among them.
	truths := make([][]float64, queries)
	var all []float64
	for q := range queries {
		if !c.valid(q) {
			record.InvalidQueries++
		}
		truths[q] = c.distances(q)
		all = append(all, truths[q]...)
	}
	pooled := newPositives(all)
	record.TruePositives = int64(len(all))

	work := c.newWork(pooled)
	precision := make([][2]float64, queries)
	for first := 0; first < queries; first += queriesPerBlock {
		if err := ctx.Err(); err != nil {
			return record, err
		}
		end := min(first+queriesPerBlock, queries)
		work.block(first, truths[first:end], precision[first:end])
	}
	record.HardNegatives, record.Distractors = work.hard, work.distractors
	record.VerificationAP = pooled.averagePrecision(work.counts)
	for q, ap := range precision {
		if len(truths[q]) > 0 {
			record.RetrievalQueries++
			record.RetrievalAPSum += ap[0]
			record.RetrievalAPSumIgnoring += ap[1]
		}
	}
	return record, nil
}

// candidates holds everything that the queries of a scene are compared with.
type candidates struct {
	Workbench
	targets
	scene   *Scene
	pools   []Pool
	distant []*nearest.Measure // by pool
}

func (w Workbench) candidates(scene *Scene, pools []Pool) (*candidates, error) {
	first := scene.Images[0]
	found, err := scene.targets(scene.There, first.Rows, w.TolerancePx)
	if err != nil {
		return nil, err
	}
	c := &candidates{Workbench: w, targets: found, scene: scene, pools: pools}
	if w.DistractorScenes == 0 {
		c.pools = nil
	}
	for _, p := range c.pools {
		m, err := nearest.NewMeasure(first.Rows, p.Rows)
		if err != nil {
			return nil, err
		}
		c.distant = append(c.distant, m)
	}
	return c, nil
}

// A work holds the buffers and counts of a scene.
type work struct {
	*candidates
	pooled            *positives
	counts            []int64 // negatives by their place among the pooled positives
	hard, distractors int64
	distances         []float64
	rows              []int32 // drawn from a pool
}

func (c *candidates) newWork(pooled *positives) *work {
	return &work{candidates: c, pooled: pooled, counts: pooled.newCounts()}
}

// buffer returns a slice for n distances.
func (w *work) buffer(n int) []float64 {
	if n > len(w.distances) {
		w.distances = make([]float64, n)
	}
	return w.distances[:n]
}

// rowsPerTile is the number of candidates that all queries of a block are compared
// with before the next: their rows stay in the cache.
const rowsPerTile = 1024

// block computes two APs of each query from first on: with candidates labelled 0 as
// not relevant, and with them ignored. own are the distances of each query's own
// positives, ascending.
func (w *work) block(first int, own [][]float64, precision [][2]float64) {
	hard, distant := make([]negatives, len(own)), make([]negatives, len(own))
	for k := range own {
		places := w.pooled.places(own[k])
		hard[k], distant[k] = newNegatives(own[k], places), newNegatives(own[k], places)
	}
	for i := 1; i < len(w.measures); i++ {
		n := len(w.scene.Images[i].Keypoints)
		for at := 0; at < n; at += rowsPerTile {
			for k := range hard {
				if w.truths[i][first+k].State == keypoints.Unknown {
					continue
				}
				distances := w.buffer(min(rowsPerTile, n-at))
				w.measures[i].Distances(first+k, at, distances)
				if truth := int(w.truths[i][first+k].Row) - at; truth >= 0 && truth < len(distances) {
					distances[truth] = distances[0]
					distances = distances[1:]
				}
				w.count(distances, &hard[k])
			}
		}
	}
	for k := range distant {
		w.draw(first+k, func(pool int, rows []int32) {
			distances := w.buffer(len(rows))
			w.distant[pool].To(first+k, rows, distances)
			w.count(distances, &distant[k])
		})
		w.hard += hard[k].all
		w.distractors += distant[k].all
		ignoring := distant[k].precision()
		distant[k].add(&hard[k])
		precision[k] = [2]float64{distant[k].precision(), ignoring}
	}
}

// count counts negatives of a query among the pooled positives and among its own.
func (w *work) count(distances []float64, n *negatives) {
	w.pooled.count(distances, w.counts, n.places, n.noFarther)
	n.all += int64(len(distances))
}

// negatives counts the negatives of a query by its own positives.
type negatives struct {
	own       []float64 // distances of the positives, ascending
	places    []int32   // their places among the pooled positives
	noFarther []int64   // per positive: negatives that are at most as far, without invalid ones
	all       int64
}

func newNegatives(own []float64, places []int32) negatives {
	return negatives{own: own, places: places, noFarther: make([]int64, len(own))}
}

func (n *negatives) add(m *negatives) {
	for i, k := range m.noFarther {
		n.noFarther[i] += k
	}
	n.all += m.all
}

// precision returns the AP of the positives among the negatives.
func (n *negatives) precision() float64 {
	return binary.GroupedSum(n.own, func(i int) int64 {
		if math.IsInf(n.own[i], 1) {
			return n.all
		}
		return n.noFarther[i]
	}) / float64(len(n.own))
}

// draw visits the distractors of a query, pool by pool. It draws scenes, and rows of each scene,
// without replacement. The rows are valid during the visit.
func (w *work) draw(q int, visit func(pool int, rows []int32)) {
	stream := random.New(w.Seed, "workbench distractors", w.scene.Name, q)
	for _, p := range stream.Sample(len(w.pools), min(w.DistractorScenes, len(w.pools))) {
		n := w.pools[p].Rows.Rows
		w.rows = w.rows[:0]
		for _, row := range stream.Sample(n, min(w.DistractorsPerScene, n)) {
			w.rows = append(w.rows, int32(row))
		}
		visit(p, w.rows)
	}
}
