package dataset

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/text"
	"descbench/keypoints"
	"descbench/pipeline/files"
	"descbench/pipeline/store"
)

// pairs returns the scenes of a list of pairs, or only the one of the given name unless it is "".
// A line has two images, both calibration matrices and the pose of image 2 in the coordinates of
// image 1's camera, in one of these forms:
//
//   - 38 fields of magicleap/SuperGluePretrainedNetwork (commit ddcf11f, match_pairs.py): names,
//     the quarter turns to the left that bring each image upright, K0 and K1 by row, and a 4×4
//     matrix by row;
//   - 32 or 36 fields of cvg/glue-factory (commit 2d17e3b, gluefactory/datasets/image_pairs.py):
//     names, K0, K1, and R by row with t, or a 4×4 matrix.
//
// Words at the end of a line are subsets of scenes that the pair is in. The group of a pair is the first folder that not all images have in common; the first folder, if
// all images are in the same.
func (s Source) pairs(only string) (scenes []Ref, err error) {
	var folders []string // that all images so far are in
	first, seen := true, make(map[string]bool)
	err = eachLine(s.Pairs, s.Pairs, func(_ string, fields []string) error {
		for _, name := range fields[:min(2, len(fields))] {
			in := strings.Split(path.Dir(path.Clean(name)), "/")
			if first {
				folders, first = in, false
			}
			n := 0
			for n < min(len(folders), len(in)) && folders[n] == in[n] {
				n++
			}
			folders = folders[:n]
		}
		return nil
	})
	if err == nil {
		err = eachLine(s.Pairs, s.Pairs, func(line string, fields []string) error {
			scene, err := s.pair(line, fields, len(folders), only)
			if err == nil {
				err = once(seen, scene.Name)
			}
			if err == nil && (only == "" || scene.Name == only) {
				scenes = append(scenes, scene)
			}
			return err
		})
	}
	if err == nil && len(scenes) == 0 && only == "" {
		err = fmt.Errorf("lists no pairs")
	}
	if err != nil {
		return nil, &store.Fault{Where: s.Pairs, Err: files.Reason(err)}
	}
	return present(scenes), nil
}

// pair returns the scene of a line; without its images, if only another one is wanted.
func (s Source) pair(line string, fields []string, common int, only string) (Ref, error) {
	n := len(fields)
	for ; n > 2; n-- { // the words at the end
		if _, ok := text.Number(fields[n-1], 64); ok {
			break
		}
	}
	fields, subsets := fields[:n], fields[n:]
	if !slices.Contains([]int{38, 36, 32}, n) {
		return Ref{}, fmt.Errorf("found %d fields, want 38 (SuperGlue's: two images, two rotations, K0, K1, a 4×4 pose), 36 or 32 (glue-factory's: without rotations; pose 4×4, or R and t)", n)
	}
	for _, name := range fields[:2] {
		if !filepath.IsLocal(name) {
			return Ref{}, fmt.Errorf("image %s, want a path below %s", shortened(name), s.Root)
		}
	}
	if fields[0] == fields[1] {
		return Ref{}, fmt.Errorf("image %s is paired with itself", shortened(fields[0]))
	}
	group := ""
	if in := strings.Split(path.Clean(fields[0]), "/"); len(in) > common+1 {
		group = in[common]
	} else if len(in) > 1 { // all images are in one folder
		group = in[0]
	}
	scene := pairOf(s.Root, group, fields[0], fields[1])
	scene.Subsets = subsets
	if only != "" && scene.Name != only {
		return scene, nil
	}
	values, err := numbers(fields[2:])
	if err != nil {
		return Ref{}, err
	}
	turns := []float64{0, 0}
	if n == 38 {
		turns, values = values[:2], values[2:]
	}
	pose, err := poseOf(values[18:])
	if err != nil {
		return Ref{}, err
	}
	up := strings.Repeat("../", strings.Count(scene.Name, "/")+1)
	poses := [2]keypoints.Pose{{R: keypoints.Identity}, pose}
	for i := range 2 {
		shot := shot{image: up + path.Clean(fields[i]), turns: int(turns[i]), where: line}
		if t := turns[i]; t != 0 && t != 1 && t != 2 && t != 3 {
			return Ref{}, fmt.Errorf("rotation %g of an image, want 0 to 3 quarter turns", t)
		}
		k := values[9*i:]
		if k[1] != 0 || k[3] != 0 || k[6] != 0 || k[7] != 0 || k[8] != 1 {
			return Ref{}, fmt.Errorf("matrix K%d is %v, want fx 0 cx 0 fy cy 0 0 1: cameras without skew", i, k[:9])
		}
		shot.camera = keypoints.Camera{Intrinsics: s.intrinsics(keypoints.Intrinsics{k[0], k[4], k[2], k[5]}), Pose: poses[i]}
		if err := shot.camera.Check(); err != nil {
			return Ref{}, err
		}
		scene.add(shot)
	}
	return scene, checkSubsets(subsets)
}

// poseOf returns the pose of R by row with t, or of a 4×4 matrix by row.
func poseOf(v []float64) (keypoints.Pose, error) {
	if len(v) == 12 {
		return keypoints.Pose{R: [9]float64(v), T: [3]float64(v[9:])}, nil
	}
	if last := v[12:]; !slices.Equal(last, []float64{0, 0, 0, 1}) {
		return keypoints.Pose{}, fmt.Errorf("the last row of the pose is %v, want 0 0 0 1", last)
	}
	return keypoints.Pose{
		R: [9]float64{v[0], v[1], v[2], v[4], v[5], v[6], v[8], v[9], v[10]},
		T: [3]float64{v[3], v[7], v[11]},
	}, nil
}
