package speed

import (
	"fmt"
	"strings"
)

// A line of the table. Its measure returns the text of the last column.
type line struct {
	work, against, target string
	measure               func(m *measurement) string
}

// lines returns the table: each piece of work, the benchmark that measures it, and
// what it is meant to cost.
func lines() []line {
	const numpy = "numpy with OpenBLAS"
	tasks := "./eval/patches/y2017"
	return []line{
		{"cold run: SIFT, RootSIFT, RGB-SIFT on own and on projected keypoints, real scenes", "leanest sequence of OpenCV calls for the same rows", "≤ 1.15 × CPU", coldRun},
		{"warm run: the same, features cached", "cold run", "≥ 8 × less CPU", warmRun},
		{"two workers on two cores, 8 uneven scenes", "one worker on one core", "≥ 1.85 × faster", twoWorkers},
		{"start", "–", "< 0.3 s", start},
		{"SURF, detect and describe an image", "OpenCV's SIFT, same image", "state the ratio", ratio("./descriptors/extract", "BenchmarkSURFAndSIFT")},
		{"fold and evaluate 11.6 million records", "–", "< 30 s, < 1 GB", fold},
		{"memory of a run of SIFT on 5, 50, 500 synthetic scenes, 640×480 px", "each other", "within 10 %", flat},
		{"memory of its last step, the fold, alone: 5, 50, 500 scenes × 5 descriptors", "–", "–", foldSizes},
		{"compare 10 descriptors on 116 scenes", "–", "< 1 s", comparison},
		{"write Parquet records", "–", "≥ 1.5 million/s", rate("./pipeline/store/records", "BenchmarkQueriesFile/write_400k_rows", 0.4e6)},
		{"read Parquet records", "–", "≥ 1.5 million/s", rate("./pipeline/store/records", "BenchmarkQueriesFile/read_400k_rows", 0.4e6)},
		{"tasks with distractors, 4000 keypoints, uint8", "bare distances of the same pairs", "≤ 3 ×", quotient("./eval/distractors", "BenchmarkWorkbenchScene/record/uint8", "BenchmarkWorkbenchScene/distances/uint8")},
		{"tasks with distractors, 4000 keypoints, float32", "bare distances of the same pairs", "≤ 3 ×", quotient("./eval/distractors", "BenchmarkWorkbenchScene/record/float32", "BenchmarkWorkbenchScene/distances/float32")},
		{"search 5000 in 5000, uint8", "OpenCV's BFMatcher", "–", quotient("./pipeline/estimate", "BenchmarkBFMatcher/uint8/[^B]", "BenchmarkBFMatcher/uint8/BFMatcher")},
		{"search 5000 in 5000, float32", "OpenCV's BFMatcher", "–", quotient("./pipeline/estimate", "BenchmarkBFMatcher/float32/[^B]", "BenchmarkBFMatcher/float32/BFMatcher")},
		{"search 5000 in 5000, float32", "FAISS's IndexFlatL2", "–", ratio("./eval/nearest", "BenchmarkAgainstFAISS/float32")},
		{"search 5000 in 5000, 256 bits", "FAISS's IndexBinaryFlat", "–", ratio("./eval/nearest", "BenchmarkAgainstFAISS/bits")},
		{"match 5000 with 5000, float32", numpy + ", product and two argmax", "≤ 0.6 ×", ratio("./eval/nearest", "BenchmarkAgainstNumpy")},
		{"relative poses of 30 pairs of 500 matches", "cv2's findEssentialMat and recoverPose", "≤ 1.1 ×", ratio("./pipeline/estimate", "BenchmarkPoseAgainstCV2")},
		{"patch matching, 300 pairs of 1500 × 1500", numpy, "≤ 0.8 ×", ratio(tasks, "BenchmarkAgainstNumpy/matching")},
		{"patch retrieval, 10 000 queries in 7 pools", numpy, "≤ 0.8 ×", ratio(tasks, "BenchmarkAgainstNumpy/retrieval")},
		{"patch verification, 9 million pairs", numpy + ", gather and distance", "≤ 0.8 ×", ratio(tasks, "BenchmarkAgainstNumpy/verification")},
		{"load descriptors from CSV, integers", "–", "≥ 150 MB/s a core", perCore(tasks, "BenchmarkLoad/integers")},
		{"load descriptors from CSV, as written by numpy.savetxt", "–", "≥ 150 MB/s a core", perCore(tasks, "BenchmarkLoad/exponents")},
		{"ground truth, 8000 × 8000 keypoints", "–", "< 5 ms", short("./eval/truth", "BenchmarkFind8000In8000")},
	}
}

// ratio reports the result of a benchmark that compares two pieces of work.
func ratio(pkg, name string) func(*measurement) string {
	return func(m *measurement) string {
		r := m.benchmark(pkg, name)
		return fmt.Sprintf("%.2f × (%s and %s)", r["ratio"], duration(r["cpu-s"]), duration(r["peer-cpu-s"]))
	}
}

// quotient reports the quotient of the processor times of two benchmarks.
func quotient(pkg, name, of string) func(*measurement) string {
	return func(m *measurement) string {
		a, b := m.benchmark(pkg, name)["cpu-s/op"], m.benchmark(pkg, of)["cpu-s/op"]
		return fmt.Sprintf("%.2f × (%s and %s)", a/b, duration(a), duration(b))
	}
}

// rate reports how many of n records a benchmark handles in a second of processor
// time.
func rate(pkg, name string, n float64) func(*measurement) string {
	return func(m *measurement) string {
		return fmt.Sprintf("%.1f million/s", n/m.benchmark(pkg, name)["cpu-s/op"]/1e6)
	}
}

// short reports the time of a benchmark that is too short for a few runs.
func short(pkg, name string) func(*measurement) string {
	return func(m *measurement) string { return duration(m.timed(pkg, name, "1s")["cpu-s/op"]) }
}

// perCore reports how much a benchmark reads in a second of processor time.
func perCore(pkg, name string) func(*measurement) string {
	return func(m *measurement) string {
		r := m.benchmark(pkg, name)
		return fmt.Sprintf("%.0f MB/s a core", r["MB/s"]*r["ns/op"]/1e9/r["cpu-s/op"])
	}
}

// duration formats seconds with two digits.
func duration(seconds float64) string {
	switch {
	case seconds < 0.1:
		return strings.TrimSuffix(fmt.Sprintf("%.2g", seconds*1e3), ".0") + " ms"
	case seconds < 10:
		return fmt.Sprintf("%.2g s", seconds)
	}
	return fmt.Sprintf("%.0f s", seconds)
}

func fold(m *measurement) string {
	r := foldOf(m, "116/descriptors=10")
	return fmt.Sprintf("%s CPU, %.0f MB", duration(r["cpu-s/op"]), r["MB"])
}

func comparison(m *measurement) string {
	return duration(foldOf(m, "116/descriptors=10")["compare-s"]) + " wall"
}

func foldSizes(m *measurement) string {
	var sizes []string
	for _, scenes := range []string{"5", "50", "500"} {
		sizes = append(sizes, fmt.Sprintf("%.0f", foldOf(m, scenes)["MB"]))
	}
	return strings.Join(sizes, ", ") + " MB"
}

// foldOf benchmarks the fold of a number of scenes.
func foldOf(m *measurement, scenes string) result {
	return m.benchmark("./pipeline/fold", "BenchmarkFold/scenes="+scenes+"$/")
}
