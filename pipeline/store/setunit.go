package store

import (
	"fmt"

	"descbench/keypoints"
)

// WriteSets writes the keypoint sets of one scene, that of image 1 first, as
// an .npz: per image i the arrays i/x, i/y, i/size, i/angle, i/response
// (float32), i/octave, i/class_id (int32), and i/source (int32) if the set was
// projected, all with one element per keypoint.
func WriteSets(path string, sets []keypoints.Set) error {
	var members []member
	for i, s := range sets {
		m, err := setMembers(setPrefix(i), s)
		if err != nil {
			return fmt.Errorf("write %s: image %d: %w", path, i+1, err)
		}
		members = append(members, m...)
	}
	return writeContainer(path, "sets", members)
}

// ReadSets reads what WriteSets wrote. Errors about the content wrap
// ErrDamaged.
func ReadSets(path string) ([]keypoints.Set, error) {
	var sets []keypoints.Set
	err := readContainer(path, "sets", func(c *container) error {
		for c.has(setPrefix(len(sets)) + "x.npy") {
			s, err := readSet(c, setPrefix(len(sets)))
			if err != nil {
				return err
			}
			sets = append(sets, s)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sets, nil
}

func setPrefix(i int) string { return fmt.Sprintf("%d/", i+1) }

// The fields of a keypoint by the names of their arrays.
var (
	floatFields = []struct {
		name string
		of   func(*keypoints.Keypoint) *float32
	}{
		{"x", func(k *keypoints.Keypoint) *float32 { return &k.X }},
		{"y", func(k *keypoints.Keypoint) *float32 { return &k.Y }},
		{"size", func(k *keypoints.Keypoint) *float32 { return &k.Size }},
		{"angle", func(k *keypoints.Keypoint) *float32 { return &k.Angle }},
		{"response", func(k *keypoints.Keypoint) *float32 { return &k.Response }},
	}
	intFields = []struct {
		name string
		of   func(*keypoints.Keypoint) *int32
	}{
		{"octave", func(k *keypoints.Keypoint) *int32 { return &k.Octave }},
		{"class_id", func(k *keypoints.Keypoint) *int32 { return &k.ClassID }},
	}
)

// setMembers returns the arrays of s, named prefix + field.
func setMembers(prefix string, s keypoints.Set) ([]member, error) {
	n := s.Len()
	if s.Source != nil && len(s.Source) != n {
		return nil, fmt.Errorf("want a source for each of %d keypoints, found %d", n, len(s.Source))
	}
	var members []member
	add := func(name, dtype string, payload []byte) {
		members = append(members, member{prefix + name + ".npy", npyArray(dtype, payload, n)})
	}
	for _, f := range floatFields {
		v := make([]float32, n)
		for i := range v {
			v[i] = *f.of(&s.Keypoints[i])
		}
		add(f.name, npyFloat32, encodeFloat32(v))
	}
	for _, f := range intFields {
		v := make([]int32, n)
		for i := range v {
			v[i] = *f.of(&s.Keypoints[i])
		}
		add(f.name, npyInt32, encodeInt32(v))
	}
	if s.Source != nil {
		add("source", npyInt32, encodeInt32(s.Source))
	}
	return members, nil
}

// readSet reads what setMembers returned.
func readSet(c *container, prefix string) (keypoints.Set, error) {
	var s keypoints.Set
	n := -1 // not known yet
	column := func(name, dtype string) ([]byte, error) {
		b, err := c.read(prefix + name + ".npy")
		if err != nil {
			return nil, err
		}
		payload, shape, err := npyPayload(b, dtype, 1)
		if err != nil {
			return nil, fmt.Errorf("%s%s: %w", prefix, name, err)
		}
		if n < 0 {
			n = shape[0]
			s.Keypoints = make([]keypoints.Keypoint, n)
		}
		if shape[0] != n {
			return nil, fmt.Errorf("%s%s: want %d elements, found %d", prefix, name, n, shape[0])
		}
		return payload, nil
	}
	for _, f := range floatFields {
		b, err := column(f.name, npyFloat32)
		if err != nil {
			return s, err
		}
		for i, v := range decodeFloat32(b) {
			*f.of(&s.Keypoints[i]) = v
		}
	}
	for _, f := range intFields {
		b, err := column(f.name, npyInt32)
		if err != nil {
			return s, err
		}
		for i, v := range decodeInt32(b) {
			*f.of(&s.Keypoints[i]) = v
		}
	}
	if c.has(prefix + "source.npy") {
		b, err := column("source", npyInt32)
		if err != nil {
			return s, err
		}
		s.Source = decodeInt32(b)
	}
	return s, nil
}
