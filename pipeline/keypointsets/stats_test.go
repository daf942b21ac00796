package keypointsets

import (
	"image"
	"image/draw"
	"reflect"
	"slices"
	"testing"

	"descbench/keypoints"
	"descbench/pipeline/dataset"
)

// TestStatisticsAreThoseWorkedOutByHand has 20 keypoints with sizes 1 to 20 in
// image 1, none in images 2 to 5, and one in image 6.
func TestStatisticsAreThoseWorkedOutByHand(t *testing.T) {
	scene := &dataset.Scene{Name: "v"}
	sets := make([]keypoints.Set, 6)
	for range 6 {
		scene.Images = append(scene.Images, dataset.ImageFile{File: "1.png", Width: 200, Height: 100})
	}
	for i := range 20 {
		k := keypoints.Keypoint{X: float32(5 * (i + 1)), Y: 50, Size: float32(20 - i), Angle: float32(30 + i), Response: 2, Octave: 255 | 1<<8}
		sets[0].Keypoints = append(sets[0].Keypoints, k)
	}
	sets[5].Keypoints = []keypoints.Keypoint{{X: 199, Y: 99, Size: 21, Angle: -1, Response: 3, Octave: 4}}
	var first, second, both, upright Statistics
	first.Add(scene, sets)
	both.Add(scene, sets)
	second.Add(scene, make([]keypoints.Set, 6))
	both.Add(&dataset.Scene{Name: "w", Images: scene.Images}, make([]keypoints.Set, 6))
	// By an upright detector: of one angle, but -1 in the image with one keypoint
	for i := range sets[0].Keypoints {
		upright.Add(scene, []keypoints.Set{{Keypoints: slices.Repeat([]keypoints.Keypoint{{Angle: 270}}, i)}, {}, {}, {}, {}, sets[5]})
	}
	if all := upright.Of(""); all.NoAngle != 10+11+12+13+14+15+16+17+18+19+20 || all.Keypoints != 19*20/2+20 {
		t.Errorf("%d of %d keypoints without angle", all.NoAngle, all.Keypoints)
	}
	want := Stats{
		Scene: "v", Images: 6, Keypoints: 21, PerImage: [3]float64{0, 0, 20}, NoAngle: 1,
		// Of 21 values 1 to 21 the q-quantile is the ⌈21 q⌉-th.
		Size:     []float32{1, 2, 6, 11, 16, 20, 21},
		Response: []float32{2, 2, 2, 2, 2, 2, 3},
		Octaves:  map[int]int{-1: 20, 4: 1},
		// x is 5, 10, ... 100, at y = 50, and 199, 99: 10 px leave out 5 and 199,
		// 20 px also 10 and 15, 40 px also 20 to 35; within 80 px no y is left.
		Inside: []float64{1, 19. / 21, 17. / 21, 13. / 21, 0},
	}
	if got := first.Of("v"); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if s := second.Of("w"); s.Keypoints != 0 || s.Size != nil || len(s.Inside) != 0 || s.Images != 6 {
		t.Errorf("of a scene without keypoints: %+v", s)
	}
	if all := both.Of("all"); all.Keypoints != 21 || all.Images != 12 || all.Scene != "all" || !reflect.DeepEqual(all.Size, want.Size) {
		t.Errorf("of all: %+v", all)
	}
}

// TestAKeypointIsDrawnAsACircleWithItsAngle looks at pixels of one of radius 10
// at (50, 40) that points down: 90 degrees, clockwise in the image.
func TestAKeypointIsDrawnAsACircleWithItsAngle(t *testing.T) {
	picture := image.NewRGBA(image.Rect(0, 0, 100, 80))
	draw.Draw(picture, picture.Bounds(), image.White, image.Point{}, draw.Src)
	drawKeypoints(picture, keypoints.Set{Keypoints: []keypoints.Keypoint{
		{X: 50, Y: 40, Size: 20, Angle: 90},
		{X: -30, Y: 40, Size: 62, Angle: -1}, // reaches into the image from outside
		{X: 80, Y: 20, Angle: -1},            // of no known size
	}}, 0)
	on := func(x, y int) bool { return picture.RGBAAt(x, y).R < 16 } // of 255 in white, 0 in a line
	for _, p := range [][2]int{{60, 40}, {40, 40}, {50, 30}, {50, 50}, {50, 40}, {50, 45}, {1, 40}, {82, 20}, {80, 18}} {
		if !on(p[0], p[1]) {
			t.Errorf("(%d, %d) is %v, want it on a line", p[0], p[1], picture.RGBAAt(p[0], p[1]))
		}
	}
	for _, p := range [][2]int{{50, 35}, {45, 40}, {55, 40}, {64, 40}, {50, 54}, {20, 40}, {80, 20}} {
		if on(p[0], p[1]) {
			t.Errorf("(%d, %d) is on a line", p[0], p[1])
		}
	}
}
