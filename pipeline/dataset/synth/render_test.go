package synth

import (
	"context"
	"errors"
	"image"
	"image/draw"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"descbench/keypoints"
)

func TestScenesDoNotDependOnWorkersOrCompany(t *testing.T) {
	few, many := t.TempDir(), t.TempDir()
	opt := Options{Scenes: 2, Seed: 5, Width: 160, Height: 128, Jobs: 1}
	names, err := Render(context.Background(), few, opt)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(names, " "); got != "v_synth_001 i_synth_001" {
		t.Fatalf("rendered %s", got)
	}
	opt.Scenes, opt.Jobs = 4, 3
	if _, err := Render(context.Background(), many, opt); err != nil {
		t.Fatal(err)
	}
	contents := map[string]string{}
	for _, name := range names {
		entries, err := os.ReadDir(filepath.Join(few, name))
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) != 11 {
			t.Errorf("%s has %d files, want six images and five homographies", name, len(entries))
		}
		for _, e := range entries {
			path := filepath.Join(name, e.Name())
			a, errA := os.ReadFile(filepath.Join(few, path))
			b, errB := os.ReadFile(filepath.Join(many, path))
			if err := errors.Join(errA, errB); err != nil {
				t.Fatal(err)
			}
			if string(a) != string(b) {
				t.Errorf("%s differs between 2 scenes by 1 worker and 4 scenes by 3", path)
			}
			if other, twice := contents[string(a)]; twice && strings.HasSuffix(path, ".png") {
				t.Errorf("%s and %s are the same picture", path, other)
			}
			contents[string(a)] = path
		}
	}
}

func TestHomographyFilesGiveBackTheHomographiesRenderedWith(t *testing.T) {
	for i := range 20 {
		s := newScene(Options{Scenes: 20, Seed: 3, Width: 640, Height: 480, Jobs: 1}, i)
		for k, h := range s.homographies {
			var got keypoints.Homography
			for j, field := range strings.Fields(format(h)) {
				v, err := strconv.ParseFloat(field, 64)
				if err != nil {
					t.Fatal(err)
				}
				got[j] = v
			}
			if got != h {
				t.Errorf("scene %d image %d: reads back as %v, want %v", i, k+1, got, h)
			}
		}
	}
}

func TestEveryRecipeIsShownAndScenesDiffer(t *testing.T) {
	opt := Options{Seed: 1, Width: 640, Height: 480}
	for _, kind := range []int{0, 1} { // viewpoint, illumination
		order := newStream(opt.Seed, 0, kind, forRecipe).order(len(recipes))
		shown := map[int]bool{}
		for _, r := range order {
			shown[r] = true
		}
		if len(shown) != len(recipes) {
			t.Errorf("the first %d scenes show %d recipes", len(recipes), len(shown))
		}
	}
}

func TestRenderLeavesExistingScenesAlone(t *testing.T) {
	dir := t.TempDir()
	scene := filepath.Join(dir, "i_synth_001")
	if err := os.Mkdir(scene, 0o755); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(scene, "1.png")
	if err := os.WriteFile(mine, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	opt := Options{Scenes: 2, Seed: 1, Width: 128, Height: 128, Jobs: 1}
	_, err := Render(context.Background(), dir, opt)
	var place *fs.PathError
	if !errors.As(err, &place) || !strings.Contains(err.Error(), "i_synth_001: exists and is not empty") {
		t.Errorf("error is %v", err)
	}
	if b, _ := os.ReadFile(mine); string(b) != "mine" {
		t.Error("the existing file was changed")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d entries in the folder, want the existing one alone", len(entries))
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	if _, err := Render(context.Background(), dir, opt); err != nil {
		t.Errorf("an empty folder is refused: %v", err)
	}
}

func TestInterruptedRenderingLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	s := newScene(Options{Scenes: 1, Seed: 1, Width: 128, Height: 128, Jobs: 1}, 0)
	picture := s.picture
	s.picture = func() *plane { cancel(); return picture() }
	if err := writeScene(ctx, dir, "v_synth_001", s); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want context.Canceled", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("%s was left behind", entries[0].Name())
	}
}

func TestImpossibleOptionsAreRefused(t *testing.T) {
	good := Options{Scenes: 1, Seed: 1, Width: 640, Height: 480, Jobs: 1}
	for want, change := range map[string]func(*Options){
		"0 scenes asked for, want 1 to 1998":                          func(o *Options) { o.Scenes = 0 },
		"1999 scenes asked for, want 1 to 1998":                       func(o *Options) { o.Scenes = 1999 },
		"images of 64x480 px asked for, want 128 to 2048 px a side":   func(o *Options) { o.Width = 64 },
		"images of 640x9000 px asked for, want 128 to 2048 px a side": func(o *Options) { o.Height = 9000 },
		"0 jobs asked for, want at least 1":                           func(o *Options) { o.Jobs = 0 },
	} {
		opt := good
		change(&opt)
		dir := filepath.Join(t.TempDir(), "new")
		if _, err := Render(context.Background(), dir, opt); err == nil || err.Error() != want {
			t.Errorf("error is %v, want %s", err, want)
		}
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the folder was made all the same", want)
		}
	}
}

func TestCommittedScenesAreWhatSeed1Renders(t *testing.T) {
	if testing.Short() {
		t.Skip("rendering four scenes takes seconds; run without -short")
	}
	root := filepath.Join("..", "..", "..", "testdata", "scenes")
	opt := Options{Scenes: 4, Seed: 1, Width: 640, Height: 480, Jobs: 1}
	for i := range opt.Scenes {
		t.Run(sceneName(i), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(root, sceneName(i))
			s := newScene(opt, i)
			err := s.images(context.Background(), func(k int, got *image.RGBA) error {
				want, err := readPNG(filepath.Join(dir, strconv.Itoa(k+1)+".png"))
				if err != nil {
					return err
				}
				if want.Rect != got.Rect {
					t.Errorf("image %d is %v, rendered %v", k+1, want.Rect, got.Rect)
				} else if n := differing(want.Pix, got.Pix); n > 0 {
					t.Errorf("image %d: %d of %d samples differ", k+1, n, len(got.Pix))
				}
				if k == 0 {
					return nil
				}
				text, err := os.ReadFile(filepath.Join(dir, "H_1_"+strconv.Itoa(k+1)))
				if err == nil && string(text) != format(s.homographies[k]) {
					t.Errorf("H_1_%d holds\n%srendered with\n%s", k+1, text, format(s.homographies[k]))
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func readPNG(path string) (*image.RGBA, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		return nil, err
	}
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out, nil
}

func differing(a, b []uint8) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// Go may fuse x*y + z into one rounding on arm64, and there alone its pixels
// would differ. The compiler's own listing shows that it found nothing to
// fuse.
func TestNoArithmeticIsFusedOnOtherMachines(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for another machine; run without -short")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command in PATH")
	}
	build := exec.Command(goTool, "build", "-buildvcs=false", "-gcflags=-S", ".")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0", "GOFLAGS=")
	listing, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("go build for arm64: %v\n%s", err, listing)
	}
	if !regexp.MustCompile(`\sFMUL[DS]\s`).Match(listing) {
		t.Fatal("the listing shows no multiplication at all: it cannot be the right one")
	}
	fused := regexp.MustCompile(`(?m)\(.*/(\w+\.go:\d+)\)\s+FN?M(?:ADD|SUB)[DS]`)
	for _, m := range fused.FindAllSubmatch(listing, -1) {
		t.Errorf("%s: a product and a sum are fused; round the product with float64(…)", m[1])
	}
}
