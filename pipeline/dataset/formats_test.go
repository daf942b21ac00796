package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gocv.io/x/gocv"
	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
)

// encoded is an image as the libraries that other programs use write it: libtiff,
// libwebp and OpenJPEG, by OpenCV.
func encoded(t *testing.T, img image.Image, ext string, params ...int) []byte {
	t.Helper()
	bgr, err := gocv.ImageToMatRGB(img)
	if err != nil {
		t.Fatal(err)
	}
	defer bgr.Close()
	b, err := gocv.IMEncodeWithParams(gocv.FileExt(ext), bgr, params)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	return bytes.Clone(b.GetBytes())
}

func tiffOf(t *testing.T, img image.Image, compression tiff.CompressionType) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := tiff.Encode(&b, img, &tiff.Options{Compression: compression}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func bmpOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := bmp.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	webpQuality    = 64 // above 100: lossless
	jp2Compression = 272
	compressionOf  = 259 // of a TIFF
)

// losslessOf returns a picture in every lossless format.
func losslessOf(t *testing.T, img *image.RGBA) map[string][]byte {
	return map[string][]byte{
		"png":             pngOf(img),
		"ppm":             ppmOf(img),
		"bmp":             encoded(t, img, ".bmp", 1, 95),
		"bmp of Go":       bmpOf(t, img),
		"tiff":            encoded(t, img, ".tif", compressionOf, 1),
		"tiff, LZW":       encoded(t, img, ".tif", compressionOf, 5),
		"tiff, Deflate":   encoded(t, img, ".tiff", compressionOf, 8),
		"tiff, PackBits":  encoded(t, img, ".tiff", compressionOf, 32773),
		"webp, lossless":  encoded(t, img, ".webp", webpQuality, 101),
		"jp2, reversible": encoded(t, img, ".jp2", jp2Compression, 1000),
	}
}

func TestEveryLosslessFormatGivesTheSamePixels(t *testing.T) {
	img := picture(47, 33)
	var want []byte
	for i := 0; i < len(img.Pix); i += 4 {
		want = append(want, img.Pix[i+2], img.Pix[i+1], img.Pix[i])
	}
	for name, data := range losslessOf(t, img) {
		if w, h, err := inspect(data, maxPixels); w != 47 || h != 33 || err != nil {
			t.Errorf("%s: %dx%d, %v; want 47x33", name, w, h, err)
		} else if got := pixels(t, data, 47, 33); !bytes.Equal(got, want) {
			t.Errorf("%s: other pixels", name)
		}
		path := filepath.Join(t.TempDir(), "1")
		put(t, path, data)
		if n := headerPixels(path); n != 47*33 {
			t.Errorf("%s: the header says %d pixels, want %d", name, n, 47*33)
		}
	}
}

func TestGreyAndPalettesAreTheSameInEveryFormat(t *testing.T) {
	grey := image.NewGray(image.Rect(0, 0, 21, 10))
	palette := image.NewPaletted(grey.Rect, color.Palette{color.Gray{200}, color.Gray{7}, color.Gray{90}})
	for i := range grey.Pix {
		palette.Pix[i] = uint8(i % 3)
		grey.Pix[i] = palette.Palette[i%3].(color.Gray).Y
	}
	pgm := append([]byte("P5\n21 10\n255\n"), grey.Pix...)
	want := pixels(t, pngOf(grey), 21, 10)
	for name, data := range map[string][]byte{
		"pgm": pgm, "bmp": bmpOf(t, grey), "bmp, palette": bmpOf(t, palette),
		"tiff": tiffOf(t, grey, tiff.Uncompressed), "tiff, palette": tiffOf(t, palette, tiff.Deflate),
	} {
		if _, _, err := inspect(data, maxPixels); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := pixels(t, data, 21, 10); !bytes.Equal(got, want) {
			t.Errorf("%s: other pixels", name)
		}
	}
}

