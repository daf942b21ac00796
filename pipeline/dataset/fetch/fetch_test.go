package fetch

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"descbench/eval/must"
	"descbench/pipeline/store"
)

const folder = "hpatches-sequences-release"

// released is an archive of the files in the folder of the release.
func released(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	return zipped(t, under(folder, files))
}

// sequences are the files of three small sequences. Archives of random bytes have one
// size.
func sequences(seed uint64) map[string][]byte {
	random := rand.NewChaCha8([32]byte{byte(seed)})
	files := make(map[string][]byte)
	for _, sequence := range []string{"i_a", "v_b", "v_c"} {
		for k := range 6 {
			content := make([]byte, 20_000)
			_, _ = random.Read(content)
			files[fmt.Sprintf("%s/%d.ppm", sequence, k+1)] = content
		}
		files[sequence+"/H_1_2"] = []byte("1 0 0\n0 1 0\n0 0 1\n")
	}
	return files
}

// under returns files in a folder.
func under(dir string, files map[string][]byte) map[string][]byte {
	moved := make(map[string][]byte)
	for name, content := range files {
		moved[path.Join(dir, name)] = content
	}
	return moved
}

func zipped(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(files[name])
		}
		must.Do(t, err)
	}
	must.Do(t, z.Close())
	return b.Bytes()
}

// serve starts a server and returns the address of an archive there.
func serve(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return server.URL + "/archive.zip"
}

// file answers as a good server does that knows ranges.
func file(content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}
}

// cut breaks the connection after some bytes of the body.
func cut(w http.ResponseWriter, content []byte, n int) {
	if w.Header().Get("Content-Length") == "" {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
	}
	_, _ = w.Write(content[:n])
	panic(http.ErrAbortHandler)
}

// fetcherTo returns a fetcher of the small sequences that does not wait.
func fetcherTo(dir, url string) *fetcher {
	r := Releases()[0]
	r.URL = url
	f := newFetcher(r, Options{To: dir, Progress: func(Stage, int64, int64) {}})
	f.client.Transport.(*http.Transport).DisableKeepAlives = true
	f.pause = func(ctx context.Context, _ int) error { return ctx.Err() }
	f.stall = time.Minute
	return f
}

// wantFiles checks that the release is there, with nothing else next to it, and that
// sha256sum agrees.
func wantFiles(t *testing.T, dir string, want map[string][]byte) {
	t.Helper()
	root := filepath.Join(dir, folder)
	got := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, at)
		if err != nil {
			return err
		}
		got[filepath.ToSlash(name)], err = os.ReadFile(at)
		return err
	})
	must.Do(t, err)
	if got["SHA256SUMS"] == nil {
		t.Error("no SHA256SUMS")
	}
	if program, err := exec.LookPath("sha256sum"); err == nil {
		check := exec.Command(program, "--check", "--strict", "--quiet", "SHA256SUMS")
		check.Dir = root
		if text, err := check.CombinedOutput(); err != nil {
			t.Errorf("sha256sum: %v\n%s", err, text)
		}
	}
	delete(got, "SHA256SUMS")
	if !maps.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("found the files %q, want %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

func TestAReleaseAppearsWithItsChecksums(t *testing.T) {
	want := sequences(1)
	for name, archive := range map[string][]byte{
		"as released":                released(t, want),
		"other files, own checksums": zipped(t, merged(map[string][]byte{"README": []byte("x"), "__MACOSX/v_b/._1.ppm": []byte("x")}, under(folder, merged(want, map[string][]byte{"SHA256SUMS": []byte("theirs")})))),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			f := fetcherTo(dir, serve(t, file(archive)))
			out, err := f.fetch(t.Context())
			if err != nil || out.Files != len(want) || out.Reused {
				t.Fatalf("found %+v, %v", out, err)
			}
			wantFiles(t, dir, want)
			// The second time, no network is needed.
			again, err := fetcherTo(dir, "http://127.0.0.1:1/x").fetch(t.Context())
			if err != nil || !again.Reused || again.Files != len(want) {
				t.Errorf("the second time: found %+v, %v", again, err)
			}
			wantFiles(t, dir, want)
		})
	}
}

