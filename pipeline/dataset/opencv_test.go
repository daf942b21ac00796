package dataset

import (
	"archive/zip"
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"descbench/eval/must"
)

// testdata/opencv.py wrote the images and the digests of what cv2 reads in them. Of 16 bits,
// OpenCV too keeps the high byte.
func TestPixelsAreThoseOfOpenCV(t *testing.T) {
	refused := map[string]bool{"bitmap 1.pnm": true, "bitmap 7.pnm": true, "bitmap 8.pnm": true, "bitmap 23.pnm": true}
	archive := must.Get(zip.OpenReader("testdata/opencv.zip"))(t)
	defer archive.Close()
	table := must.Get(os.Open("testdata/opencv.txt"))(t)
	defer table.Close()
	rows := bufio.NewScanner(table)
	n := 0
	for ; rows.Scan(); n++ {
		row := strings.SplitN(rows.Text(), " ", 4)
		name := row[3]
		file := must.Get(archive.Open(name))(t)
		data := must.Get(io.ReadAll(file))(t)
		bgr, err := decode(data, maxPixels)
		if refused[name] && err != nil {
			continue
		} else if err != nil || refused[name] {
			t.Errorf("%s: error is %v", name, err)
			continue
		}
		sum := sha256.Sum256(bgr.ToBytes())
		if got := []string{hex.EncodeToString(sum[:]), strconv.Itoa(bgr.Cols()), strconv.Itoa(bgr.Rows())}; strings.Join(got, " ") != strings.Join(row[:3], " ") {
			t.Errorf("%s: pixels are %v, cv2's %v", name, got, row[:3])
		}
		bgr.Close()
	}
	if n != len(archive.File) {
		t.Errorf("%d rows for %d images", n, len(archive.File))
	}
}
