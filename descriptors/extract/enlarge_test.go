package extract_test

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"testing"

	"gocv.io/x/gocv"

	"descbench/descriptors/extract"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// shrunk returns an image shrunk by a factor: pixel i is pixel i·factor of the
// original. As SIFT assumes of every image, it has a blur of 0.5 px if the original
// has.
func shrunk(t *testing.T, img detect.Image, factor int) detect.Image {
	t.Helper()
	blurred := gocv.NewMat()
	defer blurred.Close()
	blur := 0.5 * math.Sqrt(float64(factor*factor-1))
	must.Do(t, gocv.GaussianBlur(img.BGR, &blurred, image.Point{}, blur, blur, gocv.BorderReflect101))
	return detecttest.NewPicture(img.Width()/factor, img.Height()/factor, func(x, y int) (b, g, r float64) {
		v := blurred.GetVecbAt(y*factor, x*factor)
		return float64(v[0]), float64(v[1]), float64(v[2])
	}).Image(t)
}

// shrunkWith returns the keypoints of an image in the image shrunk by 2^halvings.
func shrunkWith(kps []keypoints.Keypoint, halvings int) []keypoints.Keypoint {
	factor := float32(int(1) << halvings)
	out := make([]keypoints.Keypoint, len(kps))
	for i, k := range kps {
		octave, layer := keypoints.UnpackOctave(k.Octave)
		k.X, k.Y, k.Size = k.X/factor, k.Y/factor, k.Size/factor
		k.Octave = int32(layer<<8 | (octave-halvings)&255)
		out[i] = k
	}
	return out
}

// A shrunk image and keypoints shrunk with it show the same: their rows must be
// near those of the original, and nearest to those of the same keypoints. What
// the shrunk image has lost decides how near; the least cosines and shares of
// matches below are for images that have detail down to the pixel.
func TestKeypointsBelowThePyramidAreDescribedAsInALargerImage(t *testing.T) {
	leasts := map[int]struct{ cosine, matched float64 }{-1: {0.98, 0.99}, -2: {0.98, 0.97}, -3: {0.80, 0.50}}
	images := map[string]func(t *testing.T) detect.Image{
		"discs":   func(t *testing.T) detect.Image { return must.Get(extract.Drawing())(t) },
		"photo":   func(t *testing.T) detect.Image { return detecttest.Real(t, "v_graffiti", "1.png") },
		"photo 2": func(t *testing.T) detect.Image { return detecttest.Real(t, "v_churchill", "1.ppm") },
	}
	for name, open := range images {
		t.Run(name, func(t *testing.T) {
			img := open(t)
			set := keypoints.Set{Keypoints: mustDetect(t, img, detectorWith(t, "sift", ""))}
			set = set.Select(set.RowsInsideBorder(img.Width(), img.Height(), keypoints.Border{Px: 40}))
			set = set.Select(set.TopRows(600, keypoints.ByResponse))
			p := params(t, "sift")
			original := mustExtract(t, img, set.Keypoints, "sift", p)
			for halvings := 1; halvings <= 2; halvings++ {
				kps := shrunkWith(set.Keypoints, halvings)
				m := mustExtract(t, shrunk(t, img, 1<<halvings), kps, "sift", p)
				if n := m.CountInvalid(); n > 0 {
					t.Errorf("shrunk by %d: %d of %d rows are invalid", 1<<halvings, n, m.Rows)
				}
				total, matched, n := map[int]float64{}, map[int]int{}, map[int]int{}
				for i, k := range kps {
					best, at := -1.0, 0
					for j := range kps {
						if c := cosine(row(original, i), row(m, j)); c > best {
							best, at = c, j
						}
					}
					octave, _ := keypoints.UnpackOctave(k.Octave)
					n[octave]++
					total[octave] += cosine(row(original, i), row(m, i))
					if math.Hypot(float64(kps[at].X-k.X), float64(kps[at].Y-k.Y)) < 1 { // OpenCV repeats keypoints with other angles
						matched[octave]++
					}
				}
				for octave, least := range leasts {
					if n[octave] < 30 {
						continue
					}
					mean, share := total[octave]/float64(n[octave]), float64(matched[octave])/float64(n[octave])
					t.Logf("shrunk by %d, octave %d, %d keypoints: cosine %.3f, matched %.3f", 1<<halvings, octave, n[octave], mean, share)
					if mean < least.cosine || share < least.matched {
						t.Errorf("shrunk by %d, octave %d, %d keypoints: mean cosine %.3f and %.3f matched, want at least %v and %v", 1<<halvings, octave, n[octave], mean, share, least.cosine, least.matched)
					}
				}
			}
		})
	}
}