func merged(all ...map[string][]byte) map[string][]byte {
	out := make(map[string][]byte)
	for _, m := range all {
		maps.Copy(out, m)
	}
	return out
}

// Servers that break and lie. The request has the number n, from 0.
func TestBadServersAreSurvived(t *testing.T) {
	want := sequences(1)
	content := released(t, want)
	good := file(content)
	piece := len(content) / 3
	for name, handle := range map[string]func(w http.ResponseWriter, r *http.Request, n int){
		"breaks connections": func(w http.ResponseWriter, r *http.Request, n int) {
			var first int
			_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &first)
			if n < 5 {
				if n > 0 {
					w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, len(content)-1, len(content)))
					w.WriteHeader(http.StatusPartialContent)
				}
				cut(w, content[first:], min(piece, len(content)-first))
			}
			good(w, r)
		},
		"breaks connections, knows no ranges": func(w http.ResponseWriter, _ *http.Request, n int) {
			if n < 2 {
				cut(w, content, piece*(n+1))
			}
			_, _ = w.Write(content)
		},
		"tells no size": func(w http.ResponseWriter, _ *http.Request, n int) {
			_, _ = w.Write(content[:piece])
			w.(http.Flusher).Flush()
			if n == 0 {
				panic(http.ErrAbortHandler)
			}
			_, _ = w.Write(content[piece:])
		},
		"sends another range than asked for": func(w http.ResponseWriter, r *http.Request, n int) {
			switch {
			case n == 0:
				cut(w, content, 2*piece)
			case r.Header.Get("Range") != "":
				w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", len(content)-1, len(content)))
				w.WriteHeader(http.StatusPartialContent)
			}
			_, _ = w.Write(content)
		},
		"lost what it had": func(w http.ResponseWriter, r *http.Request, n int) {
			switch {
			case n == 0:
				cut(w, content, 2*piece)
			case r.Header.Get("Range") != "":
				w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
			default:
				_, _ = w.Write(content)
			}
		},
		"is busy": func(w http.ResponseWriter, r *http.Request, n int) {
			if n < 3 {
				w.WriteHeader([]int{503, 429, 500}[n])
				return
			}
			good(w, r)
		},
		"redirects": func(w http.ResponseWriter, r *http.Request, n int) {
			switch {
			case !strings.HasPrefix(r.URL.Path, "/there"):
				http.Redirect(w, r, fmt.Sprintf("/there?signed=%d", n), http.StatusFound)
			case n == 1:
				cut(w, content, 2*piece)
			case r.Header.Get("Range") == "":
				t.Error("the range was lost on the way")
			default:
				good(w, r)
			}
		},
		"sends more than it states": func(w http.ResponseWriter, r *http.Request, n int) {
			var first int
			_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &first)
			if n == 0 {
				cut(w, content, 2*piece)
			}
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, len(content)-1, len(content)))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(content[first:])
			_, _ = w.Write(make([]byte, 100))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var n atomic.Int64
			f := fetcherTo(dir, serve(t, func(w http.ResponseWriter, r *http.Request) { handle(w, r, int(n.Add(1)-1)) }))
			must.Get(f.fetch(t.Context()))(t)
			wantFiles(t, dir, want)
		})
	}
}

// A server whose file has changed in between gives an archive of two files.
func TestADamagedArchiveIsDiscarded(t *testing.T) {
	want := sequences(1)
	content, other := released(t, want), released(t, sequences(2))
	var n atomic.Int64
	f := fetcherTo(t.TempDir(), serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) == 1 {
			cut(w, other, len(content)/2)
		}
		file(content)(w, r)
	}))
	if _, err := f.fetch(t.Context()); err == nil || !strings.Contains(err.Error(), "rerun to try again") {
		t.Fatalf("found %v", err)
	}
	must.Get(f.fetch(t.Context()))(t)
	wantFiles(t, f.To, want)
}

