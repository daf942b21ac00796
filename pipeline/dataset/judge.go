package dataset

import (
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/keypoints"
	"descbench/pipeline/store"
)

// judge checks what the files of a scene say about each other. It returns a
// *store.Fault for what cannot be right and sets s.Facts to what is possible but
// improbable.
func (s *Scene) judge() error {
	for i := 1; i < len(s.Images); i++ {
		m, file := s.mappings[i], s.Images[i].homography
		if c, ok := m.Cameras(); ok {
			if c.T == [3]float64{} {
				return store.Faultf(s.Where(i), "has its camera at the place of that of %s: there is no direction of the translation", s.Where(0))
			}
			continue
		}
		visible := visibleShare(m, s.Images[0], samples)
		covered := visibleShare(m.Inverse(), s.Images[i], samples)
		switch corners := s.wrongSide(i); {
		case visible < 0.001:
			return store.Faultf(s.Name+"/"+file, "maps less than 0.1 %% of image 1 into image %d", i+1)
		case covered < 0.001:
			return store.Faultf(s.Name+"/"+file, "maps image 1 to less than 0.1 %% of image %d", i+1)
		case corners == 4:
			s.tell(fact.New(fact.Mirrored).Naming("file", file))
		case corners > 0:
			s.tell(fact.New(fact.BeyondInfinity).Naming("file", file))
		case visible < 0.01:
			s.tell(fact.New(fact.HardlyVisible).Naming("file", file).With("image", float64(i+1)))
		case covered < 0.01:
			s.tell(fact.New(fact.HardlyCovered).Naming("file", file).With("image", float64(i+1)))
		}
	}
	var without []string
	for _, img := range s.Images {
		if img.Depth == "" {
			without = append(without, path.Base(img.File))
		}
	}
	if without != nil && len(without) < len(s.Images) {
		s.tell(fact.New(fact.MissingDepth).Naming("files", without...))
	}
	s.findDuplicates()
	s.Facts = append(s.Facts, renamed(s.Name)...)
	return nil
}

// renamed tells of a scene that has the name of one of HPatches but for its first letter.
func renamed(name string) []fact.Fact {
	for was, is := range map[string]string{"v_": "i_", "i_": "v_"} {
		if bare, has := strings.CutPrefix(name, was); has && IsHPatches(is+bare) {
			return []fact.Fact{fact.New(fact.RenamedScene, name).Naming("scene", is+bare)}
		}
	}
	if lower := strings.ToLower(name[:min(2, len(name))]); lower != name[:len(lower)] && scope.Category(lower) != scope.Other {
		return []fact.Fact{fact.New(fact.CapitalLetter, name).Naming("prefix", lower)}
	}
	return nil
}

// NoCopies returns a *store.Fault if two of the scenes whose digests are given by name are
// the same. Intervals and tests would take them for independent scenes.
func NoCopies(digests map[string]string) error {
	first := make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		if of, copied := first[digests[name]]; copied {
			return store.Faultf(name, "is a copy of %s: same images and homographies, which intervals and tests would count as two scenes; remove one, or select one by dataset.scenes", of)
		}
		first[digests[name]] = name
	}
	return nil
}

// Shared tells of images of a scene that are those of a scene of another group. seen maps the digests of
// the images of earlier scenes to their names, and gets those of this one.
func Shared(seen map[string]string, scene string, images []ImageFile) (out []fact.Fact) {
	for _, img := range images {
		if of := seen[img.Digest]; of != "" && scope.Group(of) != scope.Group(scene) {
			out = append(out, fact.New(fact.CopiedScene, scene).Naming("images", img.File, path.Clean(of)))
		}
		seen[img.Digest] = scene + "/" + img.File
	}
	return out
}

// samples is the number of pixels of a row or column at which judge samples an
// image. The tests of single pixels would take as long as decoding.
const samples = 64

func (s *Scene) tell(f fact.Fact) {
	f.Scenes = []string{s.Name}
	s.Facts = append(s.Facts, f)
}

// Overlap returns the share of the pixels of image 1 that are visible in image i,
// counted from 0; NaN if it is not known.
func (s *Scene) Overlap(i int) (float64, error) {
	m, err := s.Mapping(i)
	if err != nil || !m.KnowsPlaces() {
		return math.NaN(), err
	}
	return visibleShare(m, s.Images[0], max(s.Images[0].Width, s.Images[0].Height)), nil
}

// visibleShare returns the share of the pixels of an image that are visible in the
// other one, measured on a grid of at most n×n pixels.
func visibleShare(m keypoints.Mapping, from ImageFile, n int) float64 {
	stepX, stepY := (from.Width+n-1)/n, (from.Height+n-1)/n
	inside, all := 0, 0
	for y := stepY / 2; y < from.Height; y += stepY {
		for x := stepX / 2; x < from.Width; x += stepX {
			all++
			if m.Place(float64(x), float64(y)).State == keypoints.Visible {
				inside++
			}
		}
	}
	return float64(inside) / float64(all)
}

// wrongSide counts the corners of image 1 near which homography i reverses the
// orientation. For two views of the same side of a plane that is entirely in
// front of both cameras there are none (Hartley and Zisserman, Multiple View
// Geometry, 2nd edition, 2004, chapter 21). If there are some but not all, the
// line that is mapped to infinity crosses the image.
func (s *Scene) wrongSide(i int) (corners int) {
	w, h := float64(s.Images[0].Width-1), float64(s.Images[0].Height-1)
	for _, c := range [][2]float64{{0, 0}, {w, 0}, {0, h}, {w, h}} {
		if a := s.Homography(i).LocalAffine(c[0], c[1]); !(a[0][0]*a[1][1] > a[0][1]*a[1][0]) {
			corners++
		}
	}
	return corners
}

// findDuplicates tells of image files with the same content and, where the
// viewpoint changes, of homographies that say that it does not. In illumination
// scenes all homographies may be the identity.
func (s *Scene) findDuplicates() {
	viewpoint := scope.Category(s.InFiles) == scope.Viewpoint
	for j := range s.Images {
		h := s.Homography(j)
		if j > 0 && viewpoint && h == keypoints.Identity {
			s.tell(fact.New(fact.IdentityInView).Naming("file", s.Images[j].homography))
		}
		for i := range j {
			switch {
			case s.Images[i].Digest == s.Images[j].Digest:
				s.tell(fact.New(fact.SameImages).Naming("files", s.Images[i].File, s.Images[j].File))
			case i > 0 && viewpoint && s.Homography(i) == h && h != keypoints.Identity:
				s.tell(fact.New(fact.SameHomographies).Naming("files", s.Images[i].homography, s.Images[j].homography))
			}
		}
	}
}
