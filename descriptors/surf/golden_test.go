package surf

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"descbench/descriptors"
	"descbench/keypoints"
)

// The golden values are those of OpenCV 4.6's SURF at a Hessian threshold of
// 400. They are met to the last bit.
var goldenImages = []struct{ scene, file, name string }{
	{"i_oxleuven", "4.png", "i_oxleuven_4_png"},
	{"v_dogman", "1.ppm", "v_dogman_1_ppm"},
	{"v_graffiti", "1.png", "v_graffiti_1_png"},
}

func goldenParams(extended, upright bool) keypoints.Params {
	return keypoints.Params{"hessian_threshold": 400.0, "n_octaves": int64(4), "n_octave_layers": int64(3), "extended": extended, "upright": upright}
}

func TestKeypointsAndDescriptorsAreThoseOfOpenCV(t *testing.T) {
	for _, im := range goldenImages {
		gray := realImage(t, im.scene, im.file)
		for flags := range 4 {
			extended, upright := flags/2, flags%2
			name := fmt.Sprintf("%s_ext%d_up%d", im.name, extended, upright)
			t.Run(name, func(t *testing.T) {
				p := goldenParams(extended == 1, upright == 1)
				kps := Detect(gray, p)
				compareKeypoints(t, name, kps)
				_, m := Describe(gray, kps[:300], p) // rows of the first 300 are given
				compareRows(t, name, m)
			})
		}
	}
}

func TestDescriptorsOfGivenKeypointsAreThoseOfOpenCV(t *testing.T) {
	for _, im := range goldenImages {
		t.Run(im.name, func(t *testing.T) {
			var given []keypoints.Keypoint
			for _, r := range readGolden(t, im.name+"_given.csv", 3) {
				given = append(given, keypoints.Keypoint{X: r[0], Y: r[1], Size: r[2], ClassID: -1})
			}
			kps, m := Describe(realImage(t, im.scene, im.file), given, goldenParams(false, false))
			compareKeypoints(t, im.name+"_given_ext0_up0", kps)
			compareRows(t, im.name+"_given_ext0_up0", m)
		})
	}
}

func compareKeypoints(t *testing.T, name string, kps []keypoints.Keypoint) {
	t.Helper()
	rows := readGolden(t, name+".keypoints.csv", 7)
	if len(kps) != len(rows) {
		t.Fatalf("%d keypoints, want %d", len(kps), len(rows))
	}
	differing := 0
	for i, w := range rows {
		want := keypoints.Keypoint{X: w[0], Y: w[1], Size: w[2], Angle: w[3], Response: w[4], Octave: int32(w[5]), ClassID: int32(w[6])}
		if kps[i] != want {
			if differing++; differing <= 5 {
				t.Errorf("keypoint %d is %+v, want %+v", i, kps[i], want)
			}
		}
	}
	t.Logf("%d of %d keypoints are equal to the last bit", len(rows)-differing, len(rows))
}

func compareRows(t *testing.T, name string, m *descriptors.Matrix) {
	t.Helper()
	rows := readGolden(t, name+".descriptors.csv", m.Dim)
	differing, worst := 0, 0.0
	for i, want := range rows {
		largest := 0.0
		for j, v := range rowOf(m, i) {
			largest = max(largest, math.Abs(float64(v-want[j])))
		}
		if largest > 0 {
			differing++
		}
		worst = max(worst, largest)
	}
	if differing > 0 || m.CountInvalid() > 0 {
		t.Errorf("%d of %d rows differ, by up to %v; %d rows are invalid", differing, len(rows), worst, m.CountInvalid())
	}
	t.Logf("%d of %d rows are equal to the last bit", len(rows)-differing, len(rows))
}

// readGolden reads a CSV file of at least one row of so many numbers, with or
// without a header.
func readGolden(t *testing.T, file string, columns int) [][]float32 {
	t.Helper()
	f, err := os.Open(filepath.Join(realData(t), "..", "golden", "surf", file))
	if err != nil {
		t.Skipf("no golden values: %v", err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = columns
	records, err := r.ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if records[0][0] == "x" {
		records = records[1:]
	}
	rows := make([][]float32, len(records))
	for i, record := range records {
		for _, field := range record {
			v, err := strconv.ParseFloat(field, 32)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			rows[i] = append(rows[i], float32(v))
		}
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no rows", file)
	}
	return rows
}
