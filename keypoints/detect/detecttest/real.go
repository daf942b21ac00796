package detecttest

import (
	"cmp"
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
	data := cmp.Or(os.Getenv("DESCBENCH_REAL_DATA"), filepath.Join(repository(), "../shared/data"))
	path := filepath.Join(data, "hpatches-sequences", scene, file)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no real images (set DESCBENCH_REAL_DATA): %v", err)
	}
	return open(t, gocv.IMRead(path, gocv.IMReadColor|gocv.IMReadIgnoreOrientation))
}

// repository returns the folder of the repository.
func repository() string {
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "../../..")
}
