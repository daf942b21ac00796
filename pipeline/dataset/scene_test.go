package dataset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline/store"
)

func mustOpen(t *testing.T, root, name string) *Scene {
	t.Helper()
	return must.Get((Source{Root: root}).Open(t.Context(), name, maxMegapixels))(t)
}

func TestOpenTellsSizesDigestsAndHomographies(t *testing.T) {
	root := t.TempDir()
	putScene(t, root, "v_x")
	put(t, filepath.Join(root, "v_x", "H_1_3"), []byte("-2 0 -6\r\n0 -2 -8\r\n0 0 -2\r\n"))
	s := mustOpen(t, root, "v_x")
	if s.Name != "v_x" || s.Homography(0) != keypoints.Identity {
		t.Errorf("scene is %+v", s)
	}
	if want := (keypoints.Homography{1, 0, 3, 0, 1, 4, 0, 0, 1}); s.Homography(2) != want {
		t.Errorf("H_1_3 is %v, want %v", s.Homography(2), want)
	}
	for i, img := range s.Images {
		data := must.Get(os.ReadFile(filepath.Join(s.Dir, img.File)))(t)
		sum := sha256.Sum256(data)
		if img.Width != 31+i || img.Height != 20 || img.Digest != hex.EncodeToString(sum[:]) {
			t.Errorf("image %d is %+v", i+1, img)
		}
	}
}

func TestFilesThatChangedSinceTheDataSetWasFetchedAreRefused(t *testing.T) {
	root := t.TempDir()
	putScene(t, root, "v_x")
	putScene(t, root, "v_added") // by the user, not listed
	listed := ""
	for _, name := range []string{"v_x/2.png", "v_x/H_1_3"} {
		data := must.Get(os.ReadFile(filepath.Join(root, name)))(t)
		sum := sha256.Sum256(data)
		listed += hex.EncodeToString(sum[:]) + "  " + name + "\n"
	}
	put(t, filepath.Join(root, "SHA256SUMS"), []byte(listed))
	mustOpen(t, root, "v_x")
	mustOpen(t, root, "v_added")
	same := "3.0 0 9\n0 3 12\n0 0 3\n" // as other numbers
	for name, content := range map[string]string{"v_x/H_1_3": same, "SHA256SUMS": "no sum\n"} {
		before := must.Get(os.ReadFile(filepath.Join(root, name)))(t)
		put(t, filepath.Join(root, name), []byte(content))
		var fault *store.Fault
		if _, err := (Source{Root: root}).Open(t.Context(), "v_x", maxMegapixels); !errors.As(err, &fault) || !strings.Contains(err.Error(), "SHA256SUMS") {
			t.Errorf("%s: found %v", name, err)
		}
		put(t, filepath.Join(root, name), before)
	}
	put(t, filepath.Join(root, "v_x", "2.png"), []byte("x"))
	_, err := (Source{Root: root}).Open(t.Context(), "v_x", maxMegapixels)
	if want := "v_x/2.png: has changed since the data set was fetched: its SHA-256 is 2d711642b726, but SHA256SUMS lists "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("found %v, want %s", err, want)
	}
}

func TestDigestIsOfContentAlone(t *testing.T) {
	root := t.TempDir()
	h := "0.98 0.02 -3.5\n-0.015 1.01 7\n1e-5 -2e-5 1\n"
	putScene(t, root, "v_x")
	put(t, filepath.Join(root, "v_x", "H_1_4"), []byte(h))
	digest := mustOpen(t, root, "v_x").Digest

	for name, text := range map[string]string{
		"scaled by 4":          "3.92 0.08 -14\n-0.06 4.04 28\n4e-5 -8e-5 4\n",
		"scaled by -1":         "-0.98 -0.02 3.5\n0.015 -1.01 -7\n-1e-5 2e-5 -1\n",
		"other decimal places": "9.8e-1 0.020 -3.500\n-0.0150 1.010 7.0\n0.00001 -0.00002 1.0\n",
	} {
		put(t, filepath.Join(root, "v_x", "H_1_4"), []byte(text))
		if got := mustOpen(t, root, "v_x").Digest; got != digest {
			t.Errorf("%s: the digest changes", name)
		}
	}
	put(t, filepath.Join(root, "v_x", "H_1_4"), []byte(h))
	put(t, filepath.Join(root, "v_x", "H_1_2"), []byte("-1 0 -0.5\n-0 -1 0.25\n0 0 -1\n")) // zeros that become -0
	if mustOpen(t, root, "v_x").Digest != digest {
		t.Error("the digest tells -0 from 0")
	}
	must.Do(t, os.Rename(filepath.Join(root, "v_x"), filepath.Join(root, "i_y")))
	if got := mustOpen(t, root, "i_y").Digest; got != digest {
		t.Error("the digest changes with the scene's name")
	}

	one, two := filepath.Join(root, "i_y", "1.png"), filepath.Join(root, "i_y", "2.png")
	seen := map[string]string{digest: "the original"}
	for name, change := range map[string]func(){
		"an element": func() {
			put(t, filepath.Join(root, "i_y", "H_1_4"), []byte(strings.Replace(h, "-3.5", "-3.500001", 1)))
		},
		"two files swapped": func() {
			put(t, filepath.Join(root, "i_y", "H_1_4"), []byte("1 0 0.5\n0 1 -0.25\n0 0 1\n"))
			put(t, filepath.Join(root, "i_y", "H_1_5"), []byte(h))
		},
		"image 1":             func() { put(t, one, pngOf(picture(31, 21))) },
		"image 1 and 2 alike": func() { put(t, two, pngOf(picture(31, 21))) },
	} {
		change()
		got := mustOpen(t, root, "i_y").Digest
		if as, twice := seen[got]; twice {
			t.Errorf("with %s changed the digest is that of %s", name, as)
		}
		seen[got] = name
	}
}