func TestWhatIsThereIsNotDownloadedAgain(t *testing.T) {
	want := sequences(1)
	content := released(t, want)
	var sent atomic.Int64
	var n atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) == 1 {
			cut(w, content, len(content)*3/4)
		}
		file(content)(&countedWriter{w, &sent}, r)
	})
	f := fetcherTo(t.TempDir(), url)
	// The first process is stopped after the first piece.
	f.pause = func(context.Context, int) error { return nil }
	ctx, stop := context.WithCancel(t.Context())
	f.Progress = func(_ Stage, done, _ int64) {
		if done >= int64(len(content)/2) {
			stop()
		}
	}
	if _, err := f.fetch(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("found %v", err)
	}
	if got := n.Load(); got != 1 {
		t.Fatalf("%d requests before the end", got)
	}
	second := fetcherTo(f.To, url)
	must.Get(second.fetch(t.Context()))(t)
	wantFiles(t, f.To, want)
	if got, most := sent.Load(), int64(len(content)/2); got > most {
		t.Errorf("%d bytes were sent again, want at most %d", got, most)
	}
}

func TestAnArchiveThatIsCompleteButForItsNameIsUsed(t *testing.T) {
	want := sequences(1)
	content := released(t, want)
	f := fetcherTo(t.TempDir(), serve(t, file(content)))
	must.Do(t, os.MkdirAll(f.unfinished(), 0o777))
	must.Do(t, os.WriteFile(f.part(), content, 0o666))
	f.Progress = func(s Stage, _, _ int64) {
		if s == Downloading {
			t.Error("downloads again")
		}
	}
	must.Get(f.fetch(t.Context()))(t)
	wantFiles(t, f.To, want)
}

type countedWriter struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c *countedWriter) Write(b []byte) (int, error) {
	c.n.Add(int64(len(b)))
	return c.ResponseWriter.Write(b)
}

func TestServersWithoutTheArchiveAreGivenUp(t *testing.T) {
	for want, handle := range map[string]http.HandlerFunc{
		`/archive.zip: the server answers "404 Not Found"`: http.NotFound,
		`/archive.zip: sends a file that begins with "<!DO", want a zip archive`: func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "<!DOCTYPE html>please log in")
		},
	} {
		if _, err := fetcherTo(t.TempDir(), serve(t, handle)).fetch(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("found %v, want %q", err, want)
		}
	}
}

func TestASilentServerIsGivenUp(t *testing.T) {
	var n atomic.Int64
	f := fetcherTo(t.TempDir(), serve(t, func(_ http.ResponseWriter, r *http.Request) { n.Add(1); <-r.Context().Done() }))
	f.stall = 50 * time.Millisecond
	if _, err := f.fetch(t.Context()); err == nil || !strings.Contains(err.Error(), "/archive.zip: sent nothing for 50ms") {
		t.Errorf("found %v", err)
	}
	if n.Load() > maxFailures {
		t.Errorf("%d attempts, want at most %d", n.Load(), maxFailures)
	}
}

func TestOneMessageSaysWhatToDownloadByHand(t *testing.T) {
	dir := t.TempDir()
	f := fetcherTo(dir, "http://user:secret@127.0.0.1:1/a.zip?token=secret")
	_, err := f.fetch(t.Context())
	var fault *store.Fault
	if !errors.As(err, &fault) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("found %v", err)
	}
	for _, want := range []string{
		"(http://127.0.0.1:1/a.zip: dial tcp 127.0.0.1:1: connect: connection refused); ",
		"download http://127.0.0.1:1/a.zip by hand, save it as " + filepath.Join(dir, "hpatches-sequences-release.zip"),
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("found %q, want %q in it", err, want)
		}
	}
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("found %q with a secret", err)
	}
	// As it says.
	want := sequences(1)
	by := filepath.Join(dir, "hpatches-sequences-release.zip")
	must.Do(t, os.WriteFile(by, released(t, want), 0o666))
	if out, err := f.fetch(t.Context()); err != nil || out.From != by {
		t.Fatalf("found %+v, %v", out, err)
	}
	if err := os.Remove(by); err != nil {
		t.Fatalf("the user's archive: %v", err)
	}
	wantFiles(t, dir, want)
}

