package soak

import (
	"archive/zip"
	"bytes"
	"io"
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
	parent := t.TempDir()
	replace(t, dir, filepath.Join(parent, "hpatches-sequences-release"))
	z := zip.NewWriter(&archive)
	must.Do(t, z.AddFS(os.DirFS(parent)))
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