func TestFaultyFilesAreNamed(t *testing.T) {
	whole := pngOf(picture(31, 20))
	for path, c := range map[string]struct {
		data []byte
		want string
	}{
		"H_1_3": {[]byte("1 0 0\n0 1\n0 0 1\n"), "v_x/H_1_3: line 3: ends after 8 numbers, want 9"},
		"H_1_6": {[]byte("1 0 0\n1 0 0\n0 0 1\n"), "v_x/H_1_6: homography is singular"},
		"H_1_2": {bytes.Repeat([]byte("1 0 0\n"), 20000), "v_x/H_1_2: larger than 64 KiB, the limit for such a file"},
		"4.png": {whole[:len(whole)-5], "v_x/4.png: the image file is truncated"},
		"5.png": {nil, "v_x/5.png: the file is empty, " + wanted},
	} {
		root := t.TempDir()
		putScene(t, root, "v_x")
		put(t, filepath.Join(root, "v_x", path), c.data)
		_, err := (Source{Root: root}).Open(t.Context(), "v_x", maxMegapixels)
		var fault *store.Fault
		if err == nil || err.Error() != c.want || !errors.As(err, &fault) {
			t.Errorf("error is %T %v, want *store.Fault %s", err, err, c.want)
		}
	}
}

func TestOpenTakesNamesOfFoldersOnly(t *testing.T) {
	root := t.TempDir()
	putScene(t, root, "v_x")
	for _, name := range []string{"", ".", "..", "../" + filepath.Base(root), "v_x/", "/v_x", "v_y"} {
		var fault *store.Fault
		if _, err := (Source{Root: root}).Open(t.Context(), name, maxMegapixels); !errors.As(err, &fault) {
			t.Errorf("opening %q gives %v, want a *store.Fault", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Source{Root: root}).Open(ctx, "v_x", maxMegapixels); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want context.Canceled", err)
	}
}

func TestOverlapIsTheShareOfImage1ThatIsVisible(t *testing.T) {
	s := &Scene{Images: slices.Repeat([]ImageFile{{Width: 100, Height: 80}}, 6)}
	if err := s.relate([]keypoints.Homography{
		keypoints.Identity,
		{1, 0, 30, 0, 1, 0, 0, 0, 1},    // x+30 ≤ 99: 70 columns of 100
		{2, 0, 0, 0, 2, 0, 0, 0, 1},     // 2x ≤ 99, 2y ≤ 79: 50×40 of 100×80
		{1, 0, 500, 0, 1, 0, 0, 0, 1},   // out of sight
		{-1, 0, 99, 0, 1, 0, 0, 0, 1},   // mirrored
		{1, 0, 0, 0, 1, 0, 0.02, 0, -1}, // infinity at x = 50
	}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1, 0.7, 0.25, 0, 1} {
		if got := must.Get(s.Overlap(i))(t); math.Abs(got-want) > 1e-12 {
			t.Errorf("overlap of image %d is %v, want %v", i+1, got, want)
		}
	}
	if got := must.Get(s.Overlap(5))(t); math.IsNaN(got) || got < 0 || got > 1 {
		t.Errorf("overlap across infinity is %v", got)
	}
}

func TestVerifyRefusesAHomographyThatShowsNothing(t *testing.T) {
	root := t.TempDir()
	putScene(t, root, "v_x")
	if _, overlap, err := verified(t, root); err != nil || overlap[0] != 1 || overlap[3] < 0.9 || overlap[3] >= 1 {
		t.Errorf("a good scene: overlap %v, %v", overlap, err)
	}
	put(t, filepath.Join(root, "v_x", "H_1_5"), []byte("1 0 1000\n0 1 0\n0 0 1\n"))
	_, _, err := verified(t, root)
	must.Fail(t, err, "v_x/H_1_5: maps less than 0.1 % of image 1 into image 5")
}

func verified(t *testing.T, root string) (*Scene, []float64, error) {
	s, err := (Source{Root: root}).Open(t.Context(), "v_x", maxMegapixels)
	if err != nil {
		return nil, nil, err
	}
	overlap, err := s.Verify(t.Context())
	return s, overlap, err
}
