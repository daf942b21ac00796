package distractors

import (
	"context"
	"math"
	"slices"

	"descbench/descriptors"
	"descbench/eval/nearest"
	"descbench/eval/random"
	"descbench/keypoints"
)

// maxOtherScenes is the maximum number of other scenes that negatives come from.
const maxOtherScenes = 100

// Bojanic is the protocol bojanic_2019. It uses the distances of rows without
// normalisation.
type Bojanic struct {
	N           int // reference keypoints per scene; 0: all
	Repetitions int // each with other reference keypoints, unless N is 0, and images of other scenes
	Seed        uint64
}

// A BojanicRecord is one labelled distance, or the AP of one query.
type BojanicRecord struct {
	// Descriptor is the name of the descriptor in the config.
	Descriptor string `parquet:"descriptor,dict"`
	// Scene is the name of the scene.
	Scene string `parquet:"scene,dict"`
	// Repetition is the number of the repetition, from 0.
	Repetition int32 `parquet:"repetition"`
	// Row is the row of the reference keypoint in the set of image 1, from 0.
	Row int32 `parquet:"row"`

	// K determines the type of the record: 2 or more is the match of the
	// keypoint in image K, 1 is its nearest neighbour in the pool of the scene
	// Other, and 0 is its retrieval. Every reference keypoint has one retrieval
	// record.
	K int32 `parquet:"k"`
	// Other is the name of the scene of the pool; empty for other types.
	Other string `parquet:"other,dict"`

	// Correct reports of a match that no candidate is nearer to the projected keypoint.
	Correct bool `parquet:"correct"`
	// Invalid reports of a retrieval that the keypoint's descriptor is invalid.
	Invalid bool `parquet:"invalid"`
	// Distance is the descriptor distance to the nearest neighbour, 0 or more; NULL for
	// retrieval.
	Distance float64 `parquet:"distance" null:"NaN"`
	// AP is the average precision of the retrieval, 0 to 1; NULL if no target has
	// keypoints, and for other types.
	AP float64 `parquet:"ap" null:"NaN"`
}

// Values of K in a BojanicRecord that are not image numbers.
const (
	kRetrieval = 0
	kOther     = 1
)

// Record computes the records of a scene in one repetition. pools are those of the
// repetition, in any order. A pool of the scene itself is ignored. All rows of a pool
// with fewer than N rows are used. A keypoint with an invalid row has no nearest
// neighbour and no match record. In retrieval, invalid rows are at infinite distance.
func (b Bojanic) Record(ctx context.Context, descriptor string, scene *Scene, repetition int, pools []Pool) ([]BojanicRecord, error) {
	r := &bojanicScene{Bojanic: b, repetition: repetition, descriptor: descriptor, scene: scene, pools: others(scene.Name, pools)}
	r.choose()
	if err := r.match(ctx); err != nil {
		return nil, err
	}
	if err := r.compare(ctx); err != nil {
		return nil, err
	}
	return r.records(), nil
}

// A bojanicScene holds the intermediate results for the records of a scene in one
// repetition.
type bojanicScene struct {
	Bojanic
	repetition int
	descriptor string
	scene      *Scene
	pools      []Pool

	chosen []int // rows of image 1, ascending
	rows   *descriptors.Matrix

	found   []*nearest.Result // by image: nearest neighbours of chosen
	targets targets           // for chosen

	images  []int       // indices of the pools used
	nearby  [][]float64 // by index in images: distances of chosen to their nearest neighbours
	sampled [][]float64 // the same among N keypoints
}

// choose draws the reference keypoints from those that stay inside every target.
func (r *bojanicScene) choose() {
	for row := range r.scene.Images[0].Keypoints {
		if r.staysInside(row) {
			r.chosen = append(r.chosen, row)
		}
	}
	if eligible := r.chosen; r.N > 0 && r.N < len(eligible) {
		r.chosen = nil
		for _, place := range random.New(r.Seed, "bojanic keypoints", r.scene.Name, r.repetition).Sample(len(eligible), r.N) {
			r.chosen = append(r.chosen, eligible[place])
		}
		slices.Sort(r.chosen)
	}
	r.rows = r.scene.Images[0].Rows.Select(r.chosen)
}

