package extract_test

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

func TestEveryKindDescribesItsOwnKeypoints(t *testing.T) {
	img := cornered(320, 240, 1).Image(t)
	for _, k := range descriptors.Kinds() {
		kps := own(t, img, k.Name)
		m := mustExtract(t, img, kps, k.Name, params(t, k.Name))
		if m.CountInvalid() > 0 && k.Name != "brisk" {
			t.Errorf("%s: %d of %d rows are invalid", k.Name, m.CountInvalid(), m.Rows)
		}
		if m.Dim != k.Dim || m.Type != k.Type {
			t.Errorf("%s: dimension %d, type %v; the table says %d, %v", k.Name, m.Dim, m.Type, k.Dim, k.Type)
		}
		distinct, described := map[string]bool{}, map[keypoints.Keypoint]bool{}
		for i := range m.Rows {
			distinct[string(bytesOf(m, i))] = true
			if !strings.Contains(k.Invariances, "rotation") {
				kps[i].Angle = 0 // SIFT finds several angles at a place
			}
			described[kps[i]] = true
		}
		if len(distinct) < len(described)*9/10 {
			t.Errorf("%s: only %d different rows of %d keypoints", k.Name, len(distinct), len(described))
		}
	}
}

// bytesOf returns a row as bytes, for comparison.
func bytesOf(m *descriptors.Matrix, i int) []byte {
	if m.Type != descriptors.Float32 {
		return row(m, i)
	}
	var out []byte
	for _, v := range m.Float32[i*m.Dim:][:m.Dim] {
		bits := math.Float32bits(v)
		out = append(out, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
	}
	return out
}

func TestARowOfAnyKindIsTheSameInAnyCompanyAndOrder(t *testing.T) {
	img := cornered(240, 180, 2).Image(t)
	for _, k := range descriptors.Kinds() {
		p := params(t, k.Name)
		kps := own(t, img, k.Name)
		kps = append(kps, kps[:3]...) // equal keypoints have a row each
		all := mustExtract(t, img, kps, k.Name, p)
		slices.Reverse(kps)
		backward := mustExtract(t, img, kps, k.Name, p)
		for i := range kps {
			j := len(kps) - 1 - i
			if !slices.Equal(bytesOf(all, i), bytesOf(backward, j)) || all.IsInvalid(i) != backward.IsInvalid(j) {
				t.Errorf("%s: row %d is another in the opposite order", k.Name, i)
			}
		}
		for i := 0; i < len(kps); i += len(kps) / 6 {
			alone := mustExtract(t, img, kps[i:i+1], k.Name, p)
			if !slices.Equal(bytesOf(alone, 0), bytesOf(backward, i)) || alone.IsInvalid(0) != backward.IsInvalid(i) {
				t.Errorf("%s: row %d, of %+v, is another when alone", k.Name, i, kps[i])
			}
		}
	}
}

func TestEveryKindIsTheSameFromManyGoroutines(t *testing.T) {
	img := cornered(160, 120, 3).Image(t)
	for _, k := range descriptors.Kinds() {
		kps, p := own(t, img, k.Name), params(t, k.Name)
		want := mustExtract(t, img, kps, k.Name, p)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if got, err := extract.Extract(img, kps, k.Name, p); err != nil || !equal(got, want) {
					t.Errorf("%s: other rows than alone, or error %v", k.Name, err)
				}
			})
		}
		wg.Wait()
	}
}

func TestKeypointsThatCannotBeDescribedKeepInvalidRowsOfEveryKind(t *testing.T) {
	img := cornered(240, 180, 4).Image(t)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	spoil := map[string]func(*keypoints.Keypoint){
		"NaN x":         func(k *keypoints.Keypoint) { k.X = nan },
		"infinite y":    func(k *keypoints.Keypoint) { k.Y = -inf },
		"NaN size":      func(k *keypoints.Keypoint) { k.Size = nan },
		"infinite size": func(k *keypoints.Keypoint) { k.Size = inf },
		"no size":       func(k *keypoints.Keypoint) { k.Size = 0 },
		"negative size": func(k *keypoints.Keypoint) { k.Size = -3 },
		"left of image": func(k *keypoints.Keypoint) { k.X = -40 },
		"below image":   func(k *keypoints.Keypoint) { k.Y = 4000 },
		"far away":      func(k *keypoints.Keypoint) { k.X = 1e30 },
	}
	// For a class that is no level OpenCV refuses all keypoints; for an octave as
	// SIFT packs it ORB would build millions of levels.
	level := map[string]func(*keypoints.Keypoint){
		"no class":             func(k *keypoints.Keypoint) { k.ClassID = -1 },
		"class beyond":         func(k *keypoints.Keypoint) { k.ClassID = 16 },
		"class far beyond":     func(k *keypoints.Keypoint) { k.ClassID = math.MaxInt32 },
		"octave of SIFT":       func(k *keypoints.Keypoint) { k.Octave = 12845311 },
		"negative octave":      func(k *keypoints.Keypoint) { k.Octave = -1 },
		"octave beyond":        func(k *keypoints.Keypoint) { k.Octave = 8 },
		"infinite orientation": func(k *keypoints.Keypoint) { k.Angle = inf },
	}
	for _, k := range descriptors.Kinds() {
		good := own(t, img, k.Name)
		p := params(t, k.Name)
		if k.Name == "kaze" {
			p = params(t, "kaze", "gradients=compute") // else all are found or not
		}
		bad := map[string]keypoints.Keypoint{}
		add := func(name string, change func(*keypoints.Keypoint)) {
			spoiled := good[len(bad)]
			change(&spoiled)
			bad[name] = spoiled
		}
		for name, change := range spoil {
			switch {
			case k.Name == "orb" && (name == "no size" || name == "negative size"): // does not look at the size
			default:
				add(name, change)
			}
		}
		for name, change := range level {
			class := name == "no class" || name == "class beyond" || name == "class far beyond"
			switch k.Name {
			case "akaze":
				add(name, change)
			case "kaze":
				if class {
					add(name, change)
				}
			case "orb":
				if !class {
					add(name, change)
				}
			}
		}
		checkAmongGood(t, img, k.Name, p, good, bad)
	}
}

