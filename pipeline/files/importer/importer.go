// Package importer reads keypoints and descriptors that another program
// computed, one file per image, and writes our own in the same format. It is
// pure Go.
//
// The file format is detected from the content, because programs name archives
// <image>.<method>. An .npz file contains the array keypoints and the related
// arrays that keypointio.ReadArchive reads, and
//
//	descriptors  N×D: row i describes keypoint i; any integer or floating-point
//	             type, in any byte order, in C or Fortran order
//	element_type text, optional: the type of the rows, bits, uint8 or float32.
//	             bits and uint8 rows are stored as uint8; a row of bits has
//	             eight to a byte, with the rest of its last byte 0 in the high
//	             bits
//	dim          optional, for bits: the number of bits in a row; by default 8·D
//	valid        N truth values, optional: whether row i is a valid descriptor
//
// A CSV file has the columns that keypointio.ReadTable reads. It cannot state a type; in
// rows of bits, each column of a descriptor holds eight.
//
// Rows of up to 64 bytes are an error if neither the file nor Options.Elements
// states a type; other rows are then float32.
//
// Other arrays and columns are ignored.
package importer

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/pipeline/files/keypointio"
	"descbench/pipeline/files/npz"
)

// Version is part of the environment of a run with imported descriptors. Increase it with
// every change, here or in package keypointio, that gives different keypoints
// or descriptors for the same file and options.
const Version = 4

// An Origin says which point of an image has coordinates (0, 0).
type Origin string

const (
	// Center is the centre of the first pixel, as in OpenCV and here.
	Center Origin = "center"
	// Corner is the upper left corner of the first pixel; the pixel's centre is
	// then at (½, ½).
	Corner Origin = "corner"
)

// Options control how files are read.
type Options struct {
	Origin Origin
	// Stored is the size of the stored image and Resized how the run resized it, as
	// dataset.ImageFile says; nil if it did not.
	Stored  [2]int
	Resized []float64
	// Placed says that positions have been moved from the stored to the resized image.
	Placed bool
	// Elements is the type of the rows; "" leaves it to the file. Float32
	// accepts any numbers. Uint8 accepts whole numbers stored as bytes (in CSV:
	// 0 to 255). Bits accepts bytes of eight bits each, compared by Hamming
	// distance.
	Elements Elements
	// Patches says that rows describe patches, for messages.
	Patches bool
	// KeypointsOnly leaves out descriptors: their arrays and columns are ignored.
	KeypointsOnly bool
}

// Features is the content of one file.
type Features struct {
	Keypoints   keypoints.Set
	About       keypointio.About    // what the file tells about positions
	Moved       bool                // from the stored to the resized image
	Descriptors *descriptors.Matrix // one row per keypoint, with the values of the file; nil without
	// NotFinite counts the rows with an element that is not finite in float32.
	// They are marked invalid, like rows with zero norm and rows that the file
	// itself marks invalid.
	NotFinite int
	Ignored   []string // names of the arrays or columns that were not read
}

// Read reads the features of an image of the given size in pixels. Attributes
// missing from the file get keypointio's defaults. Positions and order are
// those of the file: no border and no selection is applied, nor are keypoints left
// out that are outside because the run cropped the image. Errors contain the file name and the first invalid row, counted from 0.
func Read(path string, width, height int, o Options) (*Features, error) {
	f, err := read(path, o)
	if err == nil {
		err = f.finish(width, height, o)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// FromArchive returns the features of an image of the given size in the arrays of an
// archive, checked like those of a file. Without the array descriptors there are none.
func FromArchive(archive *npz.Archive, width, height int, o Options) (*Features, error) {
	o.KeypointsOnly = !archive.Has(descriptorsArray)
	f, err := readArchive(archive, o)
	if err != nil {
		return nil, err
	}
	return f, f.finish(width, height, o)
}

// finish places the keypoints and marks what is no descriptor.
func (f *Features) finish(width, height int, o Options) (err error) {
	f.Moved, err = Place(f.Keypoints.Keypoints, f.About.Size, width, height, o)
	if f.Descriptors != nil {
		f.NotFinite = finish(f.Descriptors)
	}
	return err
}

// Rows returns the descriptors of n given keypoints in the arrays of an archive, checked
// like those of a file, and how many of them are not finite.
func Rows(archive *npz.Archive, n int, o Options) (m *descriptors.Matrix, notFinite int, err error) {
	if m, err = readRows(archive, n, o); err != nil {
		return nil, 0, err
	}
	return m, finish(m), nil
}

// finish marks what is no descriptor, and returns the number of rows that are not finite.
func finish(m *descriptors.Matrix) (rows int) {
	for row := range slices.Chunk(m.Float32, m.Dim) {
		if slices.ContainsFunc(row, func(v float32) bool { return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) }) {
			rows++
		}
	}
	m.MarkEmpty()
	return rows
}

func read(path string, o Options) (*Features, error) {
	archive, content, err := keypointio.Open(path)
	var ignored []string
	if err == nil && archive == nil {
		archive, ignored, err = keypointio.ReadTable(bytes.NewReader(content), o.Elements == Bits || o.Elements == Uint8)
		if err == nil && !o.KeypointsOnly && !archive.Has(descriptorsArray) {
			err = errors.New("found no columns d0, d1 and so on, want those of the descriptors")
		}
	}
	if err != nil {
		return nil, err
	}
	f, err := readArchive(archive, o)
	if err == nil {
		f.Ignored = append(ignored, f.Ignored...)
	}
	return f, err
}
