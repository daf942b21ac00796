package detect_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"descbench/eval/must"
	"descbench/keypoints/detect"
)

// printDispatch, in the environment, makes the test program print the dispatch
// level and do nothing else.
const printDispatch = "DESCBENCH_TEST_PRINT_DISPATCH"

func TestMain(m *testing.M) {
	if os.Getenv(printDispatch) != "" {
		fmt.Print(detect.Dispatch())
		return
	}
	detect.UseOneThread()
	os.Exit(m.Run())
}

func TestOpenCVIsHeldToOneThread(t *testing.T) {
	gocv.SetNumThreads(2)
	detect.UseOneThread()
	if n := gocv.GetNumThreads(); n != 1 {
		t.Errorf("%d threads", n)
	}
}

func TestVersionsAreThoseOfTheLibraries(t *testing.T) {
	if v := detect.OpenCVVersion(); v != gocv.OpenCVVersion() {
		t.Errorf("OpenCV %s runs, gocv was compiled with %s", v, gocv.OpenCVVersion())
	}
	if v := detect.GoCVVersion(); !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(v) {
		t.Errorf("gocv %q", v)
	}
}

// dispatchUnder returns Dispatch of a new process in which OpenCV is told to do
// without some CPU features, by the names that its environment variable takes.
func dispatchUnder(t *testing.T, without string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), printDispatch+"=1", "OPENCV_CPU_DISABLE="+without)
	out := must.Get(cmd.Output())(t)
	return string(out)
}

func TestDispatchSaysWhatOpenCVUsesNotWhatTheProcessorCan(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skipf("the levels switched off here are amd64's, this is %s", runtime.GOARCH)
	}
	if own := dispatchUnder(t, ""); strings.HasPrefix(own, "avx512_skx") {
		for without, want := range map[string]string{"AVX512-SKX": "avx2", "AVX2": "avx512_skx-avx2", "": "avx512_skx"} {
			if got := dispatchUnder(t, without); got != want {
				t.Errorf("without %q: %s, want %s", without, got, want)
			}
		}
	}
	for without, want := range map[string]string{
		"AVX512-SKX,AVX2,FMA3,AVX":               "sse4.2",
		"AVX512-SKX,AVX2,FMA3,AVX,SSE4.1":        "sse4.2-sse4.1",
		"AVX512-SKX,AVX2,FMA3,AVX,SSE4.2":        "sse4.1",
		"AVX512-SKX,AVX2,FMA3,AVX,SSE4.2,SSE4.1": "baseline",
	} {
		if got := dispatchUnder(t, without); got != want {
			t.Errorf("without %s: %s, want %s", without, got, want)
		}
	}
}
