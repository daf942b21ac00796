package y2016

import (
	"fmt"

	"descbench/eval/patches"
	"descbench/eval/patches/internal/places"
	"descbench/eval/random"
	"descbench/eval/scope"
)

// A Drawing says how many negative pairs to draw at most for each list, and from which
// seed. The benchmark has 1 000 000, and 200 000 positives with them.
type Drawing struct {
	Negatives int
	Seed      uint64
}

// Proportions of the benchmark's own files.
const (
	negativesPerPositive = 5
	queriesPerSequence   = 100                        // of the pool
	imagesPerPool        = 1 + patches.ImagesPerNoise // of a sequence: the reference and the easy or hard ones
)

// pools are the numbers of sequences in a pool of retrieval, and how many of a set's
// sequences there are per draw: 5 and 2 draws of 76 training sequences, 3 and 1 of 40
// test sequences.
var pools = []struct{ sequences, perDraw int }{{5, 15}, {40, 40}}

// Drawn are the files of a set, and what was drawn for them.
type Drawn struct {
	Set        string // train or test
	Sequences  int
	Patches    int // in reference images
	Textured   int // patches with enough texture for retrieval
	Positives  int // of each noise level
	Negatives  int // of each kind
	ImagePairs int
	Pools      int
	Queries    int

	Files []patches.File
}

// Draw draws the files of a set, train or test, by the rules of the benchmark's README files of
// 2016-08-12 and the proportions of its files:
//
//   - A positive pair is a patch in two images of ref, e1..e5 (easy) or of ref, h1..h5
//     (hard), drawn without repetition.
//   - A negative pair has two different images of ref, e1..e5: patches of different
//     sequences (diffseq), or different patches of one sequence (sameseq).
//   - Matching pairs each reference with the easy or hard images of its sequence, by
//     category.
//   - A pool of retrieval has the references and the easy or hard images of sequences
//     drawn at random. Queries are textured patches of its references.
//
// Labels of matching and retrieval, where patch n of a sequence shows one place in all
// images, are separate files. With too few patches, there are fewer pairs. The files are in
// the first layout of the formats (v1), each in the folder of its task.
func Draw(set string, sequences []patches.StripSequence, d Drawing) (*Drawn, error) {
	all, err := places.New("set "+set, sequences)
	if err != nil {
		return nil, err
	}
	drawn := &drawing{sequences, d, Drawn{Set: set, Sequences: len(sequences), Patches: all.Total(), Textured: len(all.Textured)}}
	drawn.classification(all)
	drawn.matching()
	return &drawn.Drawn, drawn.retrieval()
}

type drawing struct {
	sequences []patches.StripSequence
	Drawing
	Drawn
}

// noises are the kinds of images besides the reference.
var noises = []string{"easy", "hard"}

func (d *drawing) file(task Task, name string, lines int, line func(b []byte, i int) []byte) {
	d.Files = append(d.Files, patches.NewFile(string(task)+"/"+d.Set+"_"+name, lines, line))
}

func (d *drawing) pairs(name string, positive bool, list []Pair) {
	d.file(Classification, name+".pairs", len(list), func(b []byte, i int) []byte {
		return fmt.Appendf(b, "%s,%d", list[i], labelOf(positive))
	})
}

// classification draws the four lists of pairs.
func (d *drawing) classification(all places.Places) {
	patch := func(n int, image string) patches.Signature {
		i, index := all.At(n)
		return patches.Signature{Sequence: d.sequences[i].Name, Image: image, Index: index}
	}
	const imagePairs = imagesPerPool * (imagesPerPool - 1) / 2
	positives := max(1, min(d.Drawing.Negatives/negativesPerPositive, all.Total()*imagePairs))
	for _, noise := range noises {
		images, s := patches.Images(noise[:1]), random.New(d.Seed, "positive pairs of 2016", d.Set, noise)
		list := make([]Pair, positives)
		for i, n := range s.Sample(all.Total()*imagePairs, positives) {
			a, b := places.TwoImages(n%imagePairs, s)
			list[i] = Pair{patch(n/imagePairs, images[a]), patch(n/imagePairs, images[b])}
		}
		d.Positives = positives
		d.pairs("pos_"+noise, true, list)
	}
	images := patches.Images(noises[0][:1])
	for _, kind := range []string{"diffseq", "sameseq"} {
		s := random.New(d.Seed, "negative pairs of 2016", d.Set, kind)
		list := make([]Pair, min(d.Drawing.Negatives, negativesPerPositive*positives))
		for i := range list {
			a, b := places.TwoImages(s.IntN(imagePairs), s)
			n := s.IntN(all.Total())
			other := all.InOther(n, s)
			if kind == "sameseq" {
				other = all.InSame(n, s)
			}
			list[i] = Pair{patch(n, images[a]), patch(other, images[b])}
		}
		d.Drawn.Negatives = len(list)
		d.pairs("neg_"+kind, false, list)
	}
}