// In PBM, 1 is black and the rows begin on byte boundaries (netpbm, pbm(5)).
func TestBitmapsAreBlackWhereTheyAreOne(t *testing.T) {
	data := []byte("P4\n# two rows\n10 2\n\x0f\x40\xaa\x80")
	if w, h, err := inspect(data, maxPixels); w != 10 || h != 2 || err != nil {
		t.Fatalf("%dx%d, %v; want 10x2", w, h, err)
	}
	got := pixels(t, data, 10, 2)
	for i, bit := range "00001111011010101010" {
		if want := uint8(255 * ('1' - bit)); got[3*i] != want {
			t.Errorf("pixel %d is %d, want %d", i, got[3*i], want)
		}
	}
}

func TestEveryTruncationOfEveryFormatIsNoticed(t *testing.T) {
	img := picture(40, 36)
	files := losslessOf(t, img)
	files["webp"] = encoded(t, img, ".webp", webpQuality, 80)
	files["jp2"] = encoded(t, img, ".jp2", jp2Compression, 300)
	files["pbm"] = []byte("P4\n10 2\n\x0f\x40\xaa\x80")
	for name, data := range files {
		for n := range len(data) {
			_, _, err := inspect(data[:n], maxPixels)
			if err == nil {
				var bgr gocv.Mat
				if bgr, err = decode(data[:n], 40, 36); err == nil {
					bgr.Close()
				}
			}
			// Behind the pixels, TIFF may have text, BMP nothing.
			if err == nil {
				t.Errorf("%s: cut to %d of %d bytes it counts as complete", name, n, len(data))
			} else if n > 80 && !errors.Is(err, errTruncated) {
				t.Errorf("%s: cut to %d of %d bytes: %v, want that it is truncated", name, n, len(data), err)
			}
		}
	}
}

// Deflate has a checksum. libtiff, as OpenCV calls it, ignores it.
func TestDamageInATIFFIsNoticed(t *testing.T) {
	noise := image.NewRGBA(image.Rect(0, 0, 64, 64))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(random.Uint32())
	}
	whole := encoded(t, noise, ".tif", compressionOf, 8)
	at := 8 + len(whole)/4
	data := bytes.Clone(whole)
	data[at] ^= 0x10
	width, height, err := inspect(data, maxPixels)
	if err != nil {
		t.Fatal(err)
	}
	if bgr, err := decode(data, width, height); err == nil || !strings.HasPrefix(err.Error(), "damaged TIFF: ") {
		bgr.Close()
		t.Errorf("error is %v, want that the TIFF is damaged", err)
	}
}

func TestSixteenBitsKeepTheirHighByteInTIFFToo(t *testing.T) {
	deep := image.NewGray16(image.Rect(0, 0, 7, 5))
	for i := range deep.Pix {
		deep.Pix[i] = uint8(37 * i)
	}
	if got, want := pixels(t, tiffOf(t, deep, tiff.Uncompressed), 7, 5), pixels(t, pngOf(deep), 7, 5); !bytes.Equal(got, want) {
		t.Errorf("pixels are %v, of the PNG %v", got, want)
	}
}

// setTIFF changes the value of a field of a little-endian TIFF.
func setTIFF(t *testing.T, data []byte, tag, value uint16) []byte {
	t.Helper()
	data = bytes.Clone(data)
	at := int(binary.LittleEndian.Uint32(data[4:]))
	for entry := data[at+2:]; len(entry) >= 12; entry = entry[12:] {
		if binary.LittleEndian.Uint16(entry) == tag {
			binary.LittleEndian.PutUint16(entry[8:], value)
			return data
		}
	}
	t.Fatalf("no field %d", tag)
	return nil
}

