package importer_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/pipeline/files/importer"
)

func twoFiles(rows string) importer.Options {
	o := options(descriptors.Float32)
	o.Descriptors = rows
	return o
}

func TestKeypointsAndDescriptorsMayBeTwoArrayFiles(t *testing.T) {
	points := []keypoints.Keypoint{at(10.5, 20.25), at(0, 479), at(639, 0.125)}
	for i, size := range []float32{1, 2, 0.5} {
		points[i].Size = size
	}
	straight, turned := twoFiles("testdata/1.dsc.npy"), twoFiles("testdata/1.transposed.dsc.npy")
	turned.Transpose = true
	for _, o := range []importer.Options{straight, turned} {
		f := mustRead(t, "testdata/1.kpt.npy", o)
		if !slices.Equal(f.Keypoints.Keypoints, points) {
			t.Errorf("%s: keypoints %+v, want %+v", o.Descriptors, f.Keypoints, points)
		}
		if m := f.Descriptors; m.Dim != 4 || !slices.Equal(m.Float32, []float32{1, 0, -0.5, 2, 0.25, 3, 1, 4, 0.1, 0.5, 5, 6}) {
			t.Errorf("%s: descriptors %+v", o.Descriptors, m)
		}
	}
}

func TestFaultsOfTwoArrayFilesNameThem(t *testing.T) {
	kpt := "testdata/1.kpt.npy"
	straight := twoFiles("testdata/1.dsc.npy")
	straight.Transpose = true
	for _, c := range []struct {
		points string
		o      importer.Options
		want   string
	}{
		{kpt, options(descriptors.Float32), kpt + ": found a single NumPy array, want an .npz archive: numpy.savez(FILE, keypoints=..., descriptors=...), or the key descriptors_path with the .npy file of the descriptors"},
		{kpt, twoFiles("testdata/1.transposed.dsc.npy"), kpt + " and testdata/1.transposed.dsc.npy: descriptors: shape (4, 3), want (3, D), one row per keypoint; it may be transposed: write it as N×D, or set transpose: true"},
		{kpt, straight, "descriptors: shape (3, 4), want (D, 3), one column per keypoint, since transpose is true; it may be N×D: remove transpose"},
		{kpt, twoFiles("testdata/missing.npy"), kpt + " and testdata/missing.npy: no such file"},
		{kpt, twoFiles("testdata/int64.npz"), "want two .npy files"},
		{"testdata/int64.npz", twoFiles("testdata/1.dsc.npy"), "want two .npy files"},
		{"testdata/1.transposed.dsc.npy", twoFiles("testdata/1.dsc.npy"), "descriptors: shape (3, 4), want (4, D)"},
		{kpt, twoFiles(write(t, "short.npy", []byte("\x93NUMPY\x01\x00"))), "descriptors: "},
	} {
		_, err := importer.Read(filepath.FromSlash(c.points), 640, 480, c.o)
		if err == nil || !strings.HasPrefix(err.Error(), "imported features: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s and %q: error %v, want %q", c.points, c.o.Descriptors, err, c.want)
		}
	}
}
