package child_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"descbench/eval/must"
)

// printCameras returns what descbench.py cameras prints in a folder with files of the given contents.
func printCameras(t *testing.T, content map[string]string, arguments string) (lines []string, message string) {
	t.Helper()
	python := packages(t)
	dir := t.TempDir()
	for name, text := range content {
		must.Do(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777))
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	module := must.Get(filepath.Abs("descbench.py"))(t)
	var out, errors strings.Builder
	cmd := exec.Command(python, append([]string{module, "cameras"}, strings.Fields(arguments)...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errors
	if failed := cmd.Run() != nil; failed != (errors.Len() > 0) || failed == (out.Len() > 0) {
		t.Errorf("failed: %v, printed %q, to standard error %q", failed, out.String(), errors.String())
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n"), strings.TrimSpace(errors.String())
}

const (
	// The pose from a camera at (1, 2, 3): a turn around z with the cosine 0.6 and the sine 0.8, after
	// which x becomes y, y becomes z and z becomes x. fromWorld is its inverse by hand: Rᵀ and -Rᵀ t.
	toWorld   = "0 0 1 1\n0.6 -0.8 0 2\n0.8 0.6 0 3\n0 0 0 1\n"
	fromWorld = " 0 0.6 0.8 0 -0.8 0.6 1 0 0 -3.6 -0.2 -1 "
	// Two numbers of the quaternion of toWorld, (1, 1, 1, 1)/2 times (2, 0, 0, 1)/√5.
	small, large = " 0.223606797749979 ", " 0.670820393249937 "
	identity     = " 1 0 0 0 1 0 0 0 1 0 0 0 "
)

func TestCamerasOfOtherLayoutsAreThoseWorkedOutByHand(t *testing.T) {
	const (
		pinhole, simple = "PINHOLE 640 480 525 526 319.5 239.5", "SIMPLE_PINHOLE 640 480 525 319.5 239.5"
		colour          = "PINHOLE 1296 968 1170 1171 647 483"
		lost, left      = "-inf -inf -inf -inf\n-inf -inf -inf -inf\n-inf -inf -inf -inf\n-inf -inf -inf -inf\n", "# left out, without a pose: 1 of 3"
		k               = " 2 0 3 0 4 5 0 0 1 6 0 7 0 8 9 0 0 1 "
	)
	type files map[string]string
	for arguments, test := range map[string]struct {
		files files
		want  []string
	}{
		"7scenes . --camera " + pinhole: {
			files{"frame-000001.pose.txt": toWorld, "frame-000000.pose.txt": "1\t0\t0\t0\n0\t1\t0\t0\n0\t0\t1\t0\n0\t0\t0\t1\n", "frame-000002.pose.txt": lost},
			[]string{"frame-000000.color.png" + identity + pinhole, "frame-000001.color.png" + fromWorld + pinhole, left},
		},
		"scannet . --size 1296 968": {
			files{"pose/10.txt": toWorld, "pose/9.txt": toWorld, "pose/0.txt": lost, "intrinsic/intrinsic_color.txt": "1170 0 647 0\n0 1171 483 0\n0 0 1 0\n0 0 0 1\n"},
			[]string{"color/9.jpg" + fromWorld + colour, "color/10.jpg" + fromWorld + colour, left},
		},
		"tum . --camera " + simple: {
			files{
				"groundtruth.txt": "# timestamp tx ty tz qx qy qz qw\n7.00 0 0 0 0 0 0 1\n7.03 1 2 3" + large + small + large + small + "\n",
				"rgb.txt":         "# color images\n7.001 rgb/a.png\n7.016 rgb/b.png\n7.051 rgb/late.png\n",
			},
			[]string{"rgb/a.png" + identity + simple, "rgb/b.png" + fromWorld + simple, left},
		},
		"colmap .": { // its poses are from the world, and images may have no points
			files{
				"cameras.txt": "# CAMERA_ID, MODEL, WIDTH, HEIGHT, PARAMS[]\n3 SIMPLE_PINHOLE 640 480 525 320 240\n8 PINHOLE 640 480 525 526 320 240\n",
				"images.txt":  "# IMAGE_ID, QW, QX, QY, QZ, TX, TY, TZ, CAMERA_ID, NAME\n1" + small + large + small + large + "1 2 3 8 b.jpg\n\n2 1 0 0 0 0 0 0 3 a.jpg\n1 2 -1\n",
			},
			[]string{"a.jpg" + identity + simple, "b.jpg 0 0 1 0.6 -0.8 0 0.8 0.6 0 1 2 3 " + pinhole},
		},
		"megadepth m.json": {
			files{"m.json": `[{"pair_names": ["Undistorted_SfM/0015/images/a.jpg", "Undistorted_SfM/0015/images/b.jpg"], "K0": [[2, 0, 3], [0, 4, 5], [0, 0, 1]],
				"K1": [[6, 0, 7], [0, 8, 9], [0, 0, 1]], "T_0to1": [[0, 0, 1, 1], [0.6, -0.8, 0, 2], [0.8, 0.6, 0, 3], [0, 0, 0, 1]]}]`},
			[]string{"0015/images/a.jpg 0015/images/b.jpg 0 0" + k + toWorld},
		},
		"scannet-pairs l.txt": {
			files{"l.txt": "scans_test/scene0707_00/sens/frame-000015.color.jpg scene0707_00_frame-000585.jpg 0 0" + k + strings.Join(strings.Fields(toWorld), " ") + "\n"},
			[]string{"scene0707_00/color/15.jpg scene0707_00/color/585.jpg 0 0" + k + toWorld},
		},
	} {
		lines, message := printCameras(t, test.files, arguments)
		if len(lines) != len(test.want) {
			t.Errorf("%s: printed %q, %s", arguments, lines, message)
			continue
		}
		for i, line := range lines {
			got, want := strings.Fields(line), strings.Fields(test.want[i])
			same := len(got) == len(want)
			for j := 0; same && j < len(got); j++ {
				x, err := strconv.ParseFloat(got[j], 64)
				y, _ := strconv.ParseFloat(want[j], 64)
				same = got[j] == want[j] || err == nil && math.Abs(x-y) < 1e-12
			}
			if !same {
				t.Errorf("%s: printed\n%q\nwant\n%q", arguments, got, want)
			}
		}
	}
}

func TestCamerasThatAreWrongAreRefusedInOneLine(t *testing.T) {
	for arguments, want := range map[string]string{
		"7scenes .":                              ".: --camera: found no camera, want PINHOLE W H FX FY CX CY or SIMPLE_PINHOLE W H F CX CY of undistorted images",
		"tum . --camera PINHOLE 640 480":         ".: --camera: found 2 numbers, want 6",
		"tum . --camera PINHOLE 1 1 1 1 0 0":     "./groundtruth.txt: line 2: found 7 numbers, want 8",
		"scannet . --size 2 2":                   "./pose/1.txt: found a pose whose R is not a rotation, want R Rᵀ = 1 to 0.001",
		"scannet nowhere --size 2 2":             "[Errno 2] No such file or directory: 'nowhere/intrinsic/intrinsic_color.txt'",
		"7scenes . --camera PINHOLE 1 1 1 1 0 0": ".: no image with a pose, want files of the layout 7scenes",
		"colmap .":                               "./cameras.txt: line 1: found OPENCV, want PINHOLE W H FX FY CX CY or SIMPLE_PINHOLE W H F CX CY of undistorted images",
		"scannet-pairs groundtruth.txt":          "groundtruth.txt: line 2: want 38 fields, two names with sceneNNNN_NN and frame-N first",
		"megadepth m.json":                       "m.json: pair 1: want two pair_names, K0 and K1 of 3×3 numbers and T_0to1 of 4×4",
	} {
		_, message := printCameras(t, map[string]string{
			"groundtruth.txt": "# comment\n7.00 0 0 0 0 0 0\n", "rgb.txt": "", "cameras.txt": "1 OPENCV 640 480 1 1 2 2 0 0 0 0\n", "m.json": `[{"pair_names": ["a", "b"]}]`,
			"intrinsic/intrinsic_color.txt": strings.Repeat("1 0 0 0\n", 4), "pose/1.txt": "1 0 0 0\n0 1 0 0\n0 0 -1 0\n0 0 0 1\n",
		}, arguments)
		if message != want {
			t.Errorf("%s: %s, want %s", arguments, message, want)
		}
	}
}
