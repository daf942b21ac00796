package store

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/keypoints"
	"descbench/keypoints/openfile/boundtest"
)

// Names become paths wherever a set is exported or derived from.
func TestAKeypointFileWhoseNamesLeadElsewhereIsRefused(t *testing.T) {
	scene := func(name, image string, images int) KeypointScene {
		s := KeypointScene{Name: name}
		for range images {
			s.Images = append(s.Images, KeypointImage{File: image})
		}
		return s
	}
	for want, s := range map[string]KeypointScene{
		`scene "../../outside", want the name of a folder`:  scene("../../outside", "1.png", 6),
		`scene "..", want the name of a folder`:             scene("..", "1.png", 6),
		`scene "", want the name of a folder`:               scene("", "1.png", 6),
		`scene "/etc", want the name of a folder`:           scene("/etc", "1.png", 6),
		`scene "a\nb", want the name of a folder`:           scene("a\nb", "1.png", 6),
		`v_a, image 1: "../1.png", want the name of a file`: scene("v_a", "../1.png", 6),
		`v_a, image 1: "a\\1.png", want the name of a file`: scene("v_a", `a\1.png`, 6),
		"": scene("v_ä <script>", "1.png", 6),
	} {
		path := filepath.Join(t.TempDir(), "set.parquet")
		w, err := CreateKeypointFile(path, KeypointHeader{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(s, make([]keypoints.Set, len(s.Images))); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := OpenKeypointFile(path)
		if err == nil {
			f.Close()
		}
		if want == "" && err != nil || want != "" && (!errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error %v, want %q", s.Name, err, want)
		}
	}
}

func FuzzKeypointFile(f *testing.F) {
	path := filepath.Join(f.TempDir(), "set.parquet")
	w, err := CreateKeypointFile(path, KeypointHeader{Recipe: []string{"a"}})
	if err != nil {
		f.Fatal(err)
	}
	points := keypoints.Set{Keypoints: make([]keypoints.Keypoint, 10), Source: make([]int32, 10)}
	scene := KeypointScene{Name: "a"}
	for i := range 6 {
		scene.Images = append(scene.Images, KeypointImage{File: fmt.Sprintf("%d.png", i+1)})
	}
	if err := w.Add(scene, []keypoints.Set{{Keypoints: points.Keypoints}, points, points, {}, {}, {}}); err != nil {
		f.Fatal(err)
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Fuzz(func(t *testing.T, file []byte) {
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		boundtest.Memory(t, len(file), 4000, func() {
			k, err := OpenKeypointFile(path)
			if err != nil {
				return
			}
			defer k.Close()
			_ = k.Verify(t.Context())
		})
	})
}

// Units and cache entries with arrays are read like files from elsewhere.
func FuzzUnits(f *testing.F) {
	path := filepath.Join(f.TempDir(), "unit")
	unit := unitAt(path)
	if err := WriteSets(unit, []keypoints.Set{{Keypoints: make([]keypoints.Keypoint, 3)}}); err != nil {
		f.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(false, file)
	f.Fuzz(func(t *testing.T, pool bool, file []byte) {
		if n := len(file) - checksumDigits; n > 0 { // the checksum is forged as well
			file = fmt.Appendf(bytes.Clone(file[:n]), "%0*x", checksumDigits, crc32.ChecksumIEEE(file[:n]))
		}
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		boundtest.Memory(t, len(file), 4000, func() {
			if pool {
				_, _ = ReadPool(unit)
			} else {
				_, _ = ReadSets(unit)
			}
		})
	})
}
