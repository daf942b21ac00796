package unitfile

import (
	"fmt"

	"descbench/keypoints"
	"descbench/pipeline/files/keypointio"
	"descbench/pipeline/files/npz"
)

// Sets is the format of the keypoint sets of one scene, starting with image 1. For each image i it
// has the arrays i/x, i/y, i/size, i/angle, i/response (float32), i/octave, i/class_id (int32), and
// i/source (int32) if the set was projected. All arrays have one element per keypoint.
var Sets = Format[[]keypoints.Set]{
	members: func(sets []keypoints.Set) (all []npz.Member, err error) {
		for i, s := range sets {
			m, err := setMembers(setPrefix(i), s)
			if err != nil {
				return nil, fmt.Errorf("image %d: %w", i+1, err)
			}
			all = append(all, m...)
		}
		return all, nil
	},
	read: func(a *npz.Archive) (sets []keypoints.Set, err error) {
		for err == nil && a.Has(setPrefix(len(sets))+"x") {
			var s keypoints.Set
			s, err = readSet(a, setPrefix(len(sets)))
			sets = append(sets, s)
		}
		return sets, err
	},
}

// Detections is the format of the keypoints that were detected in an image, with the arrays of Sets
// without their number.
var Detections = Format[keypoints.Set]{
	kind:    "detections",
	members: func(s keypoints.Set) ([]npz.Member, error) { return setMembers("", s) },
	read:    func(a *npz.Archive) (keypoints.Set, error) { return readSet(a, "") },
}

func setPrefix(i int) string { return fmt.Sprintf("%d/", i+1) }

// setMembers returns the arrays of s, named prefix + column.
func setMembers(prefix string, s keypoints.Set) ([]npz.Member, error) {
	n := s.Len()
	if s.Source != nil && len(s.Source) != n {
		return nil, fmt.Errorf("want a source for each of %d keypoints, found %d", n, len(s.Source))
	}
	var members []npz.Member
	for _, c := range keypoints.Columns() {
		members = append(members, keypointio.Array(c, s).Member(prefix+c.Name))
	}
	if s.Source != nil {
		members = append(members, npz.Of(s.Source, n).Member(prefix+"source"))
	}
	return members, nil
}

// readSet reads the arrays of setMembers.
func readSet(a *npz.Archive, prefix string) (s keypoints.Set, err error) {
	for _, c := range keypoints.Columns() {
		if c.Int != nil {
			err = readColumn(a, prefix+c.Name, c.Int, &s)
		} else {
			err = readColumn(a, prefix+c.Name, c.Real, &s)
		}
		if err != nil {
			return s, err
		}
	}
	if a.Has(prefix + "source") {
		if s.Source, err = readArray[int32](a, prefix+"source", 1); err == nil && len(s.Source) != s.Len() {
			err = fmt.Errorf("%ssource: want %d elements, found %d", prefix, s.Len(), len(s.Source))
		}
	}
	return s, err
}

// readColumn sets one field of all keypoints. The first call allocates the
// keypoints.
func readColumn[T npz.Element](a *npz.Archive, name string, of func(*keypoints.Keypoint) *T, s *keypoints.Set) error {
	v, err := readArray[T](a, name, 1)
	if err != nil {
		return err
	}
	if s.Keypoints == nil {
		s.Keypoints = make([]keypoints.Keypoint, len(v))
	}
	if len(v) != s.Len() {
		return fmt.Errorf("%s: want %d elements, found %d", name, s.Len(), len(v))
	}
	for i := range v {
		*of(&s.Keypoints[i]) = v[i]
	}
	return nil
}