// The part of the image that is enlarged must hold everything that decides a row.
func TestARowBelowThePyramidIsThatOfTheWholeImageEnlarged(t *testing.T) {
	img := cornered(80, 60, 4).Image(t)
	p := params(t, "sift")
	for _, octave := range []int{-2, -3, -4} {
		factor := 1 << (-1 - octave)
		whole, backwards := gocv.NewMat(), gocv.NewMatWithSizeFromScalar(gocv.NewScalar(0, 0, 0, 0), 2, 3, gocv.MatTypeCV64F)
		backwards.SetDoubleAt(0, 0, 1/float64(factor))
		backwards.SetDoubleAt(1, 1, 1/float64(factor))
		size := image.Pt((img.Width()-1)*factor+1, (img.Height()-1)*factor+1)
		must.Do(t, gocv.WarpAffineWithParams(img.Gray, &whole, backwards, size, gocv.InterpolationCubic|gocv.WarpInverseMap, gocv.BorderReplicate, color.RGBA{}))
		for layer := 1; layer <= 3; layer++ {
			for _, at := range [][2]float32{{40, 30}, {33.3, 20.7}, {79, 58.5}, {-2, 30}} {
				size := float32(3.2 * math.Pow(2, float64(octave)+float64(layer)/3))
				k := keypoints.Keypoint{X: at[0], Y: at[1], Size: size, Angle: 70, Octave: int32(layer<<8 | octave&255), ClassID: -1}
				got := mustExtract(t, img, []keypoints.Keypoint{k}, "sift", p)

				blur := 1.6 * math.Pow(2, float64(layer)/3)
				sigma := math.Sqrt(max(blur*blur-float64(factor*factor), 0) + 1)
				sift := gocv.NewSIFTWithParams(nil, nil, nil, nil, &sigma)
				f := float64(factor)
				_, want := sift.Compute(whole, gocv.NewMat(), []gocv.KeyPoint{{X: float64(k.X) * f, Y: float64(k.Y) * f, Size: float64(k.Size) * f, Angle: 70, Octave: 255}})
				values := must.Get(want.DataPtrFloat32())(t)
				if !isRaw(row(got, 0), values) {
					t.Errorf("octave %d, layer %d, %v: not the row of the whole image enlarged (invalid %v)", octave, layer, at, got.IsInvalid(0))
				}
				want.Close()
				sift.Close()
			}
		}
		whole.Close()
		backwards.Close()
	}
}

func TestRowsOfThePyramidDoNotDependOnKeypointsBelowIt(t *testing.T) {
	img := cornered(160, 120, 5).Image(t)
	good := mustDetect(t, img, detectorWith(t, "sift", ""))[:40]
	below := shrunkWith(good, 2)
	for i := range below {
		below[i].X, below[i].Y = good[i].X, good[i].Y
	}
	for _, kind := range []string{"sift", "rgbsift", "usift"} {
		for _, pyramid := range []string{"full", "opencv"} {
			p := params(t, kind, "pyramid="+pyramid)
			alone := [2]string{}
			for i, kps := range [][]keypoints.Keypoint{good, below} {
				alone[i] = string(mustExtract(t, img, kps, kind, p).Uint8)
			}
			var mixed []keypoints.Keypoint
			for i := range good {
				mixed = append(mixed, good[i], below[i])
			}
			m := mustExtract(t, img, mixed, kind, p)
			for i := range mixed {
				if want := alone[i%2][i/2*m.Dim:][:m.Dim]; !bytes.Equal(row(m, i), []byte(want)) {
					t.Fatalf("%s, pyramid %s: row %d of keypoints of both kinds is not the row without the other kind", kind, pyramid, i)
				}
			}
		}
	}
}

func TestKeypointsBelowThePyramidAreDescribedAtTheEdgesOfAnyImage(t *testing.T) {
	for _, side := range []int{detect.MinSide, 9, 40} {
		img := detecttest.Textured(side, side+1, 4).Image(t)
		far := float32(side)
		var kps []keypoints.Keypoint
		for _, octave := range []int{-2, -3, -4} {
			for _, xy := range [][2]float32{{0, 0}, {far - 1, far}, {far / 2, -1}, {0.5, far / 2}} {
				kps = append(kps, at(xy[0], xy[1], float32(math.Ldexp(3, octave)), octave), at(xy[0], xy[1], float32(math.Ldexp(1.0625, octave)), octave))
			}
		}
		m := mustExtract(t, img, kps, "sift", params(t, "sift"))
		for i, k := range kps {
			if k.Size > 0.3 && m.IsInvalid(i) {
				t.Errorf("%d px, %+v: invalid", side, k)
			}
		}
		// Nothing of the window is in the image.
		if m := mustExtract(t, img, []keypoints.Keypoint{at(-100, 4, 1, -2), at(4, 1e6, 1, -4)}, "sift", params(t, "sift")); m.CountInvalid() != 2 {
			t.Errorf("%d px: valid %v, want keypoints far outside invalid", side, m.Valid())
		}
	}
}
