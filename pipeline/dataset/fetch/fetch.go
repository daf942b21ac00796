package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"descbench/pipeline/store"
)

// Options say where to fetch a release from, and where to.
type Options struct {
	To string // folder in which the release's folder appears
	// Progress is told how many bytes are done, or files of Verifying, and of how
	// many; total is 0 if it is not known.
	Progress func(stage Stage, done, total int64)
	// Verify checks the content of an unpacked release before it appears.
	Verify func(ctx context.Context, dir string) error
}

// A Stage is what a fetch is doing.
type Stage string

// The stages, in their order.
const (
	Downloading Stage = "downloading"
	Unpacking   Stage = "unpacking"
	Verifying   Stage = "verifying"
)

// An Outcome is a release in its place.
type Outcome struct {
	Folder string `json:"folder"`
	Files  int    `json:"files"`
	From   string `json:"from"`   // address or archive; "" if the release was there
	Reused bool   `json:"reused"` // the release was there, unchanged since it was fetched
}

// Fetch brings a release to its place, unless it is there. It checks that files
// that are there are unchanged. An archive that a user has put into opt.To, under the
// name of the release's folder, is used in place of a download.
func Fetch(ctx context.Context, r Release, opt Options) (Outcome, error) {
	return newFetcher(r, opt).fetch(ctx)
}

// A fetcher is the state of one call.
type fetcher struct {
	Release
	Options
	client *http.Client
	limits limits
	// stall is how long a server may send nothing; pause waits before the nth
	// attempt in a row that may fail like the one before.
	stall time.Duration
	pause func(ctx context.Context, n int) error
}

func newFetcher(r Release, opt Options) *fetcher {
	return &fetcher{Release: r, Options: opt, client: newClient(), limits: releaseLimits, stall: time.Minute, pause: pause}
}

// newClient returns a client that uses the proxies of the environment (HTTP_PROXY,
// HTTPS_PROXY, NO_PROXY).
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone() // its proxies are the environment's
	transport.DisableCompression = true                          // ranges are those of the file
	return &http.Client{
		Transport: transport,
		CheckRedirect: func(request *http.Request, via []*http.Request) error {
			const most = 10
			switch {
			case len(via) > most:
				return fmt.Errorf("redirects more than %d times", most)
			case via[len(via)-1].URL.Scheme == "https" && request.URL.Scheme != "https":
				return fmt.Errorf("redirects from https to %s, which anybody on the way could change", request.URL.Scheme)
			}
			return nil
		},
	}
}

func (f *fetcher) final() string { return filepath.Join(f.To, f.Folder) }

// unfinished returns the folder of everything that is not in its place yet.
func (f *fetcher) unfinished() string { return filepath.Join(f.To, ".unfinished", f.Folder) }

func (f *fetcher) fetch(ctx context.Context) (out Outcome, err error) {
	release, by, err := store.Root(f.unfinished()).Claim(filepath.Join(f.unfinished(), "claim"), claimLife)
	if err != nil {
		return out, err
	} else if by != nil {
		return out, store.Faultf(f.final(), "%s is writing to this folder; wait for it, or choose another folder", by.Process)
	}
	defer f.tidy()
	defer release()
	switch entries, err := os.ReadDir(f.final()); {
	case errors.Is(err, syscall.ENOTDIR):
		return out, store.Faultf(f.final(), "is a file, want a folder, or nothing of this name")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return out, err
	case len(entries) > 0:
		if out, err = f.reuse(ctx); err == nil {
			err = f.discard()
		}
		return out, err
	}
	byHand := f.byHand()
	if _, err := os.Stat(byHand); err == nil {
		return f.install(ctx, byHand, byHand)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return out, err
	}
	out, err = f.download(ctx)
	if isFault(err) {
		err = store.Faultf(f.Name, "cannot be fetched (%s); rerun to try again, or download %s by hand, save it as %s, and rerun", err, shown(f.URL), byHand)
	}
	return out, err
}

// claimLife is how long the claim of a process on another machine counts after it was last renewed.
const claimLife = 10 * time.Minute

// tidy removes what is empty.
func (f *fetcher) tidy() {
	for _, path := range []string{f.unfinished(), filepath.Dir(f.unfinished())} {
		_ = os.Remove(path)
	}
}

// byHand returns where a user may put the archive, next to the release's place.
func (f *fetcher) byHand() string { return f.final() + ".zip" }

