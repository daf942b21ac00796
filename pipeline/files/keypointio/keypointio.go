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
	"strings"

	"descbench/keypoints"
	"descbench/pipeline/files"
	"descbench/pipeline/files/npz"
)

const (
	// MaxFileBytes limits a file of keypoints, descriptors or matches of one image. It has
	// room for two million SIFT descriptors as float32.
	MaxFileBytes = 1 << 30
	// MaxRecordBytes limits a record of a CSV file. It has room for the longest
	// descriptor in decimal notation.
	MaxRecordBytes = 2 << 20
	// maxKeypoints limits the keypoints of one image. It has room for one at every
	// pixel of a photograph.
	maxKeypoints = 1 << 24
)

// Open reads a file of another program, of at most MaxFileBytes, and opens it if it is an .npz archive; it is
// nil if it is a CSV file. The content decides, not the name, because programs name archives
// <image>.<method>. Errors, which say what to do about other formats of arrays, do not contain the path.
func Open(path string) (archive *npz.Archive, content []byte, err error) {
	if content, err = files.Read(path, MaxFileBytes); err != nil {
		return nil, nil, files.Reason(err)
	}
	switch {
	case npz.IsArray(content):
		err = errors.New("found a single NumPy array, want an .npz archive: numpy.savez(FILE, keypoints=..., descriptors=...)")
	case bytes.HasPrefix(content, []byte("\x89HDF\r\n\x1a\n")):
		err = errors.New(`found an HDF5 file, want .npz or CSV; for HDF5 see docs/own-functions.md`)
	case bytes.HasPrefix(content, []byte("PK")): // the signature of zip files
		archive, err = npz.NewArchive(bytes.NewReader(content), int64(len(content)))
	case strings.HasSuffix(path, ".npz") && len(content) == 0:
		err = errors.New("found an empty file, want an .npz archive")
	case strings.HasSuffix(path, ".npz"):
		err = errors.New("found a file that does not begin as an .npz archive does (with PK), want one, or a CSV file with another name")
	}
	return archive, content, err
}

// unset is a keypoint with the defaults of attributes that a file does not
// have.
var unset = keypoints.Keypoint{Angle: keypoints.NoAngle, ClassID: -1}