func TestFormatsWhosePixelsHaveNoSingleMeaningAreRefused(t *testing.T) {
	img := picture(40, 36)
	grey := image.NewGray(img.Rect)
	plain := tiffOf(t, grey, tiff.Uncompressed)
	ofColour := encoded(t, img, ".tif", compressionOf, 1)
	pages := bytes.Clone(plain)
	at := int(binary.LittleEndian.Uint32(plain[4:]))
	binary.LittleEndian.PutUint32(pages[at+2+12*int(binary.LittleEndian.Uint16(plain[at:])):], 8)
	masks := bmpOf(t, img)
	masks[30] = 3
	palette := bmpOf(t, img)
	palette[28] = 4
	early := bmpOf(t, img) // OpenCV reads 0 as the start of the file, PIL refuses it
	early[10] = 0
	uncoloured := bmpOf(t, grey) // whose pixels begin where the palette should
	uncoloured[10], uncoloured[11] = 54, 0
	lossless := encoded(t, img, ".webp", webpQuality, 101)
	animated := append(bytes.Clone(lossless), "ANMF\x00\x00\x00\x00"...)
	binary.LittleEndian.PutUint32(animated[4:], uint32(len(animated)-8))
	jp2 := encoded(t, img, ".jp2", jp2Compression, 1000)
	deep := bytes.Clone(jp2)
	siz := bytes.Index(deep, []byte(jp2kCodestream))
	deep[siz+42] = 15
	halved := bytes.Clone(jp2)
	halved[siz+46] = 2
	huge := bytes.Clone(jp2)
	binary.BigEndian.PutUint32(huge[siz+8:], 1<<20)
	binary.BigEndian.PutUint32(huge[siz+12:], 1<<20)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"ASCII pgm":      {[]byte("P2\n1 1\n255\n1\n"), "the image is ASCII (P2), want it binary (P5)"},
		"PAM":            {[]byte("P7\nWIDTH 1\n"), `begins with "P7\nWIDTH", want a PNG`},
		"BigTIFF":        {[]byte("II+\x00\x08\x00\x00\x00"), `begins with "II+\x00\b\x00\x00\x00", want a PNG`},
		"alpha":          {tiffOf(t, img, tiff.Uncompressed), "the TIFF has 4 samples per pixel (4 are alpha or CMYK), want 1 (grey) or 3 (RGB)"},
		"Lab":            {setTIFF(t, ofColour, tiffPhotometric, 8), "the TIFF has 3 samples per pixel of colour model 8, want grey (0 or 1), RGB (2) or a palette (3)"},
		"CCITT":          {setTIFF(t, plain, tiffCompression, 4), "the TIFF has compression 4, want none (1), LZW (5), Deflate (8) or PackBits (32773)"},
		"bilevel":        {setTIFF(t, plain, tiffBits, 1), "the TIFF has samples of [1] bits, want 8 or 16"},
		"planes":         {setTIFF(t, ofColour, tiffPlanar, 2), "the TIFF stores colours in separate planes, want them together"},
		"pages":          {pages, "the TIFF has several pages, want a single image"},
		"bmp with masks": {masks, "the BMP has 24 bits per pixel and compression 3, want 8, 24 or 32 bits and no compression (0)"},
		"bmp of 4 bits":  {palette, "the BMP has 4 bits per pixel and compression 0, want 8, 24 or 32 bits"},
		"old bmp":        {append([]byte("BM\x1e\x00\x00\x00\x00\x00\x00\x00\x1a\x00\x00\x00\x0c"), make([]byte, 30)...), "the BMP has a header of 12 bytes, want at least 40"},
		"bmp, offset 0":  {early, "damaged: the pixels of the BMP begin at byte 0, in its header or palette, which end at byte 54"},
		"no palette":     {uncoloured, "damaged: the pixels of the BMP begin at byte 54, in its header or palette, which end at byte 1078"},
		"animated webp":  {animated, "the WebP is animated, want a single image"},
		"webp of noise":  {[]byte("RIFF\x0c\x00\x00\x00WEBPVP8 \x00\x00\x00\x00"), "damaged: "},
		"jp2 of 16 bits": {deep, "the JPEG 2000 image has samples of 16 bits, want 8 without sign"},
		"chroma of half": {halved, "the JPEG 2000 image has subsampled channels, want all at full size"},
		"huge jp2":       {huge, "the image is 1048576x1048576 px, 1099511.6 megapixels, want at most 40 (dataset.max_megapixels)"},
	} {
		if _, _, err := inspect(c.data, maxPixels); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", name, err, c.want)
		}
	}
}

