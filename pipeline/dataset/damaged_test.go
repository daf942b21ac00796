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

// cmykJPEG is a JPEG whose header has a fourth channel.
func cmykJPEG(t *testing.T) []byte {
	file := jpegOf(picture(24, 20))
	frame := frameHeight(t, file) + 4
	file = slices.Insert(file, frame+10, 4, 0x11, 0)
	file[frame-7+1], file[frame] = 8+4*3, 4
	return file
}

func jpegOfManyScans(t *testing.T) []byte {
	scans := encoded(t, picture(24, 20), ".jpg", gocv.IMWriteJpegProgressive, 1)
	at := bytes.Index(scans, []byte{0xff, 0xda})
	first := bytes.Clone(scans[at : at+bytes.Index(scans[at:], []byte{0xff, 0xc4})])
	first[13] = 0 // all bits at once, which may come again
	return slices.Concat(scans[:at], bytes.Repeat(first, 101), []byte{0xff, 0xd9})
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

func TestOnePixelIsAnImage(t *testing.T) {
	for name, data := range map[string][]byte{"png": pngOf(picture(1, 1)), "jpeg": jpegOf(picture(1, 1)), "ppm": ppmOf(picture(1, 1))} {
		if w, h, err := decoded(data); w != 1 || h != 1 || err != nil {
			t.Errorf("%s: %dx%d, %v; want 1x1", name, w, h, err)
		}
	}
}
