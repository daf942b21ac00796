package dataset

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"descbench/eval/must"
)

// The limits of the tests' scenes.
const (
	maxMegapixels = 40
	maxPixels     = 40e6
)

// picture is a coloured pattern without symmetry.
func picture(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, color.RGBA{uint8(7*x + y*y), uint8(11 * y), uint8(x * y), 255})
		}
	}
	return img
}

func pngOf(img image.Image) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func jpegOf(img image.Image) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 90}); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func ppmOf(img *image.RGBA) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "P6\n%d %d\n255\n", img.Rect.Dx(), img.Rect.Dy())
	for i, v := range img.Pix {
		if i%4 != 3 {
			b.WriteByte(v)
		}
	}
	return b.Bytes()
}

// decoded returns the size of an image that decodes.
func decoded(data []byte) (width, height int, err error) {
	bgr, err := decode(data, maxPixels)
	if err != nil {
		return 0, 0, err
	}
	defer bgr.Close()
	return bgr.Cols(), bgr.Rows(), nil
}

// exif says how the camera was held: 1 is upright.
func exif(orientation byte) []byte {
	return []byte("II*\x00\x08\x00\x00\x00" + // little endian, first directory at 8
		"\x01\x00" + // one entry:
		"\x12\x01\x03\x00\x01\x00\x00\x00" + string(orientation) + "\x00\x00\x00" +
		"\x00\x00\x00\x00")
}

// withEXIF puts a segment behind the start of a JPEG: EXIF data and a thumbnail.
func withEXIF(file []byte, orientation byte, thumbnail []byte) []byte {
	body := slices.Concat([]byte(exifSignature), exif(orientation), thumbnail)
	out := []byte{0xff, 0xd8, 0xff, 0xe1}
	out = binary.BigEndian.AppendUint16(out, uint16(len(body)+2))
	return append(append(out, body...), file[2:]...)
}

func TestSizesAreReadFromEveryFormat(t *testing.T) {
	img := picture(37, 23)
	grey := image.NewGray(img.Rect)
	commented := bytes.Replace(ppmOf(img), []byte("P6\n37 23\n"), []byte("P6 # by a scanner\n#\n37\t23 "), 1)
	for name, data := range map[string][]byte{
		"png":              pngOf(img),
		"grey png":         pngOf(grey),
		"jpeg":             jpegOf(img),
		"grey jpeg":        jpegOf(grey),
		"progressive jpeg": encoded(t, img, ".jpg", gocv.IMWriteJpegProgressive, 1),
		"restarting jpeg":  encoded(t, img, ".jpg", gocv.IMWriteJpegRstInterval, 2),
		"jpeg with EXIF":   withEXIF(jpegOf(img), 1, jpegOf(picture(8, 4))),
		"ppm":              ppmOf(img),
		"commented ppm":    commented,
		"ppm of 16 bits":   append([]byte("P6 37 23 65535\n"), make([]byte, 37*23*6)...),
		"pgm":              append([]byte("P5\n37 23\n255\n"), make([]byte, 37*23)...),
		"trailing bytes":   append(ppmOf(img), "more"...),
		"padded jpeg":      append(jpegOf(img), 0, 0, 0),
	} {
		if w, h, err := decoded(data); w != 37 || h != 23 || err != nil {
			t.Errorf("%s: %dx%d, %v; want 37x23", name, w, h, err)
		}
		format := must.Get(formatOf(data))(t)
		if c := must.Get(format.size(data))(t); c.Width != 37 || c.Height != 23 {
			t.Errorf("%s: the header says %dx%d, want 37x23", name, c.Width, c.Height)
		}
	}
}

func TestWhatIsNoUsableImageIsRefused(t *testing.T) {
	whole := pngOf(picture(24, 20))
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-20] ^= 1
	animated := pngWith(whole, "acTL", "\x00\x00\x00\x02\x00\x00\x00\x00")
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":           {nil, "the file is empty, " + wanted},
		"text":            {[]byte("<html><body>404"), `begins with "<html><b", ` + wanted},
		"ASCII ppm":       {[]byte("P3\n1 1\n255\n1 2 3\n"), `begins with "P3\n1 1\n2", want a PNG`},
		"damaged png":     {flipped, "cannot decode the PNG: zlib: invalid checksum"},
		"png of nothing":  {[]byte(formats[0].magic + chunk("IHDR", size(24, 20)) + chunk("IEND", "")), "cannot decode the PNG: chunk out of order"},
		"png of few rows": {[]byte(formats[0].magic + chunk("IHDR", size(31, 20)) + chunk("IDAT", deflated(make([]byte, 200))) + chunk("IEND", "")), "cannot decode the PNG: not enough pixel data"},
		"huge png":        {[]byte(formats[0].magic + chunk("IHDR", size(1<<20, 1<<20)) + chunk("IDAT", "") + chunk("IEND", "")), "the image is 1048576x1048576 px, 1099511.6 megapixels, want at most 40 (dataset.max_megapixels)"},
		"impossible png":  {[]byte(formats[0].magic + chunk("IHDR", size(1<<31, 1)) + chunk("IDAT", "") + chunk("IEND", "")), "cannot decode the PNG: non-positive dimension"},
		"ppm of no width": {[]byte("P6\n0 20\n255\n"), "the image is 0x20 px, want at least 1x1"},
		"huge ppm":        {[]byte("P6\n1000000 1000000\n255\n"), "the image is 1000000x1000000 px, 1000000.0 megapixels, want at most 40"},
		"overflowing ppm": {[]byte("P6\n99999999999999999999 1\n255\n"), "the header begins with \"P6\\n999"},
		"ppm of 10 bits":  {[]byte("P6\n2 1\n1023\n123456789012"), "samples up to 1023, want 255 or 65535"},
		"ppm of words":    {[]byte("P6\nwide high\n255\n"), `the header begins with "P6\nwide high\n255\n", want width`},
		"cut ppm":         {[]byte("P6\n2 2\n255\n12345"), "the image file is truncated: 5 bytes of pixels, want 12"},
		"jpeg of nothing": {[]byte("\xff\xd8\xff\xd9"), "cannot decode the JPEG: JPEG datastream contains no image"},
		"CMYK jpeg":       {cmykJPEG(t), "cannot decode the JPEG: 4 colour channels (4 are CMYK), want 1 (grey) or 3"},
		"many scans":      {jpegOfManyScans(t), "cannot decode the JPEG: more than 100 scans"},
		"animated PNG":    {animated, "the PNG is animated, want a single image"},
		"broken jpeg":     {[]byte("\xff\xd8\xff\xe0\x00\x03ABC"), "the image file is truncated"},
	} {
		if _, _, err := decoded(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", name, err, c.want)
		}
	}
}

func deflated(data []byte) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(data) // into memory, which cannot fail
	z.Close()
	return b.String()
}

func chunk(kind, body string) string {
	sum := crc32.ChecksumIEEE([]byte(kind + body))
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(body)))) + kind + body + string(binary.BigEndian.AppendUint32(nil, sum))
}

// size is the body of IHDR for 8-bit RGB.
func size(w, h uint32) string {
	b := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	return string(b) + "\x08\x02\x00\x00\x00"
}
