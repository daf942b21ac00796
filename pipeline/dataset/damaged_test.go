package dataset

import (
	"bytes"
	"encoding/binary"
	"image"
	"strings"
	"testing"

	"gocv.io/x/gocv"
)

// frameHeight returns where the height of a JPEG is stored.
func frameHeight(t *testing.T, file []byte) int {
	t.Helper()
	for _, sof := range []byte{0xc0, 0xc2} {
		if at := bytes.Index(file, []byte{0xff, sof}); at > 0 {
			return at + 5
		}
	}
	t.Fatal("no frame")
	return 0
}

// Some of these decode to grey, others to shifted pixels, and OpenCV says
// nothing about any.
func TestDamagedJPEGsAreErrors(t *testing.T) {
	img := picture(160, 120)
	for name, whole := range map[string][]byte{
		"baseline":    jpegOf(img),
		"progressive": openCVJPEG(t, img, gocv.IMWriteJpegProgressive, 1),
		"restarting":  openCVJPEG(t, img, gocv.IMWriteJpegRstInterval, 4),
	} {
		if err := checkJPEG(whole); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		n := len(whole)
		taller := bytes.Clone(whole)
		binary.BigEndian.PutUint16(taller[frameHeight(t, whole):], 240)
		lower := bytes.Clone(whole)
		binary.BigEndian.PutUint16(lower[frameHeight(t, whole):], 64)
		zeroed := bytes.Clone(whole)
		clear(zeroed[n/2 : n/2+300])
		for damage, data := range map[string][]byte{
			"twice the height": taller,
			"half the height":  lower,
			"bytes zeroed":     zeroed,
			"bytes missing":    append(bytes.Clone(whole[:n/2]), whole[n/2+700:]...),
			"the end missing":  append(bytes.Clone(whole[:n*3/4]), 0xff, 0xd9),
		} {
			width, height, err := inspect(data, maxPixels)
			if err == nil {
				var bgr gocv.Mat
				if bgr, err = decode(data, width, height); err == nil {
					bgr.Close()
				}
			}
			if err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s, %s: error is %v, want one line", name, damage, err)
			}
		}
	}
}

func TestADamagedJPEGIsNamed(t *testing.T) {
	root := t.TempDir()
	putScene(t, root, "v_x")
	file := jpegOf(picture(31, 20))
	binary.BigEndian.PutUint16(file[frameHeight(t, file):], 40)
	put(t, root+"/v_x/1.png", file) // the content counts, not the extension
	_, _, err := Verify(t.Context(), root, "v_x", maxMegapixels)
	if err == nil || err.Error() != "v_x/1.png: damaged JPEG: premature end of data segment" {
		t.Errorf("error is %v", err)
	}
}

func TestKindsOfImagesWithoutOneMeaningAreRefused(t *testing.T) {
	img := picture(24, 20)
	cmyk := jpegOf(img)
	cmyk[frameHeight(t, cmyk)+4] = 4
	scans := jpegOf(img)
	at := bytes.Index(scans, []byte{0xff, 0xda})
	many := append(bytes.Clone(scans[:at]), bytes.Repeat(scans[at:len(scans)-2], 101)...)
	plain := pngOf(img)
	animated := append(bytes.Clone(plain[:33]), chunk("acTL", "\x00\x00\x00\x02\x00\x00\x00\x00")...)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"CMYK":         {cmyk, "the JPEG has 4 colour channels (4 are CMYK), want 1 (grey) or 3"},
		"many scans":   {append(many, 0xff, 0xd9), "the JPEG has more than 100 scans"},
		"animated PNG": {append(animated, plain[33:]...), "the PNG is animated, want a single image"},
	} {
		if _, _, err := inspect(c.data, maxPixels); err == nil || err.Error() != c.want {
			t.Errorf("%s: error is %v, want %s", name, err, c.want)
		}
	}
}

// 16-bit samples keep their high byte, as in OpenCV with libpng.
func TestSixteenBitsAreReducedToEight(t *testing.T) {
	deep := image.NewRGBA64(image.Rect(0, 0, 7, 5))
	for i := range deep.Pix {
		deep.Pix[i] = uint8(37 * i)
	}
	for i := 6; i < len(deep.Pix); i += 8 {
		deep.Pix[i], deep.Pix[i+1] = 255, 255 // opaque
	}
	got := pixels(t, pngOf(deep), 7, 5)
	for i := range 7 * 5 {
		for c := range 3 {
			if want := deep.Pix[8*i+2*(2-c)]; got[3*i+c] != want {
				t.Fatalf("pixel %d, channel %d is %d, want %d", i, c, got[3*i+c], want)
			}
		}
	}
}

func TestOnePixelIsAnImage(t *testing.T) {
	for name, data := range map[string][]byte{"png": pngOf(picture(1, 1)), "jpeg": jpegOf(picture(1, 1)), "ppm": ppmOf(picture(1, 1))} {
		if got := pixels(t, data, 1, 1); len(got) != 3 {
			t.Errorf("%s: %d bytes, want 3", name, len(got))
		}
	}
}

// libjpeg must not write outside its memory, loop or take more memory than the
// limit of pixels allows, whatever inspect lets pass.
func FuzzDecodeJPEG(f *testing.F) {
	f.Add(jpegOf(picture(9, 7)))
	grey := image.NewGray(image.Rect(0, 0, 17, 3))
	f.Add(jpegOf(grey))
	f.Fuzz(func(t *testing.T, data []byte) {
		width, height, err := inspect(data, 1e5)
		if err != nil || !isJPEG(data) {
			return
		}
		if bgr, err := decode(data, width, height); err == nil {
			bgr.Close()
		}
	})
}
