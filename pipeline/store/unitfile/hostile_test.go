package unitfile

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline/store"
)

// The container of a scene is read like a file from elsewhere, and so are its units.
func FuzzUnits(f *testing.F) {
	sets := must.Get(Sets.Content([]keypoints.Set{{Keypoints: make([]keypoints.Keypoint, 3)}}))(f)
	path := filepath.Join(f.TempDir(), "v_a.zip")
	must.Do(f, WriteScene(store.Root(filepath.Dir(path)), path, map[string][]byte{"scene/k.json": []byte("{}"), "sets/k": sets}))
	f.Add(0, sets)
	f.Add(1, sets)
	f.Add(2, must.Get(os.ReadFile(path))(f))
	f.Fuzz(func(t *testing.T, kind int, file []byte) {
		must.Do(t, os.WriteFile(path, file, 0o666))
		must.BoundMemory(t, len(file), 4000, func() {
			switch kind {
			case 0:
				_, _ = Sets.Value(file)
			case 1:
				_, _ = Features.Value(file)
			default:
				if l, err := new(Listings).List(path); err == nil && len(l.Names) > 0 {
					_, _ = ReadUnit(new(Listings), path, l.Names[0], Sets)
				}
			}
		})
	})
}

func TestCompressedMembersAreRefusedBeforeTheyAreRead(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if w, err := z.Create("1/x.npy"); err != nil {
		t.Fatal(err)
	} else if _, err := w.Write(make([]byte, 50<<20)); err != nil {
		t.Fatal(err)
	}
	must.Do(t, z.Close())
	must.BoundMemory(t, b.Len(), 100, func() {
		_, err := Sets.Value(b.Bytes())
		must.FailAbout(t, err, "its members are compressed")
	})
}
