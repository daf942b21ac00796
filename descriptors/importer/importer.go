// Package importer reads keypoints with descriptors that another program
// computed, a file per image, and writes ours in the same form. It is pure Go.
//
// A file is an .npz by its content, whatever it is called: programs name it
// <image>.<method>. Its arrays are keypoints and its companions as
// keypointio.ReadNPZ has them, and
//
//	descriptors  N×D: row i is that of keypoint i, of any type of integers or
//	             floating-point numbers, in any byte order, in C or Fortran order
//	valid        N truth values, if there is one: whether row i describes something
//	dim          for packed bits, if there is one: how many there are in a row
//
// Or it is CSV. The first line names the columns, in any order: x and y; any of
// size, angle, response (or score), octave and class_id, as keypointio.ReadCSV
// has them; and d0, d1 and so on without a gap, the elements of the descriptor.
//
// Other arrays and columns are ignored.
package importer

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"unicode/utf8"

	"descbench/descriptors"
	"descbench/keypoints"
)

// Version is part of the key of stored keypoint sets that are imported. Raise it
// with every change, here or in package keypointio, after which the same file and
// options give other keypoints or descriptors.
const Version = 1

// An Origin says which point of an image has the coordinates (0, 0).
type Origin string

const (
	// Center is the centre of the first pixel, as in OpenCV and here.
	Center Origin = "center"
	// Corner is the upper left corner of the first pixel, whose centre is at
	// (½, ½) then.
	Corner Origin = "corner"
)

// Options say how the files are to be read.
type Options struct {
	Origin Origin
	// Elements is the type of the rows. Float32 takes any numbers; Uint8 whole
	// numbers that the file has as bytes (CSV: from 0 to 255); Bits bytes of eight
	// bits each, of which Hamming distances are taken.
	Elements descriptors.ElementType
	// DropOutside drops keypoints outside the image; else they are an error.
	DropOutside bool
}

// Features are what a file holds.
type Features struct {
	Keypoints   keypoints.Set
	Descriptors *descriptors.Matrix // a row per keypoint, as the file has it
	// NotFinite counts the rows with an element that is not finite, in float32.
	// Like those of norm zero and those that the file itself calls invalid they
	// are marked so.
	NotFinite int
	Outside   int      // keypoints dropped because they were outside the image
	Ignored   []string // names of the arrays or columns that were not read
}

// Read reads the features of an image of the given size, in pixels. Attributes
// that the file does not have get keypointio's defaults. Keypoints are where
// the file says, in its order: no border and no selection is applied. Errors
// name the file, and the first row that is wrong, from 0.
func Read(path string, width, height int, o Options) (*Features, error) {
	f, err := read(path, o)
	if err == nil {
		err = f.place(width, height, o)
	}
	if err != nil {
		return nil, fmt.Errorf("imported features: %s: %w", path, err)
	}
	f.NotFinite = countNotFinite(f.Descriptors)
	f.Descriptors.MarkEmpty()
	return f, nil
}

func read(path string, o Options) (*Features, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		var at *os.PathError
		if errors.As(err, &at) {
			err = at.Err // the caller names the file
		}
		return nil, err
	}
	switch {
	case bytes.HasPrefix(content, []byte("PK")): // every zip file begins so
		return readNPZ(content, o.Elements)
	case bytes.HasPrefix(content, []byte("\x93NUMPY")):
		return nil, errors.New("a single NumPy array, want an .npz of several")
	case !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0:
		return nil, errors.New("neither an .npz nor CSV")
	}
	return readCSV(content, o.Elements)
}

func (o Options) check() error {
	if o.Origin != Center && o.Origin != Corner {
		return fmt.Errorf("origin %q, want %s or %s", o.Origin, Center, Corner)
	}
	switch o.Elements {
	case descriptors.Uint8, descriptors.Float32, descriptors.Bits:
		return nil
	}
	return fmt.Errorf("elements of type %v, want uint8, float32 or bits", o.Elements)
}

// place moves the keypoints to our origin and drops or refuses those outside
// the image.
func (f *Features) place(width, height int, o Options) error {
	if o.Origin == Corner {
		for i := range f.Keypoints.Keypoints {
			f.Keypoints.Keypoints[i].X -= 0.5
			f.Keypoints.Keypoints[i].Y -= 0.5
		}
	}
	var inside []int
	first := -1
	for i, k := range f.Keypoints.Keypoints {
		if within(k.X, width) && within(k.Y, height) {
			inside = append(inside, i)
		} else if first < 0 {
			first = i
		}
	}
	f.Outside = f.Keypoints.Len() - len(inside)
	if f.Outside == 0 {
		return nil
	}
	if !o.DropOutside {
		k := f.Keypoints.Keypoints[first]
		return fmt.Errorf("row %d is at (%v, %v), want it within the image of %d×%d px (pixel centres at integers); so with %d of %d rows",
			first, k.X, k.Y, width, height, f.Outside, f.Keypoints.Len())
	}
	f.Keypoints = f.Keypoints.Select(inside)
	f.Descriptors = f.Descriptors.Select(inside)
	return nil
}

// within reports whether a coordinate is in the area of pixels whose centres
// are at 0 to size−1.
func within(v float32, size int) bool {
	return v >= -0.5 && float64(v) <= float64(size)-0.5
}

func countNotFinite(m *descriptors.Matrix) int {
	if m.Type != descriptors.Float32 {
		return 0
	}
	n := 0
	for i := range m.Rows {
		if slices.ContainsFunc(m.Float32[i*m.Dim:(i+1)*m.Dim], notFinite) {
			n++
		}
	}
	return n
}

func notFinite(v float32) bool { return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) }
