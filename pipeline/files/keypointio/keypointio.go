// Package keypointio reads and writes the keypoints of one image as CSV files
// and NumPy archives (.npz), including files of other programs.
//
// Attributes have the units and conventions of keypoints.Keypoint. Attributes
// missing from a file get cv::KeyPoint's defaults: size 0 px (unknown:
// descriptors that need a size mark the row invalid), angle -1 (no
// orientation), response 0, octave 0, class_id -1. Pixel centres are at integer
// coordinates; positions of programs that put the origin at the corner of the
// first pixel are not shifted.
//
// Numbers that are not finite in float32, negative sizes, and angles other than
// -1 or 0 to 360 degrees are errors. Rows are counted from 0.
package keypointio

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"descbench/keypoints"
	"descbench/pipeline/files"
	"descbench/pipeline/files/npz"
)

const (
	// MaxFileBytes limits a file of keypoints or descriptors of one image. It has
	// room for two million SIFT descriptors as float32.
	MaxFileBytes = 1 << 30
	// MaxRecordBytes limits a record of a CSV file. It has room for the longest
	// descriptor in decimal notation.
	MaxRecordBytes = 2 << 20
	// maxKeypoints limits the keypoints of one image. It has room for one at every
	// pixel of a photograph.
	maxKeypoints = 1 << 24
)

// ReadFile reads an .npz or CSV file. It detects the format from the content,
// not from the name, because programs name archives <image>.<method>. It
// returns what an archive tells about its positions, and the names of ignored columns or arrays, such as descriptors. Errors contain the file name.
func ReadFile(path string) (set keypoints.Set, about About, ignored []string, err error) {
	content, err := files.Read(path, MaxFileBytes)
	if err != nil {
		return keypoints.Set{}, about, nil, err
	}
	archive, err := Archive(path, content)
	switch {
	case err != nil:
	case archive != nil:
		set, about, err = ReadArchive(archive)
		ignored = archive.Unread()
	default:
		set, ignored, err = ReadCSV(bytes.NewReader(content))
	}
	if err != nil {
		return keypoints.Set{}, about, nil, fmt.Errorf("%s: %w", path, err)
	}
	return set, about, ignored, nil
}

// Archive opens the content of a file that is an .npz archive; nil if it is a CSV file. It
// returns an error, which says what to do, for other formats of arrays.
func Archive(path string, content []byte) (*npz.Archive, error) {
	switch {
	case npz.IsArray(content):
		return nil, errors.New("found a single NumPy array, want an .npz archive: numpy.savez(FILE, keypoints=..., descriptors=...)")
	case bytes.HasPrefix(content, []byte("\x89HDF\r\n\x1a\n")):
		return nil, errors.New(`found an HDF5 file, want .npz or CSV; for HDF5 see docs/own-functions.md`)
	case bytes.HasPrefix(content, []byte("PK")): // the signature of zip files
		return npz.NewArchive(bytes.NewReader(content), int64(len(content)))
	case strings.HasSuffix(path, ".npz") && len(content) == 0:
		return nil, errors.New("found an empty file, want an .npz archive")
	case strings.HasSuffix(path, ".npz"):
		return nil, errors.New("found a file that does not begin as an .npz archive does (with PK), want one, or a CSV file with another name")
	}
	return nil, nil
}

// unset is a keypoint with the defaults of attributes that a file does not
// have.
var unset = keypoints.Keypoint{Angle: keypoints.NoAngle, ClassID: -1}
