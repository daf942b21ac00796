package store

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"descbench/keypoints"
)

// writeKeypoints writes a file with the sets of each scene.
func writeKeypoints(t interface{ Fatal(...any) }, path string, scenes [][]keypoints.Set) {
	w, err := CreateKeypointFile(path, KeypointHeader{Recipe: []string{"detect sift", "border 40 px"}, Environment: "OpenCV 4.6"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for i, sets := range scenes {
		scene := KeypointScene{Name: fmt.Sprintf("v_%03d", i), Digest: fmt.Sprintf("digest %d", i)}
		for k := range sets {
			scene.Images = append(scene.Images, KeypointImage{File: fmt.Sprintf("%d.png", k+1), Width: 640, Height: 480})
		}
		if err := w.Add(scene, sets); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// bits makes sets comparable although they hold NaN.
func bits(s keypoints.Set) string {
	var b bytes.Buffer
	for _, k := range s.Keypoints {
		for _, v := range []float32{k.X, k.Y, k.Size, k.Angle, k.Response} {
			fmt.Fprintf(&b, "%x ", math.Float32bits(v))
		}
		fmt.Fprintln(&b, k.Octave, k.ClassID)
	}
	fmt.Fprint(&b, s.Source == nil, s.Source)
	return b.String()
}

func TestAKeypointFileGivesBackEveryBitOfItsSets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set.parquet")
	rapid.Check(t, func(t *rapid.T) {
		scenes := rapid.SliceOfN(rapid.SliceOfN(anySet, 6, 6), 0, 4).Draw(t, "scenes")
		writeKeypoints(t, path, scenes)
		f, err := OpenKeypointFile(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if len(f.Scenes) != len(scenes) || f.Environment != "OpenCV 4.6" || !reflect.DeepEqual(f.Recipe, []string{"detect sift", "border 40 px"}) {
			t.Fatalf("header is %+v", f.KeypointHeader)
		}
		total := 0
		for i := len(scenes) - 1; i >= 0; i-- { // in any order
			got, err := f.Read(i)
			if err != nil {
				t.Fatal(err)
			}
			for k, want := range scenes[i] {
				if bits(got[k]) != bits(want) {
					t.Fatalf("scene %d, image %d:\ngot  %v\nwant %v", i, k+1, got[k], want)
				}
				if img := f.Scenes[i].Images[k]; img.Keypoints != want.Len() || img.Width != 640 || img.File != fmt.Sprintf("%d.png", k+1) {
					t.Fatalf("scene %d, image %d: header %+v", i, k+1, img)
				}
				total += want.Len()
			}
		}
		if f.Keypoints() != total {
			t.Fatalf("header counts %d keypoints, want %d", f.Keypoints(), total)
		}
	})
}

// someScenes makes scenes of six images each, of which the first has n
// keypoints, the second none, and the others, projected, n.
func someScenes(scenes, n int) [][]keypoints.Set {
	rng := rand.New(rand.NewPCG(1, 2))
	out := make([][]keypoints.Set, scenes)
	for i := range out {
		for k := range 6 {
			var s keypoints.Set
			for j := range n {
				if k == 1 {
					break
				}
				s.Keypoints = append(s.Keypoints, keypoints.Keypoint{
					X: 640 * rng.Float32(), Y: 480 * rng.Float32(), Size: 2 + rng.Float32(), Angle: 360 * rng.Float32(),
					Response: rng.Float32(), Octave: int32(rng.IntN(1 << 24)), ClassID: -1,
				})
				if k > 1 {
					s.Source = append(s.Source, int32(j))
				}
			}
			out[i] = append(out[i], s)
		}
	}
	return out
}

// TestOtherReadersFindEveryRowByItsColumns reads a file by parquet-go's own
// assembly of rows, which knows nothing of the header.
func TestOtherReadersFindEveryRowByItsColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set.parquet")
	scenes := someScenes(3, 40)
	writeKeypoints(t, path, scenes)
	rows, err := parquet.ReadFile[keypointRow](path)
	if err != nil {
		t.Fatal(err)
	}
	next := 0
	for i, sets := range scenes {
		for k, s := range sets {
			for j, p := range s.Keypoints {
				r := rows[next]
				next++
				if r.Scene != fmt.Sprintf("v_%03d", i) || r.Image != int32(k+1) || r.Row != int32(j) || r.X != p.X || r.Octave != p.Octave {
					t.Fatalf("row %d is %+v", next-1, r)
				}
				if (r.Source != nil) != (s.Source != nil) || r.Source != nil && *r.Source != s.Source[j] {
					t.Fatalf("row %d: source %v", next-1, r.Source)
				}
			}
		}
	}
	if next != len(rows) {
		t.Errorf("%d rows, want %d", len(rows), next)
	}
}

func TestEqualSetsAreEqualBytes(t *testing.T) {
	dir := t.TempDir()
	var files [2][]byte
	for i := range files {
		path := filepath.Join(dir, fmt.Sprint(i))
		writeKeypoints(t, path, someScenes(2, 5000))
		var err error
		if files[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the files differ")
	}
}

var errOther = errors.New("other keypoints were read without a word")

// TestADamagedKeypointFileIsNeverReadAsAnother alters a file at many places:
// its keypoints are read as they were written, or it is damaged.
func TestADamagedKeypointFileIsNeverReadAsAnother(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "set.parquet")
	scenes := someScenes(2, 30)
	writeKeypoints(t, path, scenes)
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var written string
	for _, sets := range scenes {
		for _, s := range sets {
			written += bits(s)
		}
	}
	read := func(content []byte) error {
		other := filepath.Join(dir, "other.parquet")
		if err := os.WriteFile(other, content, 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := OpenKeypointFile(other)
		if err != nil {
			return err
		}
		defer f.Close()
		var found string
		for i := range f.Scenes {
			sets, err := f.Read(i)
			if err != nil {
				return err
			}
			for _, s := range sets {
				found += bits(s)
			}
		}
		if found != written {
			return errOther
		}
		return nil
	}
	if err := read(sound); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 3, 100, len(sound) / 2, len(sound) - 1} {
		if err := read(sound[:n]); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
	for i := 0; i < len(sound); i += 5 {
		altered := bytes.Clone(sound)
		altered[i] ^= 1
		if err := read(altered); err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, errColumns) {
			t.Errorf("byte %d altered: %v", i, err)
		}
	}
}

func TestAKeypointFileRefusesSetsThatDoNotFitTheScene(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set.parquet")
	w, err := CreateKeypointFile(path, KeypointHeader{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := w.Add(KeypointScene{Name: "v", Images: make([]KeypointImage, 6)}, make([]keypoints.Set, 5)); err == nil {
		t.Error("five sets for six images were taken")
	}
	half := keypoints.Set{Keypoints: make([]keypoints.Keypoint, 2), Source: []int32{0}}
	if err := w.Add(KeypointScene{Name: "v", Images: make([]KeypointImage, 1)}, []keypoints.Set{half}); err == nil {
		t.Error("one source for two keypoints was taken")
	}
}

// 50 scenes of 50,000 keypoints each, 2.5 million.
func BenchmarkKeypointFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "set.parquet")
	scene := someScenes(1, 10_000)
	scenes := make([][]keypoints.Set, 50)
	for i := range scenes {
		scenes[i] = scene[0]
	}
	b.Run("write 2.5M rows", func(b *testing.B) {
		for b.Loop() {
			writeKeypoints(b, path, scenes)
		}
		b.ReportMetric(float64(fileSize(b, path)), "bytes")
	})
	b.Run("read 2.5M rows", func(b *testing.B) {
		for b.Loop() {
			f, err := OpenKeypointFile(path)
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			for i := range f.Scenes {
				sets, err := f.Read(i)
				if err != nil {
					b.Fatal(err)
				}
				for _, s := range sets {
					n += s.Len()
				}
			}
			f.Close()
			if n != 2_500_000 {
				b.Fatal(n)
			}
		}
	})
}

// The golden file is of version 1 as first written, by a row type of its own.
// Files of the two must not differ: sets are stored and compared by their bytes.
func TestAKeypointFileIsByteForByteThatOfVersion1(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keypoints.parquet")
	w, err := CreateKeypointFile(path, KeypointHeader{Recipe: []string{"sift"}, Environment: "e"})
	if err != nil {
		t.Fatal(err)
	}
	images := []KeypointImage{{File: "1.png", Width: 4, Height: 3}, {File: "2.png", Width: 4, Height: 3}}
	if err := w.Add(KeypointScene{Name: "v_a", Digest: "d", Images: images}, []keypoints.Set{{}, {
		Keypoints: []keypoints.Keypoint{{X: 1, Y: 2, Size: 3, Angle: 4, Response: 5, Octave: 6, ClassID: -1}, {X: 2, Octave: 6}}, Source: []int32{4, 3},
	}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "keypoints.parquet"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want the %d of testdata, %v", len(got), len(want), err)
	}
}

func TestEveryColumnOfAKeypointIsInAKeypointFile(t *testing.T) {
	schema := parquet.SchemaOf(keypointRow{})
	for _, c := range keypoints.Columns() {
		if _, ok := schema.Lookup(c.Name); !ok {
			t.Errorf("no column %s: a field of keypoints.Keypoint lacks its tag", c.Name)
		}
	}
	if got, want := reflect.TypeFor[keypoints.Keypoint]().NumField(), len(keypoints.Columns()); got != want {
		t.Errorf("a keypoint has %d attributes, %d are stored", got, want)
	}
}
