package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"descbench/eval/fact"
	"descbench/eval/must"
)

// encoded is an image as the library that other programs use writes it: libjpeg,
// by OpenCV.
func encoded(t *testing.T, img image.Image, ext string, params ...int) []byte {
	t.Helper()
	bgr := must.Get(gocv.ImageToMatRGB(img))(t)
	defer bgr.Close()
	b := must.Get(gocv.IMEncodeWithParams(gocv.FileExt(ext), bgr, params))(t)
	defer b.Close()
	return bytes.Clone(b.GetBytes())
}

func TestEveryTruncationOfEveryFormatIsNoticed(t *testing.T) {
	img := picture(40, 36)
	for name, data := range map[string][]byte{
		"png":              pngOf(img),
		"ppm":              ppmOf(img),
		"jpeg":             jpegOf(img),
		"progressive jpeg": encoded(t, img, ".jpg", gocv.IMWriteJpegProgressive, 1),
		"restarting jpeg":  encoded(t, img, ".jpg", gocv.IMWriteJpegRstInterval, 1),
		"jpeg with EXIF":   withEXIF(jpegOf(img), 1, jpegOf(picture(8, 4))),
	} {
		for n := range len(data) {
			_, _, err := decoded(data[:n])
			if err == nil {
				t.Errorf("%s: cut to %d of %d bytes it counts as complete", name, n, len(data))
			} else if n > 80 && !errors.Is(err, errTruncated) {
				t.Errorf("%s: cut to %d of %d bytes: %v, want that it is truncated", name, n, len(data), err)
			}
		}
	}
}

// The EXIF orientation is refused by one rule, wherever a format has it: 1 is upright, 2 to
// 8 are turned or mirrored (CIPA DC-008, Exif 2.3, section 4.6.4). The files are put
// together here, as the formats' specifications say.
func TestTurnedImagesAreRefused(t *testing.T) {
	img := picture(24, 20)
	png, jpeg := pngOf(img), jpegOf(img)
	big := func(o byte) []byte { // the same in the other order of bytes
		return []byte("MM\x00*\x00\x00\x00\x08" + "\x00\x01" + "\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(o) + "\x00\x00" + "\x00\x00\x00\x00")
	}
	for o := byte(1); o <= 8; o++ {
		for name, data := range map[string][]byte{
			"PNG":              pngWith(png, "eXIf", string(exif(o))),
			"PNG, big endian":  pngWith(png, "eXIf", string(big(o))),
			"JPEG":             withEXIF(jpeg, o, nil),
			"JPEG, big endian": slices.Concat(jpeg[:2], []byte("\xff\xe1\x00\x22Exif\x00\x00"), big(o), jpeg[2:]),
		} {
			format, _, _ := strings.Cut(name, ",")
			want := fmt.Sprintf("the %s is stored turned or mirrored (orientation %d), want orientation 1: homographies refer to pixels as stored; if these do, remove the tag (exiftool -Orientation= FILE), else turn the pixels", format, o)
			if _, _, err := decoded(data); (err == nil) != (o == 1) || err != nil && err.Error() != want {
				t.Errorf("%s, orientation %d: error is %v", name, o, err)
			}
		}
	}
}

// pngWith puts a chunk behind the header of a PNG.
func pngWith(png []byte, kind, content string) []byte {
	return slices.Concat(png[:33], []byte(chunk(kind, content)), png[33:])
}

// The decoders must not write outside of their memory, loop, or take more than the
// limit of pixels allows, whatever a header says.
func FuzzDecodeFormats(f *testing.F) {
	bgr := must.Get(gocv.ImageToMatRGB(picture(34, 33)))(f)
	defer bgr.Close()
	for _, ext := range []string{".jpg", ".png", ".ppm"} {
		b := must.Get(gocv.IMEncodeWithParams(gocv.FileExt(ext), bgr, []int{1, 95}))(f)
		f.Add(bytes.Clone(b.GetBytes()))
		b.Close()
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bgr, err := decode(data, 1e5); err == nil {
			if bgr.Total() < 1 || bgr.Total() > 1e5 {
				t.Errorf("%dx%d px pass", bgr.Cols(), bgr.Rows())
			}
			bgr.Close()
		}
	})
}

