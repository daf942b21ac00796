package estimate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/eval/record"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/estimate"
)

// cameras are those of testdata/essential.py.
func cameras() keypoints.Cameras {
	sa, ca, sb, cb := math.Sin(.3), math.Cos(.3), math.Sin(-.1), math.Cos(-.1)
	turn := keypoints.Pose{R: [9]float64{ca, 0, sa, 0, 1, 0, -sa, 0, ca}, T: [3]float64{-1.5, .25, .5}}
	roll := keypoints.Pose{R: [9]float64{cb, -sb, 0, sb, cb, 0, 0, 0, 1}}
	return keypoints.Cameras{First: keypoints.Intrinsics{700, 760, 320, 240}, Other: keypoints.Intrinsics{900, 820, 400, 300}, Pose: turn.After(roll)}
}

// seen returns the pixels of a point in the coordinates of the first camera.
func seen(c keypoints.Cameras, x [3]float64) (p, q [2]float64) {
	y := c.Pose.After(keypoints.Pose{R: keypoints.Identity, T: x}).T
	return [2]float64{c.First[0]*x[0]/x[2] + c.First[2], c.First[1]*x[1]/x[2] + c.First[3]},
		[2]float64{c.Other[0]*y[0]/y[2] + c.Other[2], c.Other[1]*y[1]/y[2] + c.Other[3]}
}

// inSpace returns the matches of testdata/essential.py.
func inSpace(seed uint32, n, good int, noise float64) (m estimate.Matches) {
	next := func() float64 {
		seed = (1103515245*seed + 12345) % (1 << 31)
		return float64((seed>>8)%1000) / 1000
	}
	for i := range n {
		x := [3]float64{4*next() - 2, 4*next() - 2, 4 + 4*next()}
		p, q := seen(cameras(), x)
		shift := [4]float64{next() - .5, next() - .5, next() - .5, next() - .5}
		if i < good {
			p[0], p[1], q[0], q[1] = p[0]+noise*shift[0], p[1]+noise*shift[1], q[0]+noise*shift[2], q[1]+noise*shift[3]
		} else {
			q = [2]float64{800 * (shift[0] + .5), 600 * (shift[1] + .5)}
		}
		m.Src = append(m.Src, estimate.Point{X: float32(p[0]), Y: float32(p[1])})
		m.Dst = append(m.Dst, estimate.Point{X: float32(q[0]), Y: float32(q[1])})
	}
	return m
}

func pose(m estimate.Matches, name string) (degrees [2]float64, ok bool, err error) {
	e, err := matching.ParseEstimator(name)
	if err != nil {
		return degrees, false, err
	}
	c := cameras()
	p, ok, err := estimate.Pose(m, c, e)
	degrees[0], degrees[1] = estimate.PoseErrors(p, c.Pose)
	return degrees, ok, err
}

// The errors are those that testdata/essential.py prints. They were the same with OpenBLAS. With
// five matches there are two to six matrices; with a mask of its own for each of them, the first
// two and the fourth would have other errors.
func TestPosesAreThoseOfSuperGluesCode(t *testing.T) {
	if v := detect.OpenCVVersion(); !strings.HasPrefix(v, "4.6.") {
		t.Skipf("the values are OpenCV 4.6's, this is %s", v)
	}
	check := func(name string, m estimate.Matches, want [2]float64) {
		got, ok, err := pose(m, name)
		if !ok || err != nil || !(math.Abs(got[0]-want[0]) < 1e-4) || !(math.Abs(got[1]-want[1]) < 1e-4) {
			t.Errorf("%s of %d matches: errors %v, want %v (ok %v, %v)", name, len(m.Src), got, want, ok, err)
		}
	}
	for name, want := range map[string][2]float64{
		"essential":               {0.723847, 1.275550},
		"essential_0.5px":         {2.063098, 2.329946},
		"essential_superglue":     {0.815751, 1.493498},
		"essential_50it":          {1.987637, 2.913676},
		"essential_0.01c":         {1.987637, 2.913676},
		"essential_magsac":        {0.769329, 1.666682},
		"essential_usac_default":  {3.999896, 1.326470},
		"essential_usac_fast":     {2.371278, 1.197888},
		"essential_usac_accurate": {0.474613, 0.736817},
	} {
		check(name, inSpace(10, 150, 80, 4), want)
	}
	for i, want := range [][2]float64{
		{44.840708, 68.390045},  // 6 matrices
		{15.110562, 82.903412},  // 6 matrices
		{0.751636, 1.190531},    // 6 matrices
		{16.684560, 73.504481},  // 4 matrices
		{95.765340, 51.813030},  // 6 matrices
		{27.599343, 43.696287},  // 6 matrices
		{15.414402, 78.692523},  // 4 matrices
		{1.635652, 1.053867},    // 2 matrices
		{127.596444, 60.919741}, // 2 matrices
		{0.219629, 0.815784},    // 2 matrices
		{39.299227, 79.108238},  // 6 matrices
		{21.743882, 86.535872},  // 4 matrices
	} {
		check("essential", inSpace(uint32(i+1), 5, 5, 1.5), want)
	}
}

