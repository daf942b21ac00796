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
	"io"
	"os"
	"strings"

	"descbench/files"
	"descbench/files/npz"
	"descbench/keypoints"
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

// ReadFile reads an .npz or CSV file, or an .npy file with the array keypoints
// alone. It detects the format from the content,
// not from the name, because programs name archives <image>.<method>. It
// returns the names of ignored columns or arrays, such as descriptors. Errors
// contain the file name.
func ReadFile(path string) (set keypoints.Set, ignored []string, err error) {
	f, err := files.Open(path, MaxFileBytes)
	if err != nil {
		return keypoints.Set{}, nil, err
	}
	defer f.Close()
	start := make([]byte, 8)
	n, err := f.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return keypoints.Set{}, nil, fmt.Errorf("read %s: %w", path, err)
	}
	if IsArray(start[:n]) {
		set, err = readArrayFile(f)
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return set, nil, err
	}
	archive, err := IsArchive(path, start[:n])
	switch {
	case err != nil:
	case archive:
		set, ignored, err = readNPZFile(f)
	default:
		set, ignored, err = ReadCSV(f)
	}
	if err != nil {
		return keypoints.Set{}, nil, fmt.Errorf("%s: %w", path, err)
	}
	return set, ignored, nil
}

// IsArray reports by the first bytes of a file whether it is an .npy file, with one
// array.
func IsArray(start []byte) bool { return bytes.HasPrefix(start, []byte("\x93NUMPY")) }

// KeypointsMember returns the array keypoints with the content of an .npy file.
func KeypointsMember(content []byte) npz.Member {
	return npz.Member{Name: positionsName + ".npy", Content: content}
}

func readArrayFile(f *os.File) (keypoints.Set, error) {
	content, err := io.ReadAll(f)
	if err != nil {
		return keypoints.Set{}, err
	}
	archive, err := npz.FromArrays(KeypointsMember(content))
	if err != nil {
		return keypoints.Set{}, err
	}
	return ReadArchive(archive)
}

// IsArchive reports by the first eight bytes of a file whether it is an .npz
// archive. It returns an error, which says what to do, for other formats of
// arrays.
func IsArchive(path string, start []byte) (bool, error) {
	switch {
	case IsArray(start):
		return false, errors.New("found a single NumPy array, want an .npz archive: numpy.savez(FILE, keypoints=..., descriptors=...)")
	case bytes.HasPrefix(start, []byte("\x89HDF\r\n\x1a\n")):
		return false, errors.New(`found an HDF5 file, want .npz or CSV; for HDF5 see docs/own-functions.md`)
	case bytes.HasPrefix(start, []byte("PK")): // the signature of zip files
		return true, nil
	case strings.HasSuffix(path, ".npz") && len(start) == 0:
		return false, errors.New("found an empty file, want an .npz archive")
	case strings.HasSuffix(path, ".npz"):
		return false, errors.New("found a file that does not begin as an .npz archive does (with PK), want one, or a CSV file with another name")
	}
	return false, nil
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

// unset is a keypoint with the defaults of attributes that a file does not
// have.
var unset = keypoints.Keypoint{Angle: keypoints.NoAngle, ClassID: -1}