// A scene in the layout of Oxford, in any mixture of formats, is the scene.
func TestTheOxfordLayoutIsTheSameScene(t *testing.T) {
	hpatches, oxford := t.TempDir(), t.TempDir()
	putScene(t, hpatches, "street")
	for k := 1; k <= 6; k++ {
		n := string(rune('0' + k))
		data := must.Get(os.ReadFile(filepath.Join(hpatches, "street", n+".png")))(t)
		put(t, filepath.Join(oxford, "street", "img"+n+".PPM"), data)
		if k > 1 {
			put(t, filepath.Join(oxford, "street", "H1to"+n+"p"), []byte("1, 0, 0.5,\n0, 1, -0.25,\n0, 0, 1\n"))
		}
	}
	a, b := mustOpen(t, hpatches, "street"), mustOpen(t, oxford, "street")
	if a.Digest != b.Digest || len(b.Images) != 6 || b.Images[5].File != "img6.PPM" {
		t.Errorf("digests %s and %s, images %v", a.Digest, b.Digest, b.Images)
	}
}

func TestScenesHaveTwoOrMoreImages(t *testing.T) {
	for _, c := range []struct {
		name   string
		images int
		want   string
	}{
		{"pair", 2, ""},
		{"long", 31, ""},
		{"single", 1, "single: missing image 2, H_1_2"},
		{"v_dogman", 5, "v_dogman: missing image 6, H_1_6"}, // HPatches has six
		{"v_own", 5, ""},
	} {
		root := t.TempDir()
		for k := 1; k <= c.images; k++ {
			n := strconv.Itoa(k)
			put(t, filepath.Join(root, c.name, n+".png"), pngOf(picture(30+k, 20)))
			if k > 1 {
				put(t, filepath.Join(root, c.name, "H_1_"+n), []byte("1 0 0.5 0 1 -0.25 0 0 1"))
			}
		}
		s, err := (Source{Root: root}).Open(t.Context(), c.name, maxMegapixels)
		if c.want != "" {
			must.Fail(t, err, c.want)
			continue
		}
		if err != nil || len(s.Images) != c.images || len(s.mappings) != c.images {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestFilesUnderNamesThatAreNotReadAreNamed(t *testing.T) {
	root := t.TempDir()
	putScene(t, root, "street")
	dir := filepath.Join(root, "street")
	for from, to := range map[string]string{"2.png": "2.heic", "4.png": "4", "H_1_3": "H_1_3.txt", "H_1_5": "H1to5"} {
		must.Do(t, os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)))
	}
	must.Do(t, os.Remove(filepath.Join(dir, "H_1_2")))
	_, err := (Source{Root: root}).Open(t.Context(), "street", maxMegapixels)
	want := "street: missing H_1_2; cannot read 2.heic, 4, want an image with the extension .ppm, .pgm, .pnm, .png, .jpg, .jpeg (ImageMagick: convert FILE FILE.png); cannot read H_1_3.txt, H1to5, want a name such as H_1_2 or H1to2p"
	must.Fail(t, err, want)

	putScene(t, root, "road")
	dir = filepath.Join(root, "road")
	for stray, want := range map[string]string{
		"107.png":  "road: missing image 7, image 8,",
		"2014.png": "road: found image 2014, want at most 1000 images in a scene",
	} {
		put(t, filepath.Join(dir, stray), nil)
		_, err := (Source{Root: root}).Open(t.Context(), "road", maxMegapixels)
		if must.FailAbout(t, err, want); len(err.Error()) > 300 {
			t.Errorf("a stray number gives %d bytes of text", len(err.Error()))
		}
		must.Do(t, os.Remove(filepath.Join(dir, stray)))
	}
	for _, name := range []string{"H2.txt", "img00.jpg", "preview.JPG", "notes.txt", ".hidden.png", "habc"} {
		put(t, filepath.Join(dir, name), nil)
	}
	if told := fact.Only(mustOpen(t, root, "road").Facts, fact.UnreadFiles); len(told) != 1 || !slices.Equal(told[0].Names["files"], []string{"H2.txt", "img00.jpg", "preview.JPG"}) {
		t.Errorf("a whole scene: %v", told)
	}
	for _, c := range [][2]string{
		{"3.png", "road: not used: H2.txt, img00.jpg, preview.JPG; images are numbered from 1, and their homographies are called H_1_2, H_1_3, …; missing image 3"},
		{"img00.jpg", "road: not used: H2.txt, preview.JPG; images are numbered from 1, and their homographies are called H_1_2, H_1_3, …; missing image 3"},
	} {
		must.Do(t, os.Remove(filepath.Join(dir, c[0])))
		_, err := (Source{Root: root}).Open(t.Context(), "road", maxMegapixels)
		must.Fail(t, err, c[1])
	}
	for name, want := range map[string]bool{"H1.txt": true, "H_0_1": true, "H0to1p": true, "h-02": true, "homography_1.txt": true, "Homography1": true, "H.txt": false, "H1a2b": false, "hist.txt": false, "SHA256SUMS": false, "1b.png": true} {
		if got := meantAsPart(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
