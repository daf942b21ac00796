package patches

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"descbench/descriptors"
	"descbench/eval/spelling"
)

// A Check summarises a folder of patch descriptors and lists its faults.
type Check struct {
	Descriptor string
	Dimension  int
	Elements   string // bits, uint8 or float32
	Sequences  int
	Images     int
	Patches    int
	NotFinite  int // descriptors with NaN or infinite values
	// FirstNotFinite is the patch of the first of them, as sequence.image.index.
	FirstNotFinite string
	Zeros          int      // descriptors with only zeros
	Packed         string   // what to do if the numbers are packed bits, as they may be
	Copies         []string // sequences with images of equal descriptors, one line each
	Faults         []string // one line each

	elements descriptors.ElementType
	packed   bool           // the numbers may be packed bits
	counts   map[string]int // numbers of descriptors by image, of a sequence
}

// CheckFolder reads all descriptors in a folder, <sequence>/<image>.csv. It reports
// unreadable files, different dimensions, images of a sequence with different
// numbers of patches, and missing images that other sequences have. If strips, the
// folder of <sequence>/<image>.png, is not empty, it compares the descriptors with
// the strips instead of with other sequences: the images must be the same, and each
// image must have one descriptor per patch in its strip, which must be that of recorded digests, by
// <sequence>/<image>, if there is one.
func CheckFolder(ctx context.Context, open Opener, dir, strips string, digests map[string]string, workers int) (*Check, error) {
	dir, err := NamedFolder(dir)
	if err != nil {
		return nil, err
	}
	described, err := Find(dir, ".csv", "descriptors")
	if err != nil {
		return nil, err
	}
	var pictured Wanted
	if strips != "" {
		if pictured, err = Find(strips, ".png", "strips"); err != nil {
			return nil, err
		}
	}
	sequences := slices.Concat(slices.Collect(maps.Keys(described)), slices.Collect(maps.Keys(pictured)))
	slices.Sort(sequences)
	sequences = slices.Compact(sequences)
	found := make([]Check, len(sequences))
	err = Each(ctx, workers, len(sequences), func(i int) error {
		name := sequences[i]
		found[i].read(ctx, open, dir, name, described[name])
		found[i].compareStrips(open, strips, name, described[name], pictured[name], digests)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	check := &Check{Descriptor: filepath.Base(dir), Faults: []string{}}
	var names []string
	if strips == "" {
		names = slices.Concat(slices.Collect(maps.Values(described))...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	first := ""
	check.elements = descriptors.Bits
	for i, name := range sequences {
		s := &found[i]
		if s.Images > 0 {
			if first == "" {
				first, check.Dimension = name, s.Dimension
			} else if s.Dimension != check.Dimension {
				s.faultf("%s: dimension %d, want %d as in %s", filepath.Join(dir, name), s.Dimension, check.Dimension, first)
			}
			check.elements = wider(check.elements, s.elements)
			check.Elements = check.elements.String()
			check.Sequences++
		}
		if missing := without(names, described[name]); len(missing) > 0 {
			s.faultf("%s: images missing: %s, want the same images as in other sequences", filepath.Join(dir, name), spelling.Few(missing, aSequence))
		}
		check.Images += s.Images
		check.Patches += s.Patches
		check.NotFinite += s.NotFinite
		check.FirstNotFinite = cmp.Or(check.FirstNotFinite, s.FirstNotFinite)
		check.Zeros += s.Zeros
		check.packed = check.packed || s.packed
		check.Copies = append(check.Copies, s.Copies...)
		check.Faults = append(check.Faults, s.Faults...)
	}
	if check.packed && check.elements == descriptors.Uint8 {
		check.Packed = packedBits
	}
	return check, nil
}

func (s *Check) faultf(format string, args ...any) {
	s.Faults = append(s.Faults, fmt.Sprintf(format, args...))
}

func (s *Check) fault(err error) {
	if err != nil {
		s.Faults = append(s.Faults, err.Error())
	}
}

// read reads the images of a sequence.
func (s *Check) read(ctx context.Context, open Opener, dir, name string, images []string) {
	s.counts = make(map[string]int, len(images))
	first := ""
	read := &Set{images: map[string]map[string]*descriptors.Matrix{name: {}}}
	for _, image := range referenceFirst(slices.Clone(images)) {
		set, err := Load(ctx, open, dir, Wanted{name: {image}}, 1)
		if err != nil {
			s.fault(err)
			continue
		}
		m := set.Image(name, image)
		read.images[name][image] = m
		s.counts[image] = m.Rows
		if s.Images++; s.Images == 1 {
			first, s.Dimension, s.elements = image, set.Dim, set.Type
		}
		s.elements = wider(s.elements, set.Type)
		file := filepath.Join(dir, name, image+".csv")
		s.fault(checkWidth(file, set.Dim, s.Dimension, first+".csv"))
		s.fault(checkLength(file, m.Rows, s.counts[first], first+".csv"))
		s.packed = s.packed || mayBePacked(m)
		equal, _ := repeated(m)
		if empty, _ := zeros(m); m.Rows > 2 && (equal == m.Rows-1 || empty == m.Rows) {
			s.faultf("%s: all %d lines are equal", file, m.Rows)
		}
	}
	s.NotFinite, s.Patches, s.FirstNotFinite = read.count(invalid, false)
	s.Zeros, _, _ = read.count(zeros, false)
	if n, first := read.copiesIn(name); n > 0 {
		s.Copies = []string{fmt.Sprintf("%s: images with the descriptors of another: %d (%s)", filepath.Join(dir, name), n, first)}
	}
}

// compareStrips compares the descriptors of a sequence with its strips, if a folder
// of strips is given.
func (s *Check) compareStrips(open Opener, strips, name string, described, pictured []string, digests map[string]string) {
	if strips == "" {
		return
	}
	if missing := without(pictured, described); len(missing) > 0 {
		s.faultf("%s: no descriptors of %s", name, spelling.Few(missing, aSequence))
	}
	if extra := without(described, pictured); len(extra) > 0 {
		s.faultf("%s: no strips of %s", name, spelling.Few(extra, aSequence))
	}
	for _, image := range pictured {
		path := filepath.Join(strips, name, image+".png")
		n, err := ReadFile(open, path, StripPatches)
		digest, unread := ReadFile(open, path, fileDigest)
		got, known := s.counts[image]
		switch want := digests[name+"/"+image]; {
		case cmp.Or(err, unread) != nil:
			s.fault(cmp.Or(err, unread))
		case known && got != n:
			s.faultf("%s.%s: %d descriptors, want %d, one per patch in its strip", name, image, got, n)
		case want != "" && digest != want:
			s.faultf("%s.%s: describes another strip than that in %s", name, image, strips)
		}
	}
}

// fileDigest returns the SHA-256 of a file, in hexadecimal.
func fileDigest(_ string, r io.Reader) (digest string, err error) {
	digest = SHA256(func(w io.Writer) { _, err = io.Copy(w, r) })
	return digest, err
}

// aSequence is the number of images that a message names at most.
const aSequence = 16

// without returns the names that are not in others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(others, n) })
}