// matching writes the image pairs of each category, and which patches belong together.
func (d *drawing) matching() {
	for _, noise := range noises {
		for _, category := range [][2]string{{"illum", scope.Illumination}, {"viewpoint", scope.Viewpoint}} {
			var pairs []Pair
			var indexes [][]int32 // of the patches of each pair
			for _, s := range d.sequences {
				if scope.Category(s.Name) != category[1] {
					continue
				}
				all := make([]int32, len(s.Textured))
				for n := range all {
					all[n] = int32(n)
				}
				images := patches.Images(noise[:1])
				for _, image := range images[1:] {
					pairs = append(pairs, Pair{whole(s.Name, images[0]), whole(s.Name, image)})
					indexes = append(indexes, all)
				}
			}
			if pairs == nil {
				continue
			}
			name := noise + "_" + category[0]
			d.ImagePairs += len(pairs)
			d.file(Matching, name+".benchmark", len(pairs), func(b []byte, i int) []byte { return append(b, pairs[i].String()...) })
			d.file(Matching, name+".labels", 3*len(pairs), func(b []byte, i int) []byte {
				if i%3 == 0 {
					return append(b, pairs[i/3].String()...)
				}
				return patches.AppendList(b, indexes[i/3], appendIndex)
			})
		}
	}
}

// retrieval draws pools and queries.
func (d *drawing) retrieval() error {
	for _, noise := range noises {
		for _, p := range pools {
			size := min(p.sequences, len(d.sequences))
			if size < p.sequences && p.sequences > pools[0].sequences {
				continue // not enough sequences
			}
			for draw := range max(1, (len(d.sequences)+p.perDraw/2)/p.perDraw) {
				if err := d.pool(noise, size, draw); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (d *drawing) pool(noise string, size, draw int) error {
	name := fmt.Sprintf("%s_%ds_%02d", noise, size, draw)
	s := random.New(d.Seed, "retrieval of 2016", d.Set, noise, size, draw)
	images := patches.Images(noise[:1])
	var pool, textured []patches.Signature
	members := 0
	for _, i := range s.Sample(len(d.sequences), size) {
		of := d.sequences[i]
		for _, image := range images {
			pool = append(pool, whole(of.Name, image))
		}
		members += imagesPerPool * len(of.Textured)
		for n, usable := range of.Textured {
			if usable {
				textured = append(textured, patches.Signature{Sequence: of.Name, Image: images[0], Index: n})
			}
		}
	}
	if members < ListLength || textured == nil {
		return fmt.Errorf("set %s: a pool of %d patches, %d of them with texture in references: want at least %d, and 1 with texture", d.Set, members, len(textured), ListLength)
	}
	b := &RetrievalBenchmark{Pool: pool}
	var queries [][]patches.Signature // one a line
	for _, i := range s.Sample(len(textured), min(queriesPerSequence*size, len(textured))) {
		b.Queries, queries = append(b.Queries, textured[i]), append(queries, textured[i:i+1])
	}
	d.Pools++
	d.Queries += len(queries)
	d.file(Retrieval, name+".benchmark", 1+len(queries), listLines(pool, queries))
	d.file(Retrieval, name+".labels", 1+len(queries), listLines(pool, b.SamePlace()))
	return nil
}

func whole(sequence, image string) patches.Signature {
	return patches.Signature{Sequence: sequence, Image: image, Index: -1}
}
