package estimate_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"

	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/eval/paired"
	"descbench/pipeline/estimate"
)

// BenchmarkPoseAgainstCV2 estimates the poses of 30 pairs of 500 matches, of which 200 are right, on
// one thread, and in turn by OpenCV's Python module.
func BenchmarkPoseAgainstCV2(b *testing.B) {
	path := filepath.Join(b.TempDir(), "matches")
	cv2 := paired.Python(b, filepath.Join("testdata", "pose_peer.py"), path)
	gocv.SetNumThreads(1)
	var pairs []estimate.Matches
	var raw []byte
	for seed := range uint32(30) {
		m := inSpace(seed+1, 500, 200, 2)
		pairs = append(pairs, m)
		for i := range m.Src {
			raw = must.Get(binary.Append(raw, binary.LittleEndian, []estimate.Point{m.Src[i], m.Dst[i]}))(b)
		}
	}
	must.Do(b, os.WriteFile(path, raw, 0o666))
	paired.Compare(b, paired.Here(func() {
		for _, m := range pairs {
			if _, ok, err := estimate.Pose(m, cameras(), matching.NewEstimator(matching.Essential)); !ok || err != nil {
				b.Fatalf("no pose: %v", err)
			}
		}
	}), cv2)
}
