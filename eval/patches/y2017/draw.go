package y2017

import (
	"fmt"
	"slices"

	"descbench/eval/random"
)

// A Drawing holds the maximum numbers of pairs, queries and distractors to draw, and
// the random seed. HPatches has 1 000 000, 10 000 and 20 000.
type Drawing struct {
	Pairs, Queries, Distractors int
	Seed                        uint64
}

// Drawn is the content of the task files of a split.
type Drawn struct {
	// Lists of equal length with the same A in line n: line n of Intra and of Inter
	// is a negative from the same image as line n of Positive.
	Positive, Intra, Inter []Pair
	Queries, Distractors   []Patch // patches of reference images
}

// Draw draws the tasks of a split from the sequences, by the rules of the HPatches
// files with three exceptions: no positive pair, query or distractor is drawn twice,
// all six images are used, and the second patch of an inter negative is always from a
// different sequence.
//
//   - A positive pair is a patch in two images. All patches and all pairs of images
//     are equally likely.
//   - The second patch of a negative pair is a different patch of the same sequence
//     (intra), or a patch of any other sequence (inter).
//   - Queries and distractors are textured patches. textured gets the index of the
//     sequence and the index of the patch.
//
// With too few patches Draw draws fewer pairs, and fewer queries and distractors in
// the requested proportion.
func Draw(known *Sequences, split string, textured func(sequence, index int) bool, d Drawing) (*Drawn, error) {
	if len(known.Names) < 2 {
		return nil, fmt.Errorf("split %s: %d sequence, want at least 2 to draw negatives from another sequence", split, len(known.Names))
	}
	for i, n := range known.Patches {
		if n < 2 {
			return nil, fmt.Errorf("sequence %s: %d patch, want at least 2 to draw negatives from the same sequence", known.Names[i], n)
		}
	}
	all := newPlaces(known)
	drawn := &Drawn{}
	drawn.pairs(all, random.New(d.Seed, "patch verification", split), d.Pairs)
	var usable []int
	for n := range all.total() {
		if p := all.patch(n); textured(int(p.Sequence), int(p.Index)) {
			usable = append(usable, n)
		}
	}
	if len(usable) < 2 {
		return nil, fmt.Errorf("split %s: %d patches with texture, want at least 2: a query and a distractor", split, len(usable))
	}
	taken := min(d.Queries+d.Distractors, len(usable))
	queries := min(max(1, int(int64(taken)*int64(d.Queries)/int64(d.Queries+d.Distractors))), taken-1)
	for i, j := range random.New(d.Seed, "patch retrieval", split).Sample(len(usable), taken) {
		if p := all.patch(usable[j]); i < queries {
			drawn.Queries = append(drawn.Queries, p)
		} else {
			drawn.Distractors = append(drawn.Distractors, p)
		}
	}
	return drawn, nil
}

func (d *Drawn) pairs(all places, s *random.Stream, most int) {
	var imagePairs [][2]uint8
	for a := range uint8(1 + imagesPerNoise) {
		for b := range a {
			imagePairs = append(imagePairs, [2]uint8{a, b})
		}
	}
	different := all.total() * len(imagePairs)
	for _, n := range s.Sample(different, min(most, different)) {
		place, images := n/len(imagePairs), imagePairs[n%len(imagePairs)]
		if s.IntN(2) == 1 {
			images[0], images[1] = images[1], images[0]
		}
		a := all.patch(place)
		first, count := all.starts[a.Sequence], all.known.Patches[a.Sequence]
		same, inter := a, all.patch((first+count+s.IntN(all.total()-count))%all.total())
		intra := all.patch(first + (int(a.Index)+1+s.IntN(count-1))%count)
		a.Image, same.Image, intra.Image, inter.Image = images[0], images[1], images[1], images[1]
		d.Positive = append(d.Positive, Pair{a, same})
		d.Intra = append(d.Intra, Pair{a, intra})
		d.Inter = append(d.Inter, Pair{a, inter})
	}
}

// places numbers all patches of the reference images, sequence by sequence.
type places struct {
	known  *Sequences
	starts []int // first number of each sequence, and the end
}

func newPlaces(known *Sequences) places {
	p := places{known, []int{0}}
	for i, n := range known.Patches {
		p.starts = append(p.starts, p.starts[i]+n)
	}
	return p
}

func (p places) total() int { return p.starts[len(p.starts)-1] }

func (p places) patch(n int) Patch {
	i, exact := slices.BinarySearch(p.starts, n) // every sequence has patches
	if !exact {
		i--
	}
	return Patch{Index: int32(n - p.starts[i]), Sequence: uint16(i)}
}

// TextureDeviation is the standard deviation of pixel values, 0 to 255, above which
// HPatches uses a patch for retrieval.
const TextureDeviation = 10