func TestHostileArchivesAreRefused(t *testing.T) {
	good := sequences(1)
	with := func(name string) []byte {
		return zipped(t, merged(under(folder, good), map[string][]byte{name: []byte("x")}))
	}
	special := func(mode fs.FileMode) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		h := &zip.FileHeader{Name: folder + "/v_b/link"}
		h.SetMode(mode | 0o777)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write([]byte("/etc"))
		}
		must.Do(t, errors.Join(err, z.Close()))
		return b.Bytes()
	}
	twice := func() []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for range 2 {
			must.Get(z.Create(folder + "/v_b/1.ppm"))(t)
		}
		must.Do(t, z.Close())
		return b.Bytes()
	}
	// A zip whose directory states another size than the data has.
	lies := func(size uint32) []byte {
		b := released(t, map[string][]byte{"v_b/H_1_2": make([]byte, 5000)})
		at := bytes.LastIndex(b, []byte("PK\x01\x02")) + 24
		copy(b[at:], []byte{byte(size), byte(size >> 8), byte(size >> 16), byte(size >> 24)})
		return b
	}
	damaged := released(t, good)
	damaged[len(damaged)/2] ^= 1
	for name, c := range map[string]struct {
		archive []byte
		want    string
	}{
		"parent":         {with(folder + "/v_b/../../../evil"), "want a name inside of the archive"},
		"backslash":      {with(`..\evil`), "without \\ and control characters"},
		"new line":       {with(folder + "/v_b/a\nb"), "without \\ and control characters"},
		"long path":      {with(folder + strings.Repeat("/a", 300)), "want at most"},
		"file as folder": {with(folder + "/v_b/1.ppm/inside"), "duplicate entries"},
		"folder as file": {released(t, map[string][]byte{"a/b": nil, "a": nil}), "duplicate entries"},
		"twice":          {twice(), "duplicate entries"},
		"symbolic link":  {special(fs.ModeSymlink), "is a link or device"},
		"large file":     {released(t, zeros(1, 2_000_000)), "is larger than 1.0 MB"},
		"many files":     {released(t, zeros(200, 0)), "more than 100 files and folders"},
		"bomb":           {released(t, zeros(10, 900_000)), "more than 5.0 MB of files"},
		"states less":    {lies(100), "not a valid zip file"},
		"states more":    {lies(900_000), `"v_b/H_1_2": unexpected EOF`},
		"damaged":        {damaged, "checksum error"},
		"cut off":        {damaged[:len(damaged)/2], "not a valid zip file"},
		"another folder": {zipped(t, under("other", good)), "has no folder hpatches-sequences-release"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			f := fetcherTo(filepath.Join(dir, "in", "side"), serve(t, file(c.archive)))
			f.limits.file, f.limits.total, f.limits.entries = 1_000_000, 5_000_000, 100
			_, err := f.fetch(t.Context())
			var fault *store.Fault
			if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("found %v, want %q", err, c.want)
			}
			_ = filepath.WalkDir(dir, func(at string, d fs.DirEntry, _ error) error {
				if !d.IsDir() {
					t.Errorf("left %s", at)
				}
				return nil
			})
		})
	}
}

// zeros are n files of the same size.
func zeros(n, size int) map[string][]byte {
	files := make(map[string][]byte)
	for i := range n {
		files[fmt.Sprintf("v_b/%d", i)] = make([]byte, size)
	}
	return files
}