// checkAmongGood mixes good keypoints with bad ones: the bad have invalid rows of zeros, and
// the good the rows that they have without the bad.
func checkAmongGood(t *testing.T, img detect.Image, kind string, p keypoints.Params, good []keypoints.Keypoint, bad map[string]keypoints.Keypoint) {
	t.Helper()
	want := mustExtract(t, img, good, kind, p)
	var mixed []keypoints.Keypoint
	var names []string // of row i, empty for good ones
	for name, k := range bad {
		mixed = append(mixed, good[len(mixed)/2], k)
		names = append(names, "", name)
	}
	got := mustExtract(t, img, mixed, kind, p)
	for i, name := range names {
		switch {
		case name == "" && (got.IsInvalid(i) != want.IsInvalid(i/2) || !slices.Equal(bytesOf(got, i), bytesOf(want, i/2))):
			t.Errorf("%s: good keypoint %d among bad ones: invalid %v, or another row than among good ones", kind, i/2, got.IsInvalid(i))
		case name != "" && (!got.IsInvalid(i) || slices.ContainsFunc(bytesOf(got, i), func(b byte) bool { return b != 0 })):
			t.Errorf("%s: %s: invalid %v, want an invalid row of zeros", kind, name, got.IsInvalid(i))
		}
	}
}

// Bits and a mean exist without texture. Of KAZE's rows, OpenCV divides by the length, 0.
func TestRowsWithoutTextureAreInvalidUnlessTheyAreOfBitsOrAMean(t *testing.T) {
	img := cornered(240, 180, 4).Image(t)
	flat := detecttest.Grey(240, 180, func(int, int) float64 { return 50 }).Image(t)
	check := func(kind, changes string, valid bool) {
		t.Helper()
		kps := own(t, img, kind)
		m := mustExtract(t, flat, kps, kind, params(t, kind, changes))
		if invalid := m.CountInvalid(); invalid != len(kps) && !valid || invalid != 0 && valid && kind != "brisk" {
			t.Errorf("%s %s: %d of %d rows are invalid, want them valid: %v", kind, changes, invalid, len(kps), valid)
		}
	}
	check("kaze", "gradients=compute", false) // else none of the keypoints is found
	check("akaze", "descriptor_type=kaze", false)
	for _, k := range descriptors.Kinds() {
		if k.Name != "kaze" {
			check(k.Name, "", k.Type == descriptors.Bits || k.Name == "mstd")
		}
	}
}

// Two keypoints of a place should be nearer to each other than to those of other
// places, whatever the kind: here under a quarter turn, which maps pixels onto
// pixels, and a gain and offset of the intensity.
func TestDescriptorsOfAPlaceFindEachOtherAfterAQuarterTurnInOtherLight(t *testing.T) {
	pic := cornered(260, 200, 5)
	turned := detecttest.NewPicture(pic.H, pic.W, func(x, y int) (b, g, r float64) {
		b, g, r = pic.At(y, pic.H-1-x)
		return 20 + 0.8*b, 20 + 0.8*g, 20 + 0.8*r
	})
	before, after := pic.Image(t), turned.Image(t)
	for _, k := range descriptors.Kinds() {
		if !strings.Contains(k.Invariances, "rotation") || !strings.Contains(k.Invariances, "intensity") {
			continue
		}
		p := params(t, k.Name)
		kps, turnedKps := own(t, before, k.Name), own(t, after, k.Name)
		a, b := table(mustExtract(t, before, kps, k.Name, p)), table(mustExtract(t, after, turnedKps, k.Name, p))
		hits, pairs := 0, 0
		for i, q := range kps {
			j := nearestTo(turnedKps, float64(pic.H-1)-float64(q.Y), float64(q.X), q.Size, q.Angle+90)
			if j < 0 || a[i] == nil || b[j] == nil || i%3 > 0 {
				continue
			}
			pairs++
			own, better := squared(a[i], b[j]), 0
			for _, other := range b {
				if other != nil && squared(a[i], other) < own {
					better++
				}
			}
			if better < max(1, len(turnedKps)/50) {
				hits++
			}
		}
		if pairs < 20 || hits < pairs*8/10 {
			t.Errorf("%s: of %d places %d are found again", k.Name, pairs, hits)
		}
	}
}

