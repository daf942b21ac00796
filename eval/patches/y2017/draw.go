package y2017

import (
	"cmp"
	"fmt"

	"descbench/eval/patches"
	"descbench/eval/patches/internal/places"
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
	Split     string
	Sequences []Sequence
	Textured  int // patches with enough texture for retrieval
	// Lists of equal length with the same A in line n: line n of Intra and of Inter
	// is a negative from the same image as line n of Positive.
	Positive, Intra, Inter []Pair
	Queries, Distractors   []Patch // patches of reference images
}

// Draw draws the tasks of a split from its test sequences, by the rules of the HPatches
// files with three exceptions: no positive pair, query or distractor is drawn twice,
// all six images are used, and the second patch of an inter negative is always from a
// different sequence.
//
//   - A positive pair is a patch in two images. All patches and all pairs of images
//     are equally likely.
//   - The second patch of a negative pair is a different patch of the same sequence
//     (intra), or a patch of any other sequence (inter).
//   - Queries and distractors are textured patches.
//
// With too few patches Draw draws fewer pairs, and fewer queries and distractors in
// the requested proportion.
func Draw(split string, sequences []patches.StripSequence, d Drawing) (*Drawn, error) {
	var known []Sequence
	for _, s := range sequences {
		known = append(known, Sequence{s.Name, len(s.Textured)})
	}
	all, err := places.New("split "+split, sequences)
	if err = cmp.Or(err, checkNumber(len(known))); err != nil {
		return nil, err
	}
	usable := all.Textured
	drawn := &Drawn{Split: split, Sequences: known, Textured: len(usable)}
	drawn.pairs(all, random.New(d.Seed, "patch verification", split), d.Pairs)
	if len(usable) < 2 {
		return nil, fmt.Errorf("split %s: %d patches with texture, want at least 2: a query and a distractor", split, len(usable))
	}
	taken := min(d.Queries+d.Distractors, len(usable))
	queries := min(max(1, int(int64(taken)*int64(d.Queries)/int64(d.Queries+d.Distractors))), taken-1)
	for i, j := range random.New(d.Seed, "patch retrieval", split).Sample(len(usable), taken) {
		if p := patchAt(all, usable[j]); i < queries {
			drawn.Queries = append(drawn.Queries, p)
		} else {
			drawn.Distractors = append(drawn.Distractors, p)
		}
	}
	return drawn, nil
}

func (d *Drawn) pairs(all places.Places, s *random.Stream, most int) {
	const imagePairs = (1 + patches.ImagesPerNoise) * patches.ImagesPerNoise / 2
	different := all.Total() * imagePairs
	for _, n := range s.Sample(different, min(most, different)) {
		place := n / imagePairs
		first, second := places.TwoImages(n%imagePairs, s)
		a, same, inter, intra := patchAt(all, place), patchAt(all, place), patchAt(all, all.InOther(place, s)), patchAt(all, all.InSame(place, s))
		a.Image = uint8(first)
		same.Image, intra.Image, inter.Image = uint8(second), uint8(second), uint8(second)
		d.Positive = append(d.Positive, Pair{a, same})
		d.Intra = append(d.Intra, Pair{a, intra})
		d.Inter = append(d.Inter, Pair{a, inter})
	}
}

// patchAt returns the patch of a place in the reference image.
func patchAt(all places.Places, n int) Patch {
	sequence, index := all.At(n)
	return Patch{Index: int32(index), Sequence: uint16(sequence)}
}