func TestOtherFoldersAreLeftAlone(t *testing.T) {
	archive := released(t, sequences(1))
	for name, c := range map[string]struct {
		prepare func(root string) error
		want    string
	}{
		"of the user": {func(root string) error {
			return errors.Join(os.Mkdir(root, 0o777), os.WriteFile(filepath.Join(root, "mine"), nil, 0o666))
		}, "was not fetched by this command"},
		"a file": {func(root string) error { return os.WriteFile(root, nil, 0o666) }, "is a file"},
		"damaged sums": {func(root string) error {
			return errors.Join(os.Mkdir(root, 0o777), os.WriteFile(filepath.Join(root, "SHA256SUMS"), []byte("no sum\n"), 0o666))
		}, "line 1 of SHA256SUMS is damaged"},
	} {
		f := fetcherTo(t.TempDir(), serve(t, file(archive)))
		must.Do(t, c.prepare(f.final()))
		if _, err := f.fetch(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: found %v, want %q", name, err, c.want)
		}
	}
}

func TestChangedFilesAreFound(t *testing.T) {
	f := fetcherTo(t.TempDir(), serve(t, file(released(t, sequences(1)))))
	must.Get(f.fetch(t.Context()))(t)
	err := errors.Join(os.Remove(filepath.Join(f.final(), "v_c/3.ppm")), os.WriteFile(filepath.Join(f.final(), "v_b/H_1_2"), []byte("x"), 0o666))
	must.Do(t, err)
	if _, err := f.fetch(t.Context()); err == nil || !strings.Contains(err.Error(), "2 of 21 files are missing or changed since they were fetched, such as v_b/H_1_2;") {
		t.Errorf("found %v", err)
	}
}

func TestContentThatIsNotGoodDoesNotAppear(t *testing.T) {
	f := fetcherTo(t.TempDir(), serve(t, file(released(t, sequences(1)))))
	f.Verify = func(_ context.Context, dir string) error {
		if _, err := os.Stat(filepath.Join(dir, "v_b", "1.ppm")); err != nil {
			t.Error(err)
		}
		return errors.New("v_b is broken")
	}
	if _, err := f.fetch(t.Context()); err == nil || !strings.Contains(err.Error(), "/archive.zip: v_b is broken") {
		t.Errorf("found %v", err)
	}
	if _, err := os.Stat(f.final()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("found %v", err)
	}
}

func TestTwoProcessesDoNotFetchTheSameAtOnce(t *testing.T) {
	content := released(t, sequences(1))
	dir := t.TempDir()
	var second error
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, second = fetcherTo(dir, "http://127.0.0.1:1/x").fetch(r.Context())
		file(content)(w, r)
	})
	must.Get(fetcherTo(dir, url).fetch(t.Context()))(t)
	if second == nil || !strings.Contains(second.Error(), "is writing to this folder") {
		t.Errorf("the second: %v", second)
	}
	wantFiles(t, dir, sequences(1))
}

func TestRedirectsThatAreNotSafeAreRefused(t *testing.T) {
	content := released(t, sequences(1))
	plain := httptest.NewServer(file(content))
	defer plain.Close()
	secure := httptest.NewTLSServer(http.RedirectHandler(plain.URL, http.StatusFound))
	defer secure.Close()
	for url, want := range map[string]string{
		secure.URL: "redirects from https to http",
		serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }):    "redirects more than 10 times",
		serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "file:///etc", http.StatusFound) }): `unsupported protocol scheme "file"`,
	} {
		f := fetcherTo(t.TempDir(), url)
		f.client.Transport.(*http.Transport).TLSClientConfig = secure.Client().Transport.(*http.Transport).TLSClientConfig
		if _, err := f.fetch(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("found %v, want %q", err, want)
		}
	}
}