// nearestTo returns the keypoint within 1.5 px of (x, y) that has about that
// size, and that angle to 20° if both have one; -1 if there is none.
func nearestTo(kps []keypoints.Keypoint, x, y float64, size, angle float32) int {
	return slices.IndexFunc(kps, func(k keypoints.Keypoint) bool {
		turn := math.Abs(math.Remainder(float64(k.Angle-angle), 360))
		return math.Hypot(float64(k.X)-x, float64(k.Y)-y) < 1.5 && math.Abs(float64(k.Size/size)-1) < 0.1 && (turn < 20 || k.Angle == 0)
	})
}

// table returns the rows as numbers, nil for invalid ones.
func table(m *descriptors.Matrix) [][]float64 {
	rows := make([][]float64, m.Rows)
	for i := range rows {
		if !m.IsInvalid(i) {
			rows[i] = numbers(m, i)
		}
	}
	return rows
}

func squared(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return sum
}

func TestKeypointsOfEveryDetectorThatAKindAcceptsAreDescribed(t *testing.T) {
	img := cornered(200, 160, 7).Image(t)
	for _, k := range descriptors.Kinds() {
		for _, d := range keypoints.Detectors() {
			if k.Accepts(d.Name) != nil {
				continue
			}
			set := must.Get(extract.Detect(img, d.Name, keypoints.Defaults(d.Params)))(t)
			kps := set.Keypoints[:min(set.Len(), 300)]
			m := mustExtract(t, img, kps, k.Name, params(t, k.Name))
			if m.Rows == m.CountInvalid() {
				t.Errorf("%s: of %d keypoints of %s %d are invalid", k.Name, m.Rows, d.Name, m.CountInvalid())
			}
		}
	}
}

func TestTheAngleTurnsTheWindowOfAllKindsButThoseThatHaveTheirOwn(t *testing.T) {
	img := cornered(320, 240, 8).Image(t)
	for _, k := range descriptors.Kinds() {
		kps := own(t, img, k.Name)
		turned := slices.Clone(kps)
		for i := range turned {
			turned[i].Angle = float32(math.Mod(float64(kps[i].Angle)+50, 360))
		}
		if same := equal(mustExtract(t, img, kps, k.Name, params(t, k.Name)), mustExtract(t, img, turned, k.Name, params(t, k.Name))); same != k.OwnAngle {
			t.Errorf("%s: turned keypoints have the same rows: %v, want %v", k.Name, same, k.OwnAngle)
		}
	}
}

func TestEveryParameterOfEveryKindReachesIt(t *testing.T) {
	img := cornered(320, 240, 8).Image(t)
	changes := map[string][]string{
		"surf":  {"upright=true", "extended=true"},
		"orb":   {"scale_factor=1.4", "nlevels=2", "edge_threshold=60", "first_level=1", "patch_size=25"},
		"brisk": {"pattern_scale=1.5"},
		"akaze": {"descriptor_type=mldb_upright", "descriptor_type=kaze", "descriptor_type=kaze_upright", "descriptor_size=200", "n_octaves=1", "n_octave_layers=3",
			"diffusivity=pm_g1", "diffusivity=weickert", "diffusivity=charbonnier"},
		"kaze": {"extended=true", "upright=true", "gradients=compute", "threshold=0.004", "n_octaves=2", "n_octave_layers=3",
			"diffusivity=pm_g1", "diffusivity=weickert"},
		"sift":         {"n_octave_layers=4", "sigma=1.9", "pyramid=opencv"},
		"rgbsift_mean": {"n_octave_layers=4", "sigma=1.9", "pyramid=opencv"},
		"opponentsift": {"n_octave_layers=4", "sigma=1.9", "pyramid=opencv"},
	}
	for kind, list := range changes {
		kps := own(t, img, kind)
		if strings.Contains(kind, "sift") {
			kps = []keypoints.Keypoint{at(120, 90, 12, 0)} // no company, as pyramid takes
		}
		base := mustExtract(t, img, kps, kind, params(t, kind))
		tried := map[string]bool{}
		for _, change := range list {
			p := params(t, kind, change)
			got, err := extract.Extract(img, kps, kind, p)
			dim, _ := kindOf(t, kind).Shape(p)
			switch {
			case err != nil && strings.Contains(err.Error(), "KAZE does not find any"): // but others
			case err != nil || got.Dim != dim:
				t.Errorf("%s: %s: %+v, error %v; want rows of %d", kind, change, got, err, dim)
			case equal(got, base):
				t.Errorf("%s: %s changes nothing", kind, change)
			}
			for name, v := range p {
				tried[name] = tried[name] || v != params(t, kind)[name]
			}
		}
		for name := range params(t, kind) {
			if !tried[name] {
				t.Errorf("%s: %s was not tried", kind, name)
			}
		}
	}
}
