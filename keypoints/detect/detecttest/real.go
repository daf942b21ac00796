package detecttest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"gocv.io/x/gocv"

	"descbench/keypoints/detect"
)

// Real returns a real image, identified by scene and file, that lives until the
// test ends. It skips the test if there are no real images. They are expected
// in the folder given by DESCBENCH_REAL_DATA, or next to the checkout if it is
// not set.
func Real(t testing.TB, scene, file string) detect.Image {
	t.Helper()
	path := filepath.Join(realData(), "hpatches-sequences", scene, file)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no real images (set DESCBENCH_REAL_DATA): %v", err)
	}
	bgr := gocv.IMRead(path, gocv.IMReadColor|gocv.IMReadIgnoreOrientation)
	if bgr.Empty() {
		bgr.Close()
		t.Fatalf("%s: OpenCV cannot decode it", path)
	}
	return open(t, bgr)
}

func realData() string {
	if dir := os.Getenv("DESCBENCH_REAL_DATA"); dir != "" {
		return dir
	}
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "..", "..", "..", "..", "shared", "data")
}

// Scenes returns the folders of the real scenes, in the order of their names. It
// skips the test if there are none, as Real does.
func Scenes(t testing.TB) []string {
	t.Helper()
	scenes, err := filepath.Glob(filepath.Join(realData(), "hpatches-sequences", "*_*"))
	if err != nil || len(scenes) == 0 {
		t.Skipf("no real images (set DESCBENCH_REAL_DATA): %v", err)
	}
	return scenes
}
