package patches

import (
	"cmp"
	"context"
	"fmt"
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
}

// CheckFolder reads all descriptors in a folder, <sequence>/<image>.csv. It reports
// unreadable files, different dimensions, images of a sequence with different
// numbers of patches, and missing images that other sequences have. If strips, the
// folder of <sequence>/<image>.png, is not empty, it compares the descriptors with
// the strips instead of with other sequences: the images must be the same, and each
// image must have one descriptor per patch in its strip.
func CheckFolder(ctx context.Context, open Opener, dir, strips string, workers int) (*Check, error) {
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
	found := make([]sequenceCheck, len(sequences))
	err = Each(ctx, workers, len(sequences), func(i int) error {
		name := sequences[i]
		if len(described[name]) > 0 {
			found[i].read(ctx, open, dir, name, described[name])
		}
		found[i].compareStrips(open, strips, name, described[name], pictured[name])
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
	elements, packed := descriptors.Bits, false
	for i, name := range sequences {
		s := found[i]
		if s.set != nil {
			if first == "" {
				first, check.Dimension = name, s.set.Dim
			} else if s.set.Dim != check.Dimension {
				s.faultf("%s: dimension %d, want %d as in %s", filepath.Join(dir, name), s.set.Dim, check.Dimension, first)
			}
			elements = wider(elements, s.set.Type)
			check.Sequences++
			check.Images += len(s.counts)
		}
		if missing := without(names, described[name]); len(missing) > 0 {
			s.faultf("%s: images missing: %s, want the same images as in other sequences", filepath.Join(dir, name), spelling.Few(missing, aSequence))
		}
		check.Patches += s.patches
		check.NotFinite += s.notFinite
		check.FirstNotFinite = cmp.Or(check.FirstNotFinite, s.firstNotFinite)
		check.Zeros += s.zeros
		packed = packed || s.packed
		check.Copies = append(check.Copies, s.copies...)
		check.Faults = append(check.Faults, s.faults...)
	}
	if first != "" {
		check.Elements = elements.String()
	}
	if packed && elements == descriptors.Uint8 {
		check.Packed = packedBits
	}
	return check, nil
}

// A sequenceCheck is the part of a Check for one sequence.
type sequenceCheck struct {
	set                       *Set // without its rows; nil if it cannot be read
	counts                    map[string]int
	patches, notFinite, zeros int
	firstNotFinite            string
	packed                    bool // the numbers may be packed bits
	copies                    []string
	faults                    []string
}

func (s *sequenceCheck) faultf(format string, args ...any) {
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

func (s *sequenceCheck) fault(err error) {
	if err != nil {
		s.faults = append(s.faults, err.Error())
	}
}

func (s *sequenceCheck) read(ctx context.Context, open Opener, dir, name string, images []string) {
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
		if first == "" {
			first = image
			s.set = &Set{Dim: set.Dim, Type: set.Type}
		}
		s.set.Type = wider(s.set.Type, set.Type)
		file := filepath.Join(dir, name, image+".csv")
		s.fault(checkWidth(file, set.Dim, s.set.Dim, first+".csv"))
		s.fault(checkLength(file, m.Rows, s.counts[first], first+".csv"))
		s.packed = s.packed || mayBePacked(m)
		equal, _ := repeated(m)
		if empty, _ := zeros(m); m.Rows > 2 && (equal == m.Rows-1 || empty == m.Rows) {
			s.faultf("%s: all %d lines are equal", file, m.Rows)
		}
	}
	s.notFinite, s.patches, s.firstNotFinite = read.count(read.Images, invalid)
	s.zeros, _, _ = read.count(read.Images, zeros)
	if n, first := read.copiesIn(name); n > 0 {
		s.copies = []string{fmt.Sprintf("%s: images with the descriptors of another: %d (%s)", filepath.Join(dir, name), n, first)}
	}
}

// compareStrips compares the descriptors of a sequence with its strips, if a folder
// of strips is given.
func (s *sequenceCheck) compareStrips(open Opener, strips, name string, described, pictured []string) {
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
		n, err := ReadFile(open, filepath.Join(strips, name, image+".png"), StripPatches)
		if err != nil {
			s.fault(err)
			continue
		}
		if got, ok := s.counts[image]; ok && got != n {
			s.faultf("%s.%s: %d descriptors, want %d, one per patch in its strip", name, image, got, n)
		}
	}
}

// aSequence is the number of images that a message names at most.
const aSequence = 16

// without returns the names that are not in others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(others, n) })
}
