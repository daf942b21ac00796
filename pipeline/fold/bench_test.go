package fold_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/eval/record"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/plan/plantest"
	"descbench/pipeline/store/unitfile"
)

// foldedFolder names the run folder that a process started by a benchmark folds.
const foldedFolder = "DESCBENCH_FOLD"

func TestMain(m *testing.M) {
	if folder := os.Getenv(foldedFolder); folder != "" {
		if err := foldAlone(folder); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func foldAlone(folder string) error {
	ballast := make([]byte, 32<<20) // as the program has, so that its memory is measured
	_, err := fold.Fold(context.Background(), plan.Folder(folder))
	runtime.KeepAlive(ballast)
	return err
}

// BenchmarkFold folds and evaluates synthetic runs in a process of its own, whose
// processor time and memory it reports: a run of the size of HPatches with ten
// descriptors, 2000 keypoints an image and five pairs a scene, which are 11.6 million
// records, one with 40 descriptors and 600 keypoints, and small runs of 5, 50 and 500
// scenes. It also compares the descriptors. With -short, it writes a fiftieth of the scenes
// and keypoints.
func BenchmarkFold(b *testing.B) {
	for _, size := range []runSize{
		{scenes: 116, descriptors: 10, keypoints: 2000},
		{scenes: 116, descriptors: 40, keypoints: 600},
		{scenes: 5, descriptors: 5, keypoints: 500},
		{scenes: 50, descriptors: 5, keypoints: 500},
		{scenes: 500, descriptors: 5, keypoints: 500},
	} {
		b.Run(size.String(), func(b *testing.B) {
			if testing.Short() {
				size.scenes, size.keypoints = max(size.scenes/50, 2), size.keypoints/50
			}
			f := size.write(b)
			records := float64(size.scenes * size.descriptors * size.keypoints * (imagesPerScene - 1))
			cpu, resident := 0.0, int64(0)
			for b.Loop() {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), foldedFolder+"="+string(f))
				cmd.Stderr = os.Stderr
				must.Do(b, cmd.Run())
				cpu += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
				resident = max(resident, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) // kB on Linux
			}
			b.ReportMetric(cpu/float64(b.N), "cpu-s/op")
			b.ReportMetric(records*float64(b.N)/cpu, "records/cpu-s")
			b.ReportMetric(float64(resident)/1e3, "MB")
			start := time.Now()
			must.Get(compare.Runs(b.Context(), []string{string(f)}, compare.Options{}))(b)
			b.ReportMetric(time.Since(start).Seconds(), "compare-s")
		})
	}
}

const imagesPerScene = 6

// A runSize is the size of a synthetic run.
type runSize struct{ scenes, descriptors, keypoints int }

func (s runSize) String() string {
	return fmt.Sprintf("scenes=%d/descriptors=%d/keypoints=%d", s.scenes, s.descriptors, s.keypoints)
}

// write writes a run folder with all units that a fold reads. Nothing is extracted:
// the records are drawn, with ranks, distances and errors that spread like those of
// SIFT on HPatches. Distances are roots of integers, so that some tie.
func (s runSize) write(b testing.TB) plan.Folder {
	b.Helper()
	dir := b.TempDir()
	var text strings.Builder
	fmt.Fprintf(&text, "experiment: {name: synthetic}\ndataset: {root: %s}\noutput: {root: %s}\n", dir, dir)
	text.WriteString("keypoint_sets:\n  - {name: s, detect: {type: sift}, border: 0}\ndescriptors:\n")
	var descriptors []string
	for d := range s.descriptors {
		descriptors = append(descriptors, fmt.Sprintf("d%d", d))
		fmt.Fprintf(&text, "  - {name: d%d, type: sift, keypoints: s}\n", d)
	}
	text.WriteString("evaluation: {estimators: [ransac]}\n")
	var scenes []string
	for i := range s.scenes {
		scenes = append(scenes, fmt.Sprintf("%c_%04d", "iv"[i%2], i))
	}
	f := plantest.Prepare(b, text.String(), scenes...)
	plantest.WriteUnits(b, f, descriptors, scenes, func(d, i int) unitfile.EvalUnit {
		return s.unit(descriptors[d], scenes[i], rand.New(rand.NewPCG(uint64(d), uint64(i))))
	})
	return f
}

// unit draws the records of a scene.
func (s runSize) unit(descriptor, scene string, rng *rand.Rand) unitfile.EvalUnit {
	var u unitfile.EvalUnit
	for k := int32(2); k <= imagesPerScene; k++ {
		pair := record.Pair{
			Descriptor: descriptor, Scene: scene, K: k, SceneDigest: scene, SetDigest: scene, Dimension: 128, RowBytes: 128,
			Width1: 800, Height1: 600, WidthK: 800, HeightK: 600, Keypoints1: int32(s.keypoints), KeypointsK: int32(s.keypoints),
			SharedK: int32(s.keypoints), Spread1: 0.9, SpreadK: 0.9, Matcher: matching.Mutual.String(),
		}
		var corners []matching.EstimateError
		for range 5 { // draws
			corners = append(corners, matching.EstimateError{Estimator: "ransac", Px: rng.ExpFloat64() * 2})
		}
		matching.EnterEstimateErrors(&pair, corners)
		partners := rng.Perm(s.keypoints)
		for row, partner := range partners {
			q := s.query(rng, row, int32(partner))
			q.Descriptor, q.Scene, q.K = descriptor, scene, k
			if q.Shared {
				pair.Shared1++
			}
			u.Queries = append(u.Queries, q)
		}
		u.Pairs = append(u.Pairs, pair)
	}
	return u
}

// query draws the record of a query whose partner is a row of image K.
func (s runSize) query(rng *rand.Rand, row int, partner int32) record.Query {
	x, y := rng.Float32()*800, rng.Float32()*600
	q := record.Query{
		Row: int32(row), X: x, Y: y, ProjectedX: float64(x) + rng.Float64(), ProjectedY: float64(y) + rng.Float64(),
		Truth: -1, TruthX: float32(math.NaN()), TruthY: float32(math.NaN()), TruthError: math.Inf(1),
		Candidates: int32(s.keypoints), GalleryLess: -1, GalleryEqual: -1, Shared: rng.Float64() < 0.8,
	}
	found := false // the partner is there and the nearest
	if q.Shared && rng.Float64() < 0.7 {
		q.Truth, q.TruthError = partner, min(rng.ExpFloat64()*1.5, 10)
		q.TruthX, q.TruthY = float32(q.ProjectedX+q.TruthError), float32(q.ProjectedY)
		if found = rng.Float64() < 0.6; !found {
			q.Less = 1 + int32(float64(s.keypoints-2)*math.Pow(rng.Float64(), 4))
		}
	}
	distance := 200 + 60*rng.NormFloat64()
	if q.Nearest, q.NearestError = partner, q.TruthError; found {
		q.NearestX, q.NearestY = q.TruthX, q.TruthY
		distance -= 80
	} else {
		q.Nearest = (partner + 1 + int32(rng.IntN(s.keypoints-1))) % int32(s.keypoints)
		q.NearestX, q.NearestY = rng.Float32()*800, rng.Float32()*600
		q.NearestError = 10 + rng.Float64()*800
	}
	q.Mutual = found && rng.Float64() < 0.8
	q.NearestDistance = math.Sqrt(math.Round(max(distance*distance, 100)))
	q.Second, q.SecondDistance = (q.Nearest+1)%int32(s.keypoints), q.NearestDistance*(1+rng.Float64()/2)
	return q
}
