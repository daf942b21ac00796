// Package keypointio reads and writes the keypoints of one image as CSV and as
// NumPy archives (.npz), those of other programs among them.
//
// Attributes are those of keypoints.Keypoint, in its units and conventions.
// Which the file does not have get cv::KeyPoint's defaults: size 0 px (not
// known: descriptors that need a size have no row for it), angle -1 (none),
// response 0, octave 0, class_id -1. Pixel centres are at integer coordinates;
// positions of programs that put the origin at the corner of the first pixel
// are not shifted here.
//
// Refused are numbers that are not finite, in float32, negative sizes, and
// angles that are neither -1 nor from 0 to 360 degrees. Rows are counted from 0.
package keypointio

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"

	"descbench/keypoints"
	"descbench/keypoints/npz"
)

// ReadFile reads a file, which is an .npz or CSV by its content, not its name:
// programs name archives <image>.<method>. It returns the names of the columns
// or arrays that it does not read, such as descriptors. Errors name the file.
func ReadFile(path string) (set keypoints.Set, ignored []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return keypoints.Set{}, nil, err
	}
	defer f.Close()
	start := make([]byte, 2)
	n, err := f.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return keypoints.Set{}, nil, fmt.Errorf("read %s: %w", path, err)
	}
	if string(start[:n]) == "PK" { // every zip file begins so
		set, ignored, err = readNPZFile(f)
	} else {
		set, ignored, err = ReadCSV(bufio.NewReader(f))
	}
	if err != nil {
		return keypoints.Set{}, nil, fmt.Errorf("%s: %w", path, err)
	}
	return set, ignored, nil
}

func readNPZFile(f *os.File) (keypoints.Set, []string, error) {
	info, err := f.Stat()
	if err != nil {
		return keypoints.Set{}, nil, err
	}
	archive, err := npz.NewArchive(f, info.Size())
	if err != nil {
		return keypoints.Set{}, nil, err
	}
	set, err := ReadArchive(archive)
	return set, archive.Unread(), err
}

// unset is a keypoint with the attributes of those that a file has not.
var unset = keypoints.Keypoint{Angle: -1, ClassID: -1}

// An attribute is a field of a keypoint: one of the two functions is set.
type attribute struct {
	name  string // of the column in CSV
	array string // in an .npz; x and y are columns of the array keypoints
	real  func(*keypoints.Keypoint) *float32
	int   func(*keypoints.Keypoint) *int32
}

// attributes are in the order of columns.
var attributes = []attribute{
	{name: "x", real: func(k *keypoints.Keypoint) *float32 { return &k.X }},
	{name: "y", real: func(k *keypoints.Keypoint) *float32 { return &k.Y }},
	{name: "size", array: "size", real: func(k *keypoints.Keypoint) *float32 { return &k.Size }},
	{name: "angle", array: "angle", real: func(k *keypoints.Keypoint) *float32 { return &k.Angle }},
	{name: "response", array: "scores", real: func(k *keypoints.Keypoint) *float32 { return &k.Response }},
	{name: "octave", array: "octave", int: func(k *keypoints.Keypoint) *int32 { return &k.Octave }},
	{name: "class_id", array: "class_id", int: func(k *keypoints.Keypoint) *int32 { return &k.ClassID }},
}

// set checks the value and stores it.
func (a attribute) set(k *keypoints.Keypoint, v float64) error {
	if a.int != nil {
		if v != math.Trunc(v) || v < math.MinInt32 || v > math.MaxInt32 { // also NaN
			return fmt.Errorf("%s is %v, want a whole number of 32 bits", a.name, v)
		}
		*a.int(k) = int32(v)
		return nil
	}
	f := float32(v)
	switch {
	case math.IsNaN(v) || math.IsInf(float64(f), 0):
		return fmt.Errorf("%s is %v, want a finite number", a.name, v)
	case a.name == "size" && v < 0:
		return fmt.Errorf("size is %v, want no negative number of px", v)
	case a.name == "angle" && v != -1 && !(v >= 0 && v <= 360):
		return fmt.Errorf("angle is %v, want 0 to 360 degrees, or -1 for none", v)
	}
	*a.real(k) = f
	return nil
}