// Positions are rounded to float32, 3e-5 px, which is 2e-6 degrees; few points pass it on a hundred times larger.
func TestExactMatchesInSpaceGiveTheTruePose(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range matching.PoseTypes() {
		for _, n := range []int{8, 50, 500} {
			var m estimate.Matches
			for range n {
				p, q := seen(cameras(), [3]float64{4*r.Float64() - 2, 3*r.Float64() - 1.5, 4 + 4*r.Float64()})
				m.Src = append(m.Src, estimate.Point{X: float32(p[0]), Y: float32(p[1])})
				m.Dst = append(m.Dst, estimate.Point{X: float32(q[0]), Y: float32(q[1])})
			}
			if got, ok, err := pose(m, name); !ok || err != nil || !(max(got[0], got[1]) < 1e-3) {
				t.Errorf("%s of %d matches: errors %v (ok %v, %v)", name, n, got, ok, err)
			}
		}
	}
}

// As SuperGlue's code, the threshold is divided by the mean of fx of image 1 and fy of image K. In
// images of half the size, focal lengths are half those of the original ones.
func TestTheFocalRuleScalesTheThreshold(t *testing.T) {
	m := inSpace(10, 150, 80, 4)
	c := keypoints.Cameras{First: keypoints.Intrinsics{512, 1536, 320, 240}, Other: keypoints.Intrinsics{1536, 512, 400, 300}}
	of := func(name string) keypoints.Pose {
		p, ok, err := estimate.Pose(m, c, must.Get(matching.ParseEstimator(name))(t))
		if !ok || err != nil {
			t.Fatalf("%s: ok %v, %v", name, ok, err)
		}
		return p
	}
	if got, want := of("essential_superglue"), of("essential_2px"); got != want || got == of("essential") {
		t.Errorf("1 px by 512 gives %v, 2 px by 1024 %v", got, want)
	}
	if got, want := of("essential_original"), of("essential"); got != want {
		t.Errorf("images that were not resized: %v, want %v", got, want)
	}
	c.Scales = [2][2]float64{{0.5, 1}, {1, 0.5}}
	if got, want := of("essential_2px_superglue_original"), of("essential_2px"); got != want || got == of("essential") {
		t.Errorf("2 px by (512/0.5 + 512/0.5)/2 gives %v, 2 px by 1024 %v", got, want)
	}
	c.Scales = [2][2]float64{{0.5, 0.5}, {0.5, 0.5}}
	if got, want := of("essential_2px_original"), of("essential"); got != want {
		t.Errorf("2 px by 2048 gives %v, 1 px by 1024 %v", got, want)
	}
}

func TestAnglesOfPosesWorkedByHand(t *testing.T) {
	half := math.Sqrt(3) / 2
	turned := keypoints.Pose{R: [9]float64{half, -.5, 0, .5, half, 0, 0, 0, 1}, T: [3]float64{2, 0, 0}} // by 30 degrees
	for _, c := range []struct {
		t                     [3]float64
		rotation, translation float64
	}{
		{[3]float64{5, 0, 0}, 30, 0}, {[3]float64{-1, 0, 0}, 30, 0}, {[3]float64{1, 1, 0}, 30, 45}, {[3]float64{-1, 1, 0}, 30, 45}, {[3]float64{0, 0, 3}, 30, 90},
	} {
		rotation, translation := estimate.PoseErrors(turned, keypoints.Pose{R: keypoints.Identity, T: c.t})
		if math.Abs(rotation-c.rotation) > 1e-12 || math.Abs(translation-c.translation) > 1e-6 {
			t.Errorf("%v: %v, %v, want %v, %v", c.t, rotation, translation, c.rotation, c.translation)
		}
	}
	if _, translation := estimate.PoseErrors(turned, keypoints.Pose{R: keypoints.Identity}); !math.IsNaN(translation) {
		t.Errorf("without a baseline: %v", translation)
	}
}

