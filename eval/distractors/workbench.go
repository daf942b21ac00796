package distractors

import (
	"context"
	"math"
	"slices"

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
	queries := len(scene.Images[0].Keypoints)
	record := WorkbenchRecord{Descriptor: descriptor, Scene: scene.Name, Queries: int64(queries)}
	c, err := w.candidates(scene, others(scene.Name, pools))
	if err != nil {
		return record, err
	}
	record.PoolScenes = int32(len(c.pools))

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
	c.pooled = newPositives(all)
	c.counts = c.pooled.newCounts()
	record.TruePositives = int64(len(all))
	for first := 0; first < queries; first += queriesPerBlock {
		if err := ctx.Err(); err != nil {
			return record, err
		}
		c.block(first, truths[first:min(first+queriesPerBlock, queries)], &record)
	}
	record.VerificationAP = c.pooled.averagePrecision(c.counts)
	return record, nil
}

// candidates holds everything that the queries of a scene are compared with, and buffers.
type candidates struct {
	Workbench
	targets
	scene   *Scene
	pools   []Pool
	distant []*nearest.Measure // by pool
	pooled  *positives         // of all queries
	counts  []int64            // negatives by their place among these

	buffer []float64
	rows   []int32 // drawn from a pool
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

// room returns the buffer for n distances.
func (c *candidates) room(n int) []float64 {
	c.buffer = slices.Grow(c.buffer[:0], n)[:n]
	return c.buffer
}

// rowsPerTile is the number of candidates that all queries of a block are compared
// with before the next: their rows stay in the cache.
const rowsPerTile = 1024

// block enters the candidates of each query from first on, and the APs of those with positives.
// own are the distances of each query's own positives, ascending.
func (c *candidates) block(first int, own [][]float64, record *WorkbenchRecord) {
	hard, distant := make([]negatives, len(own)), make([]negatives, len(own))
	for k := range own {
		hard[k], distant[k] = newNegatives(own[k]), newNegatives(own[k])
	}
	for i := 1; i < len(c.measures); i++ {
		n := len(c.scene.Images[i].Keypoints)
		for at := 0; at < n; at += rowsPerTile {
			for k := range hard {
				if c.truths[i][first+k].State == keypoints.Unknown {
					continue
				}
				distances := c.room(min(rowsPerTile, n-at))
				c.measures[i].Distances(first+k, at, distances)
				if truth := int(c.truths[i][first+k].Row) - at; truth >= 0 && truth < len(distances) {
					distances[truth] = distances[0]
					distances = distances[1:]
				}
				c.pooled.count(distances, c.counts)
				hard[k].count(distances)
			}
		}
	}
	for k := range distant {
		c.draw(first+k, func(pool int, rows []int32) {
			distances := c.room(len(rows))
			c.distant[pool].To(first+k, rows, distances)
			c.pooled.count(distances, c.counts)
			distant[k].count(distances)
		})
		record.HardNegatives += hard[k].all
		record.Distractors += distant[k].all
		if len(own[k]) > 0 {
			record.RetrievalQueries++
			record.RetrievalAPSumIgnoring += distant[k].precision()
			distant[k].add(&hard[k])
			record.RetrievalAPSum += distant[k].precision()
		}
	}
}

// negatives counts the negatives of a query by its own positives.
type negatives struct {
	own       []float64 // distances of the positives, ascending
	noFarther []int64   // per positive: negatives that are at most as far, without invalid ones
	all       int64
}

func newNegatives(own []float64) negatives {
	return negatives{own: own, noFarther: make([]int64, len(own))}
}

func (n *negatives) count(distances []float64) {
	n.all += int64(len(distances))
	for k, own := range n.own {
		for _, d := range distances {
			if d <= own {
				n.noFarther[k]++
			}
		}
	}
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
func (c *candidates) draw(q int, visit func(pool int, rows []int32)) {
	stream := random.New(c.Seed, "workbench distractors", c.scene.Name, q)
	for _, p := range stream.Sample(len(c.pools), min(c.DistractorScenes, len(c.pools))) {
		n := c.pools[p].Rows.Rows
		c.rows = c.rows[:0]
		for _, row := range stream.Sample(n, min(c.DistractorsPerScene, n)) {
			c.rows = append(c.rows, int32(row))
		}
		visit(p, c.rows)
	}
}