func TestATurnedTIFFIsRefused(t *testing.T) {
	data := encoded(t, picture(24, 20), ".tif", compressionOf, 1)
	d, err := readTIFF(data)
	if err != nil {
		t.Fatal(err)
	}
	if !d.has(tiffOrientation) { // take the place of a field that nothing needs
		data = bytes.Clone(data)
		at := int(binary.LittleEndian.Uint32(data[4:]))
		for entry := data[at+2:]; ; entry = entry[12:] {
			if tag := binary.LittleEndian.Uint16(entry); tag == tiffPlanar || tag == 278 {
				copy(entry, "\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00")
				break
			}
		}
	} else {
		data = setTIFF(t, data, tiffOrientation, 6)
	}
	if _, _, err := inspect(data, maxPixels); err == nil || err.Error() != "the TIFF is stored turned or mirrored (orientation 6), want orientation 1: homographies refer to pixels as stored" {
		t.Errorf("error is %v", err)
	}
}

// The decoders must not write outside of their memory, loop, or take more than the
// limit of pixels allows, whatever inspect lets pass.
func FuzzDecodeFormats(f *testing.F) {
	bgr, err := gocv.ImageToMatRGB(picture(34, 33))
	if err != nil {
		f.Fatal(err)
	}
	defer bgr.Close()
	for _, ext := range []string{".tif", ".webp", ".jp2", ".bmp"} {
		b, err := gocv.IMEncodeWithParams(gocv.FileExt(ext), bgr, []int{1, 95})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(bytes.Clone(b.GetBytes()))
		b.Close()
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		width, height, err := inspect(data, 1e5)
		if err != nil {
			return
		}
		if width < 1 || height < 1 || width > 1e5/height {
			t.Errorf("%dx%d px pass", width, height)
		}
		if bgr, err := decode(data, width, height); err == nil {
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
		data, err := os.ReadFile(filepath.Join(hpatches, "street", n+".png"))
		if err != nil {
			t.Fatal(err)
		}
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

func TestScenesHaveTwoToTwentyImages(t *testing.T) {
	for _, c := range []struct {
		name   string
		images int
		want   string
	}{
		{"pair", 2, ""},
		{"long", 20, ""},
		{"longer", 21, "longer: found image 21, want at most 20 images in a scene"},
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
		s, err := Open(t.Context(), root, c.name, maxMegapixels)
		if c.want != "" {
			if err == nil || err.Error() != c.want {
				t.Errorf("%s: error is %v, want %s", c.name, err, c.want)
			}
			continue
		}
		if err != nil || len(s.Images) != c.images || len(s.Homographies) != c.images {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestFilesUnderNamesThatAreNotReadAreNamed(t *testing.T) {
	root := t.TempDir()
	putScene(t, root, "street")
	dir := filepath.Join(root, "street")
	for from, to := range map[string]string{"2.png": "2.heic", "4.png": "4", "H_1_3": "H_1_3.txt", "H_1_5": "H1to5"} {
		if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "H_1_2")); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), root, "street", maxMegapixels)
	want := "street: missing H_1_2; cannot read 2.heic, 4, want an image with the extension .ppm, .pgm, .pbm, .pnm, .png, .jpg, .jpeg, .bmp, .tif, .tiff, .webp or .jp2; cannot read H_1_3.txt, H1to5, want a name such as H_1_2 or H1to2p"
	if err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
}