func TestMatchesThatDetermineNoPoseFailWithoutError(t *testing.T) {
	all := inSpace(1, 20, 0, 0) // wrong matches
	var same estimate.Matches
	for range 20 {
		same.Src, same.Dst = append(same.Src, all.Src[0]), append(same.Dst, all.Dst[0])
	}
	for _, name := range matching.PoseTypes() {
		for n := range 5 {
			if _, ok, err := pose(estimate.Matches{Src: all.Src[:n], Dst: all.Dst[:n]}, name); ok || err != nil {
				t.Errorf("%s of %d matches: ok %v, %v", name, n, ok, err)
			}
		}
		for _, m := range []estimate.Matches{same, all} { // of which OpenCV makes something
			_, _, err := pose(m, name)
			must.Do(t, err)
		}
	}
}

func TestWrongArgumentsForAPoseAreErrors(t *testing.T) {
	m, c := inSpace(1, 9, 9, 0), cameras()
	for want, e := range map[string]matching.Estimator{
		`estimator "ransac", want one of essential, essential_magsac`: matching.NewEstimator(matching.Ransac),
		"estimate a pose from 9 matches with essential_2c: OpenCV":    {Type: matching.Essential, ThresholdPx: 1, Iterations: 1000, Confidence: 2, OpenCV: true},
	} {
		_, _, err := estimate.Pose(m, c, e)
		must.FailAbout(t, err, want)
	}
	m.Src[2].X = float32(math.NaN())
	_, _, err := estimate.Pose(m, c, matching.NewEstimator(matching.Essential))
	must.FailAbout(t, err, "match 2 is (NaN")
}

func TestErrorsOfPosesAreEntered(t *testing.T) {
	m := inSpace(9, 60, 40, 2)
	of := func(n int, draws matching.Draws, names ...string) record.Pair {
		pair := record.Pair{Scene: "a", K: 2, Width1: 640, Height1: 480, WidthK: 800, HeightK: 600}
		pair.SetMapping(keypoints.Space(cameras(), [2]int{640, 480}, [2]int{800, 600}))
		var queries []record.Query
		for i := range n {
			queries = append(queries, record.Query{X: m.Src[i].X, Y: m.Src[i].Y, Nearest: int32(i), NearestX: m.Dst[i].X, NearestY: m.Dst[i].Y, NearestError: math.Inf(1), Second: -1, Mutual: true})
		}
		must.Do(t, estimate.Enter(&pair, queries, matching.Mutual, names, draws, false, nil))
		if !estimate.Entered(&pair, matching.Mutual, names, draws) || estimate.Entered(&pair, matching.Mutual, append(names, "essential_7px"), draws) || pair.CornerErrors != "" || pair.CorrectSharedK != 0 {
			t.Errorf("%q: entered %s and %s", names, pair.PoseErrors, pair.CornerErrors)
		}
		return pair
	}
	one := matching.Draws{Homographies: 5, Poses: 1}
	pair := of(60, one, "essential", "essential_magsac")
	want, _, _ := pose(m, "essential")
	if e := matching.EstimateErrors(&pair); len(e) != 2 || e[0] != (matching.EstimateError{Estimator: "essential", Rotation: want[0], Translation: want[1]}) {
		t.Errorf("errors %v, want those of 2 estimators, the first %v", e, want)
	}
	if pair := of(4, one, "essential"); pair.PoseErrors != `{"essential":[null]}` {
		t.Errorf("4 matches: %s", pair.PoseErrors)
	}
	pair = of(60, matching.Draws{Poses: 2}, "essential_3x")
	different := matching.EstimateErrors(&pair)
	slices.SortFunc(different, func(a, b matching.EstimateError) int { return int(math.Copysign(1, a.Rotation-b.Rotation)) })
	if len(different) != 6 || len(slices.Compact(different)) < 4 {
		t.Errorf("errors %v, want 6, most of which differ", different)
	}
	must.Fail(t, estimate.Enter(&pair, nil, matching.Mutual, []string{"ransac"}, one, false, nil), "a/1_2: estimator ransac is for images with homographies, not with cameras; want essential or another estimator of poses")
	pair.Cameras = ""
	pair.SetHomography(keypoints.Identity)
	must.Fail(t, estimate.Enter(&pair, nil, matching.Mutual, []string{"essential"}, one, false, nil), "a/1_2: estimator essential is for images with cameras, not with homographies: a plane does not determine a pose")
}
