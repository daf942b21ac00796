package dataset

import (
	"bytes"
	"encoding/binary"
	"slices"
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
		"progressive": encoded(t, img, ".jpg", gocv.IMWriteJpegProgressive, 1),
		"restarting":  encoded(t, img, ".jpg", gocv.IMWriteJpegRstInterval, 4),
	} {
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
			_, _, err := decoded(data)
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
	_, _, err := verified(t, root)
	if err == nil || err.Error() != "v_x/1.png: cannot decode the JPEG: premature end of data segment" {
		t.Errorf("error is %v", err)
	}
}

func TestKindsOfImagesWithoutOneMeaningAreRefused(t *testing.T) {
	img := picture(24, 20)
	cmyk := jpegOf(img)
	frame := frameHeight(t, cmyk) + 4
	cmyk = slices.Insert(cmyk, frame+10, 4, 0x11, 0)
	cmyk[frame-7+1], cmyk[frame] = 8+4*3, 4
	scans := encoded(t, img, ".jpg", gocv.IMWriteJpegProgressive, 1)
	at := bytes.Index(scans, []byte{0xff, 0xda})
	first := bytes.Clone(scans[at : at+bytes.Index(scans[at:], []byte{0xff, 0xc4})])
	first[13] = 0 // all bits at once, which may come again
	many := append(bytes.Clone(scans[:at]), bytes.Repeat(first, 101)...)
	plain := pngOf(img)
	animated := append(bytes.Clone(plain[:33]), chunk("acTL", "\x00\x00\x00\x02\x00\x00\x00\x00")...)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"CMYK":         {cmyk, "cannot decode the JPEG: 4 colour channels (4 are CMYK), want 1 (grey) or 3"},
		"many scans":   {append(many, 0xff, 0xd9), "cannot decode the JPEG: more than 100 scans"},
		"animated PNG": {append(animated, plain[33:]...), "the PNG is animated, want a single image"},
	} {
		if _, _, err := decoded(c.data); err == nil || err.Error() != c.want {
			t.Errorf("%s: error is %v, want %s", name, err, c.want)
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