// staysInside allows a pixel more than what is Visible, as the authors' code does.
func (r *bojanicScene) staysInside(row int) bool {
	for i := 1; i < len(r.scene.Images); i++ {
		p, img := r.scene.There[i][row], r.scene.Images[i]
		if !keypoints.Inside(p.X, p.Y, img.Width+1, img.Height+1) {
			return false
		}
	}
	return true
}

// match finds the nearest neighbour and the correct candidate of each reference
// keypoint in every target.
func (r *bojanicScene) match(ctx context.Context) error {
	there := make([][]keypoints.Place, len(r.scene.Images))
	r.found = make([]*nearest.Result, len(r.scene.Images))
	var err error
	for i := 1; i < len(r.scene.Images); i++ {
		for _, row := range r.chosen {
			there[i] = append(there[i], r.scene.There[i][row])
		}
		if r.found[i], err = nearest.Search(ctx, r.rows, r.scene.Images[i].Rows, nil); err != nil {
			return err
		}
	}
	r.targets, err = r.scene.targets(there, r.rows, math.Inf(1))
	return err
}

// compare finds the nearest neighbours of the reference keypoints in images of other
// scenes: among all keypoints, and among N keypoints drawn from them.
func (r *bojanicScene) compare(ctx context.Context) error {
	r.images = random.New(r.Seed, "bojanic scenes", r.scene.Name, r.repetition).Sample(len(r.pools), min(maxOtherScenes, len(r.pools)))
	slices.Sort(r.images)
	for _, p := range r.images {
		pool := r.pools[p]
		found, err := nearest.Search(ctx, r.rows, pool.Rows, nil)
		if err != nil {
			return err
		}
		r.nearby = append(r.nearby, found.NearestDistance)
		if r.N > 0 && r.N < pool.Rows.Rows {
			drawn := random.New(r.Seed, "bojanic candidates", r.scene.Name, r.repetition, pool.Scene).Sample(pool.Rows.Rows, r.N)
			if found, err = nearest.Search(ctx, r.rows, pool.Rows.Select(drawn), nil); err != nil {
				return err
			}
		}
		r.sampled = append(r.sampled, found.NearestDistance)
	}
	return nil
}

func (r *bojanicScene) records() []BojanicRecord {
	var out []BojanicRecord
	for i, row := range r.chosen {
		record := BojanicRecord{Descriptor: r.descriptor, Scene: r.scene.Name, Repetition: int32(r.repetition), Row: int32(row), AP: math.NaN()}
		for image := 1; image < len(r.scene.Images); image++ {
			if found := r.found[image]; found.Nearest[i] >= 0 {
				match := record
				match.K, match.Distance = int32(image+1), found.NearestDistance[i]
				match.Correct = r.correct(image, i)
				out = append(out, match)
			}
		}
		for at, p := range r.images {
			if d := r.nearby[at][i]; !math.IsNaN(d) {
				other := record
				other.K, other.Other, other.Distance = kOther, r.pools[p].Scene, d
				out = append(out, other)
			}
		}
		record.K, record.AP, record.Distance = kRetrieval, r.retrieval(i), math.NaN()
		record.Invalid = !r.targets.valid(i)
		out = append(out, record)
	}
	return out
}

// correct reports whether no candidate is nearer to the projection of a
// reference keypoint than its nearest neighbour by descriptor.
func (r *bojanicScene) correct(image, i int) bool {
	t := r.targets.truths[image][i]
	matched := r.scene.Images[image].Keypoints[r.found[image].Nearest[i]]
	return t.PixelError(matched) <= t.Error
}

// retrieval returns the AP of the candidates nearest to the projections of a
// reference keypoint among its nearest neighbours in other scenes.
func (r *bojanicScene) retrieval(i int) float64 {
	var wrong []float64
	for _, among := range r.sampled {
		wrong = append(wrong, among[i])
	}
	return averagePrecision(r.targets.distances(i), wrong)
}

// averagePrecision returns the AP of the distances right among the distances wrong,
// NaN if right is empty.
func averagePrecision(right, wrong []float64) float64 {
	p := newPositives(right)
	counts := p.newCounts()
	p.count(wrong, counts)
	return p.averagePrecision(counts)
}
