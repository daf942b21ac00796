package dataset_test

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gocv.io/x/gocv"
	"gonum.org/v1/gonum/mat"

	"descbench/eval/must"
	"descbench/pipeline"
	"descbench/pipeline/config"
	"descbench/pipeline/files/npz"
	"descbench/pipeline/plan/plantest"
	"descbench/pipeline/store"
)

// Images of a plane have the same figures by homographies as by cameras and depth.
func TestAPlaneIsJudgedThroughDepthAsByHomographies(t *testing.T) {
	dir := t.TempDir()
	picture := gocv.IMRead("../../testdata/scenes/v_synth_001/1.png", gocv.IMReadColor)
	defer picture.Close()
	width, height, focal := picture.Cols(), picture.Rows(), 400.0
	camera := mat.NewDense(3, 3, []float64{focal, 0, float64(width) / 2, 0, focal, float64(height) / 2, 0, 0, 1})
	var inverse mat.Dense
	must.Do(t, inverse.Inverse(camera))
	normal := mat.NewVecDense(3, []float64{0.1, -0.2, 1}) // of the plane normal·X = 4, in the frame of image 1
	views := ""
	for k, pose := range []struct{ turn, x, y, z float64 }{{}, {0.1, 0.3, 0, 0.1}, {-0.2, -0.5, 0.2, -0.4}} {
		r := mat.NewDense(3, 3, []float64{math.Cos(pose.turn), 0, math.Sin(pose.turn), 0, 1, 0, -math.Sin(pose.turn), 0, math.Cos(pose.turn)})
		shift := mat.NewVecDense(3, []float64{pose.x, pose.y, pose.z})
		// The plane is n·X = d in the frame of image k, too: H = K (R + t nᵀ/4) K⁻¹.
		var h, n mat.Dense
		h.Outer(0.25, shift, normal)
		h.Add(&h, r)
		h.Product(camera, &h, &inverse)
		n.Mul(r, normal)
		d := 4 + mat.Dot(n.ColView(0), shift)
		depth := make([]float32, 0, width*height)
		for y := range height {
			for x := range width {
				ray := mat.NewVecDense(3, []float64{(float64(x) - float64(width)/2) / focal, (float64(y) - float64(height)/2) / focal, 1})
				depth = append(depth, float32(d/mat.Dot(n.ColView(0), ray)))
			}
		}
		warp := gocv.NewMatWithSize(3, 3, gocv.MatTypeCV64F)
		text := ""
		for i := range 9 {
			warp.SetDoubleAt(i/3, i%3, h.At(i/3, i%3))
			text += fmt.Sprintf("%.17g ", h.At(i/3, i%3))
		}
		shown := gocv.NewMat()
		must.Do(t, gocv.WarpPerspectiveWithParams(picture, &shown, warp, image.Pt(width, height), gocv.InterpolationLinear, gocv.BorderReflect101, color.RGBA{}))
		for _, set := range []string{"planes", "depths"} {
			scene := filepath.Join(dir, set, "v_plane")
			must.Do(t, os.MkdirAll(filepath.Join(scene, "depth"), 0o777))
			if name := filepath.Join(scene, fmt.Sprintf("%d.png", k+1)); !gocv.IMWrite(name, shown) {
				t.Fatal(name)
			}
		}
		must.Do(t, cmp.Or(warp.Close(), shown.Close()))
		if k > 0 {
			must.Do(t, os.WriteFile(filepath.Join(dir, "planes/v_plane", fmt.Sprintf("H_1_%d", k+1)), []byte(text), 0o666))
		}
		views += fmt.Sprintf("%d.png", k+1)
		for _, v := range slices.Concat(r.RawMatrix().Data, shift.RawVector().Data) {
			views += fmt.Sprintf(" %.17g", v)
		}
		views += fmt.Sprintf(" PINHOLE %d %d %g %g %g %g\n", width, height, focal, focal, float64(width)/2, float64(height)/2)
		head, elements := npz.Of(depth, height, width).NPY()
		must.Do(t, os.WriteFile(filepath.Join(dir, "depths/v_plane/depth", fmt.Sprintf("%d.npy", k+1)), slices.Concat(head, elements), 0o666))
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "depths/v_plane/views.txt"), []byte(views), 0o666))
	run := func(set string) *store.Summary {
		file := filepath.Join(dir, set+".yaml")
		must.Do(t, os.WriteFile(file, []byte(`
experiment: {name: `+set+`}
dataset: {root: `+set+`}
keypoint_sets: [{name: sift, detect: {type: sift, nfeatures: 500}}]
descriptors: [{name: sift, type: sift, keypoints: sift}]
evaluation: {estimators: []}
output: {root: runs}
`), 0o666))
		cfg := must.Get(config.Load(file, config.Overrides{}))(t)
		return must.Get(pipeline.Run(t.Context(), cfg, plantest.Options(filepath.Join(dir, "cache"))))(t).Summary
	}
	planes, depths := run("planes").Descriptors[0].Metrics, run("depths").Descriptors[0].Metrics
	if len(planes) < 150 {
		t.Errorf("%d metrics", len(planes))
	}
	for _, m := range planes {
		got, found := depths.Get(m.Name)
		if !found || !(math.Abs(got-m.Value) <= 1e-7) { // depth has 24 bits
			t.Errorf("%s: %v (%v) through depth, %v by homographies", m.Name, got, found, m.Value)
		}
	}
}
