package detect_test

import (
	"math"
	"path"
	"strings"
	"testing"

	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// golden holds what C++ programs on OpenCV 4.6.0, without Go, found in real
// images: the number of keypoints and the sums of x, y, size, angle, response,
// octave and class; of SIFT, the number alone. SURF's are in package surf.
var golden = []struct {
	detector, params, image string
	count                   int
	sums                    [7]float64
}{
	{"sift", "", "v_graffiti/1.png", 2674, [7]float64{}},
	{"sift", "", "v_churchill/1.ppm", 3452, [7]float64{}},
	{"sift", "", "i_oxbikes/1.png", 3384, [7]float64{}},
	{"orb", "", "v_graffiti/1.png", 500, [7]float64{193297.149, 200712.502, 26962.2943, 72003.5485, 1.03768085, 1290, -500}},
	{"orb", "", "i_oxbikes/1.png", 500, [7]float64{220453.283, 195038.899, 26962.2943, 100328.448, 0.390634253, 1290, -500}},
	{"orb", "nfeatures=700 scale_factor=1.4 nlevels=5 edge_threshold=20 first_level=1 score_type=fast_score patch_size=25 fast_threshold=12", "v_graffiti/1.png", 710, [7]float64{253067.842, 289245.875, 22438.8568, 112776.671, 77938, 981, -710}},
	{"akaze", "", "v_graffiti/1.png", 2420, [7]float64{930572.786, 815727.816, 19456.0583, 426993.957, 11.1402346, 591, 5965}},
	{"akaze", "", "i_oxbikes/1.png", 1498, [7]float64{786225.788, 596328.86, 12520.0013, 280445.819, 4.88996974, 413, 3920}},
	{"akaze", "descriptor_type=kaze_upright threshold=0.002 n_octaves=3 n_octave_layers=3 diffusivity=charbonnier", "v_graffiti/1.png", 1034, [7]float64{393332.669, 358362.447, 8205.61739, 180271.516, 5.92929114, 217, 1947}},
	{"kaze", "", "v_graffiti/1.png", 3155, [7]float64{1197415.3, 1098587.84, 24300.6525, 550261.967, 13.0840138, 1786, 12960}},
	{"kaze", "", "i_oxbikes/1.png", 1808, [7]float64{947587.116, 686537.619, 17155.768, 335305.981, 6.14563788, 1433, 9045}},
	{"kaze", "threshold=0.002 n_octaves=3 n_octave_layers=3 diffusivity=weickert", "v_graffiti/1.png", 1370, [7]float64{512337.779, 489622.02, 12671.772, 243382.876, 8.91908327, 1184, 5469}},
	{"brisk", "", "v_graffiti/1.png", 3523, [7]float64{1376214.47, 1307307.94, 91735.5403, 649252.906, 227681.967, 5759, -3523}},
	{"brisk", "", "i_oxbikes/1.png", 3674, [7]float64{2024828.38, 1441403.41, 74713.9607, 646118.747, 190492.612, 3889, -3674}},
	{"brisk", "thresh=50 octaves=2 pattern_scale=1.5", "v_graffiti/1.png", 1556, [7]float64{595215.368, 576426.89, 32793.5338, 288051.393, 130781.759, 1927, -1556}},
	{"brisk", "thresh=60 octaves=0", "v_graffiti/1.png", 507, [7]float64{176194.899, 205471.088, 6084, 95245.4249, 44519.7851, 0, -507}},
	{"fast", "", "v_graffiti/1.png", 7244, [7]float64{2754903, 2721697, 50708, -7244, 173401, 0, -7244}},
	{"fast", "", "i_oxbikes/1.png", 11379, [7]float64{5990848, 3867421, 79653, -11379, 251040, 0, -11379}},
	{"fast", "threshold=25 nonmax_suppression=false detector_type=type_7_12", "v_graffiti/1.png", 3103, [7]float64{1125841, 1304107, 21721, -3103, 0, 0, -3103}},
	{"fast", "threshold=30 detector_type=type_5_8", "v_graffiti/1.png", 3, [7]float64{1239, 1857, 21, -3, 165, 0, -3}},
	{"agast", "", "v_graffiti/1.png", 7681, [7]float64{2959411, 2910114, 53767, -7681, 164181, 0, -7681}},
	{"agast", "", "i_oxbikes/1.png", 11964, [7]float64{6282205, 4082513, 83748, -11964, 241372, 0, -11964}},
	{"agast", "threshold=25 nonmax_suppression=false detector_type=agast_7_12d", "v_graffiti/1.png", 5407, [7]float64{1927850, 2193865, 37849, -5407, 240629, 0, -5407}},
	{"agast", "threshold=25 detector_type=agast_7_12s", "v_graffiti/1.png", 1714, [7]float64{663583, 728939, 11998, -1714, 79484, 0, -1714}},
	{"agast", "threshold=30 detector_type=agast_5_8", "v_graffiti/1.png", 427, [7]float64{150722, 187468, 2989, -427, 17644, 0, -427}},
	{"gftt", "", "v_graffiti/1.png", 1000, [7]float64{357190, 412280, 3000, -1000, 21.4443982, 0, -1000}},
	{"gftt", "", "i_oxbikes/1.png", 1000, [7]float64{579269, 383263, 3000, -1000, 20.2307603, 0, -1000}},
	{"gftt", "max_corners=0 quality_level=0.02 min_distance=4 block_size=5", "v_graffiti/1.png", 1249, [7]float64{457460, 495979, 6245, -1249, 17.3519528, 0, -1249}},
	{"gftt", "quality_level=0.001 use_harris_detector=true k=0.06", "v_graffiti/1.png", 1000, [7]float64{355953, 414145, 3000, -1000, 1.16364142, 0, -1000}},
	{"mser", "", "v_graffiti/1.png", 1792, [7]float64{644124.064, 671053.381, 61367.7812, -1792, 0, 0, -1792}},
	{"mser", "", "i_oxbikes/1.png", 1005, [7]float64{562246.639, 360634.95, 23787.2928, -1005, 0, 0, -1005}},
	{"mser", "delta=3 min_area=30 max_area=5000 max_variation=0.4", "v_graffiti/1.png", 2961, [7]float64{1093383.39, 1133419.72, 72197.3225, -2961, 0, 0, -2961}},
	{"mser", "image=color", "v_graffiti/1.png", 496, [7]float64{182202.932, 188476.907, 13519.2096, -496, 0, 0, -496}},
	{"mser", "image=color min_area=30 max_area=5000 min_diversity=0.4 max_evolution=100 area_threshold=1.05 min_margin=0.01 edge_blur_size=3", "v_graffiti/1.png", 539, [7]float64{198835.721, 207119.036, 7517.64845, -539, 0, 0, -539}},
}

// Between processors the last bits of AKAZE, KAZE and GFTT differ, hence the
// tolerance.
func TestDetectorsFindInRealImagesWhatOpenCVWithoutGoDoes(t *testing.T) {
	for _, g := range golden {
		scene, file := path.Split(g.image)
		img := detecttest.Real(t, path.Clean(scene), file)
		if !strings.HasPrefix(detect.OpenCVVersion(), "4.6.") {
			t.Skipf("the values are OpenCV 4.6's, this is %s", detect.OpenCVVersion())
		}
		set, err := detect.Detect(img, g.detector, withParams(t, g.detector, g.params))
		if err != nil {
			t.Errorf("%s %s: %v", g.detector, g.params, err)
			continue
		}
		var sums [7]float64
		for _, k := range set.Keypoints {
			for i, v := range [...]float32{k.X, k.Y, k.Size, k.Angle, k.Response, float32(k.Octave), float32(k.ClassID)} {
				sums[i] += float64(v)
			}
		}
		if set.Len() != g.count {
			t.Errorf("%s %s in %s: %d keypoints, want %d", g.detector, g.params, g.image, set.Len(), g.count)
		}
		for i, want := range g.sums {
			if g.sums != [7]float64{} && math.Abs(sums[i]-want) > 1e-6*math.Abs(want) {
				t.Errorf("%s %s in %s: sum %d is %.9g, want %.9g", g.detector, g.params, g.image, i, sums[i], want)
			}
		}
	}
}