// reuse checks a folder that is there.
func (f *fetcher) reuse(ctx context.Context) (Outcome, error) {
	digests, err := store.ReadSums(f.final())
	if errors.Is(err, fs.ErrNotExist) {
		return Outcome{}, store.Faultf(f.final(), "exists, but was not fetched by this command, because it has no %s; use it as it is (dataset verify checks it), or choose another folder with --to", store.SumsFile)
	} else if err != nil {
		return Outcome{}, &store.Fault{Where: f.final(), Err: err}
	}
	found, err := f.digests(ctx, f.final(), digests)
	if err != nil {
		return Outcome{}, err
	}
	changed := slices.DeleteFunc(slices.Sorted(maps.Keys(digests)), func(name string) bool { return found[name] == digests[name] })
	if len(changed) > 0 {
		return Outcome{}, store.Faultf(f.final(), "%d of %d files are missing or changed since they were fetched, such as %s; remove the folder and rerun to fetch it again", len(changed), len(digests), changed[0])
	}
	return Outcome{Folder: f.final(), Files: len(digests), Reused: true}, nil
}

// isFault reports whether err is about the address or its archive.
func isFault(err error) bool {
	var fault *store.Fault
	return errors.As(err, &fault)
}

// download downloads and installs the release. An archive that turns out to be damaged is
// discarded.
func (f *fetcher) download(ctx context.Context) (out Outcome, err error) {
	if err := f.downloadArchive(ctx); err != nil {
		return out, err
	}
	if out, err = f.install(ctx, f.archive(), shown(f.URL)); isFault(err) {
		err = cmp.Or(f.discard(), err)
	}
	return out, err
}

// discard removes the downloaded archive and what was unpacked.
func (f *fetcher) discard() (err error) {
	for _, name := range []string{"archive.part", "archive", "unpacked"} {
		err = cmp.Or(err, os.RemoveAll(filepath.Join(f.unfinished(), name)))
	}
	return err
}

// install unpacks an archive, checks what is in it and moves it to its place. from
// names it for the user.
func (f *fetcher) install(ctx context.Context, archive, from string) (Outcome, error) {
	dir := filepath.Join(f.unfinished(), "unpacked")
	if err := os.RemoveAll(dir); err != nil { // of a killed process
		return Outcome{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := f.unpack(ctx, archive, dir); err != nil {
		return Outcome{}, inArchive(from, dir, err)
	}
	digests, err := f.digests(ctx, dir, nil)
	if err != nil {
		return Outcome{}, err
	}
	if f.Verify != nil {
		if err := f.Verify(ctx, dir); err != nil {
			return Outcome{}, inArchive(from, dir, err)
		}
	}
	if err := store.WriteBytes(filepath.Join(dir, store.SumsFile), store.FormatSums(digests)); err != nil {
		return Outcome{}, err
	}
	if err := os.Rename(dir, f.final()); err != nil {
		return Outcome{}, err
	}
	return Outcome{Folder: f.final(), Files: len(digests), From: from}, f.discard()
}

// inArchive adds the archive to an error about its content, which is unpacked in dir.
// Errors of the system and an interruption stay what they are.
func inArchive(from, dir string, err error) error {
	var path *fs.PathError
	switch system := syscall.Errno(0); {
	case errors.As(err, &system) || errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &path):
		err = fmt.Errorf("%q: %w", strings.TrimPrefix(path.Path, dir+string(filepath.Separator)), path.Err)
	}
	return &store.Fault{Where: from, Err: err}
}

// digests returns the SHA-256 of the files of a folder that are listed, of all but the list itself if
// listed is nil, by path.
func (f *fetcher) digests(ctx context.Context, dir string, listed map[string]string) (map[string]string, error) {
	digests := make(map[string]string)
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		wanted := listed[name] != "" || listed == nil && name != store.SumsFile
		if err == nil && !d.IsDir() && wanted {
			f.Progress(Verifying, int64(len(digests)), int64(len(listed)))
			digests[name], err = store.FileDigest(filepath.Join(dir, filepath.FromSlash(name)), f.limits.file)
		}
		return cmp.Or(ctx.Err(), err)
	})
	return digests, err
}

func pause(ctx context.Context, n int) error {
	timer := time.NewTimer(time.Second << min(n, 5))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
