package soak

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"descbench/eval/must"
)

// serveScenes serves a zip archive of scenes, slowly, so that downloads are killed
// too, and returns its address.
func serveScenes(t *testing.T, dir string) string {
	t.Helper()
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		w, err := z.Create("hpatches-sequences-release/" + name)
		if err == nil {
			_, err = w.Write(content)
		}
		return err
	})
	must.Do(t, err)
	must.Do(t, z.Close())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "", time.Time{}, &slowly{bytes.NewReader(archive.Bytes())})
	}))
	t.Cleanup(server.Close)
	return server.URL + "/scenes.zip"
}

// A slowly reader is a slow disk.
type slowly struct{ io.ReadSeeker }

func (s *slowly) Read(b []byte) (int, error) {
	time.Sleep(2 * time.Millisecond)
	return s.ReadSeeker.Read(b[:min(len(b), 4096)])
}
