package synth

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"descbench/eval/must"
)

func TestScenesDoNotDependOnWorkersOrCompany(t *testing.T) {
	few, many := t.TempDir(), t.TempDir()
	opt := Options{Scenes: 2, Seed: 5, Width: 160, Height: 128, Jobs: 1}
	names := must.Get(Render(context.Background(), few, opt))(t)
	if got := strings.Join(names, " "); got != "v_synth_001 i_synth_001" {
		t.Fatalf("rendered %s", got)
	}
	opt.Scenes, opt.Jobs = 4, 3
	must.Get(Render(context.Background(), many, opt))(t)
	contents := map[string]string{}
	for _, name := range names {
		entries := must.Get(os.ReadDir(filepath.Join(few, name)))(t)
		if len(entries) != 11 {
			t.Errorf("%s has %d files, want six images and five homographies", name, len(entries))
		}
		for _, e := range entries {
			path := filepath.Join(name, e.Name())
			a, errA := os.ReadFile(filepath.Join(few, path))
			b, errB := os.ReadFile(filepath.Join(many, path))
			must.Do(t, errors.Join(errA, errB))
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

// The digest changes only together with the pictures that a seed stands for.
func TestASeedStandsForTheSamePixels(t *testing.T) {
	opt := Options{Scenes: 2, Seed: 1, Width: 160, Height: 128, Jobs: 1}
	digest := fnv.New64a()
	for i := range opt.Scenes {
		s := newScene(opt, i)
		err := s.images(context.Background(), func(k int, img *image.RGBA) error {
			fmt.Fprint(digest, format(s.homographies[k]))
			digest.Write(img.Pix)
			return nil
		})
		must.Do(t, err)
	}
	if got, want := digest.Sum64(), uint64(0x5dcb9cac73788a7e); got != want {
		t.Errorf("digest %#x, want %#x", got, want)
	}
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
