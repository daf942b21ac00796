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
