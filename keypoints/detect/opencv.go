package detect

/*
#cgo !windows pkg-config: opencv4
#include "opencv.h"
*/
import "C"

import "gocv.io/x/gocv"

// UseOneThread limits OpenCV to one thread for the whole process. The program
// calls it before it uses OpenCV, because its own workers are the only layer of
// parallelism. It also makes OpenCV reuse the memory of large matrices; see
// FreeMemory.
func UseOneThread() {
	gocv.SetNumThreads(1)
	C.descbench_keep_memory()
}

// FreeMemory returns the memory that OpenCV's freed matrices leave to later ones to
// the system. Call it when no more images will be processed.
//
// Without reuse, each scale space of an image of 1 megapixel costs 60 000 page
// faults, a third of the time of SIFT. What is kept is never more than what was in
// use at once.
func FreeMemory() { C.descbench_free_memory() }

// OpenCVVersion returns the version of the loaded OpenCV library, such as
// "4.6.0". gocv's function of this name returns the version it was compiled
// with.
func OpenCVVersion() string { return C.GoString(C.descbench_opencv_version()) }

// GoCVVersion returns the version of gocv.
func GoCVVersion() string { return gocv.Version() }

// levels are the instruction sets for which OpenCV has separate code, in the order of
// opencv_cpu.cpp. Each includes the ones below it, except neon.
var levels = []string{"avx512_skx", "avx2", "fma3", "avx", "sse4.2", "sse4.1", "neon"}

// Dispatch returns the CPU instruction level that OpenCV uses: the highest of
// avx512_skx, avx2, fma3, avx, sse4.2, sse4.1 and neon, or baseline. It is the
// processor's level unless the environment variable OPENCV_CPU_DISABLE or a
// build without some levels lowers it. Disabled lower levels follow with a
// minus sign, as in "avx512_skx-avx2".
//
// Results depend on it: OpenCV 4.6's SIFT gives different rows for avx512_skx,
// for avx2, and for lower levels, and slightly different keypoints without
// avx2.
func Dispatch() string {
	word := ""
	for i, level := range levels {
		on := C.descbench_cpu_uses(C.int(i)) != 0
		switch {
		case level == "neon" && word != "":
		case on && word == "":
			word = level
		case !on && word != "":
			word += "-" + level
		}
	}
	if word == "" {
		return "baseline"
	}
	return word
}
