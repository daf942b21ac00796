package fetch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"descbench/pipeline/parts"
	"descbench/pipeline/store"
	"descbench/pipeline/sums"
)

// Options say where to fetch a release from, and where to.
type Options struct {
	To   string   // folder in which the release's folder appears
	URLs []string // in place of the release's own addresses
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
	to       string
	progress func(stage Stage, done, total int64)
	verify   func(ctx context.Context, dir string) error

	client *http.Client
	limits limits
	free   func(dir string) (int64, error)
	// stall is how long a server may send nothing; pause waits before the nth
	// attempt in a row that may fail like the one before.
	stall time.Duration
	pause func(ctx context.Context, n int) error
}

func newFetcher(r Release, opt Options) *fetcher {
	if len(opt.URLs) > 0 {
		r.URLs = opt.URLs
	}
	return &fetcher{
		Release: r, to: opt.To, progress: opt.Progress, verify: opt.Verify,
		client: newClient(), limits: releaseLimits, free: freeSpace, stall: time.Minute, pause: pause,
	}
}

func (f *fetcher) final() string { return filepath.Join(f.to, f.Folder) }

// unfinished returns the folder of everything that is not in its place yet.
func (f *fetcher) unfinished() string { return filepath.Join(f.to, ".unfinished", f.Folder) }

func (f *fetcher) fetch(ctx context.Context) (out Outcome, err error) {
	lock, err := parts.Exclusive(filepath.Join(f.unfinished(), "lock"), f.final())
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	defer f.tidy()
	switch entries, err := os.ReadDir(f.final()); {
	case errors.Is(err, syscall.ENOTDIR):
		return out, errorf(f.final(), "is a file, want no such file or a folder")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return out, err
	case len(entries) > 0:
		if out, err = f.reuse(ctx); err == nil {
			f.discard()
		}
		return out, err
	}
	archive, err := f.byHand()
	if err != nil {
		return out, err
	}
	if archive != "" {
		return f.install(ctx, archive, archive)
	}
	return f.fromAny(ctx)
}

// tidy removes what is empty.
func (f *fetcher) tidy() {
	for _, path := range []string{filepath.Join(f.unfinished(), "lock"), f.unfinished(), filepath.Dir(f.unfinished())} {
		_ = os.Remove(path)
	}
}

// byHand returns the path of an archive that the user has put next to the release's
// place, or "".
func (f *fetcher) byHand() (string, error) {
	for _, ext := range []string{".zip", ".tar.gz", ".tgz"} {
		at := f.final() + ext
		if _, err := os.Stat(at); err == nil {
			return at, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", nil
}

// reuse checks a folder that is there.
func (f *fetcher) reuse(ctx context.Context) (Outcome, error) {
	digests, err := sums.Read(f.final())
	if errors.Is(err, fs.ErrNotExist) {
		return Outcome{}, errorf(f.final(), "exists, but was not fetched by this command, because it has no %s; use it as it is (dataset verify checks it), or choose another folder with --to", sums.File)
	} else if err != nil {
		return Outcome{}, &Error{f.final(), err}
	}
	changed, err := f.changed(ctx, digests)
	if err != nil {
		return Outcome{}, err
	}
	if len(changed) > 0 {
		return Outcome{}, errorf(f.final(), "%d of %d files are missing or changed since they were fetched, such as %s; remove the folder and rerun to fetch it again", len(changed), len(digests), changed[0])
	}
	return Outcome{Folder: f.final(), Files: len(digests), Reused: true}, nil
}

// fromAny downloads and installs the release from the first address that has it.
func (f *fetcher) fromAny(ctx context.Context) (Outcome, error) {
	var faults []string
	for _, url := range f.ordered() {
		out, err := f.from(ctx, url)
		if err == nil || !isFault(err) {
			return out, err
		}
		faults = append(faults, err.Error())
	}
	return Outcome{}, errorf(f.Name, "cannot be fetched (%s); rerun to try again, or download %s by hand, save it as %s, and rerun",
		strings.Join(faults, "; "), shown(f.URLs[0]), f.final()+extension(f.URLs[0]))
}

// isFault reports whether err is about an address or its archive, so that another
// one may do better.
func isFault(err error) bool {
	var fault *Error
	return errors.As(err, &fault)
}

func extension(url string) string {
	if strings.HasSuffix(path.Base(url), "gz") {
		return ".tar.gz"
	}
	return ".zip"
}

// from downloads and installs the release from one address. An archive that was
// downloaded in several pieces and turns out to be damaged is downloaded once more.
func (f *fetcher) from(ctx context.Context, url string) (out Outcome, err error) {
	for range 2 {
		d := &download{fetcher: f, url: url}
		if err := d.run(ctx); err != nil {
			return out, err
		}
		if out, err = f.install(ctx, d.archive(), shown(url)); err == nil || !isFault(err) {
			return out, err
		}
		f.discard()
		if !d.pieces {
			break
		}
	}
	return out, err
}

// discard removes the downloaded archive and what was unpacked.
func (f *fetcher) discard() {
	for _, name := range []string{"archive.json", "archive.part", "archive", "unpacked"} {
		_ = os.RemoveAll(filepath.Join(f.unfinished(), name))
	}
}

// install unpacks an archive, checks what is in it and moves it to its place. from
// names it for the user.
func (f *fetcher) install(ctx context.Context, archive, from string) (Outcome, error) {
	dir := filepath.Join(f.unfinished(), "unpacked")
	if err := os.RemoveAll(dir); err != nil { // of a killed process
		return Outcome{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	digests, err := f.unpack(ctx, archive, dir)
	if err != nil {
		return Outcome{}, inArchive(from, err)
	}
	base, digests, err := layout(digests, f.Marker)
	if err != nil {
		return Outcome{}, inArchive(from, err)
	}
	delete(digests, sums.File) // ours replaces it
	root := filepath.Join(dir, filepath.FromSlash(base))
	if f.verify != nil {
		f.progress(Verifying, 0, 0)
		if err := f.verify(ctx, root); err != nil {
			return Outcome{}, inArchive(from, err)
		}
	}
	if err := store.WriteBytes(filepath.Join(root, sums.File), sums.Format(digests)); err != nil {
		return Outcome{}, err
	}
	if err := os.Rename(root, f.final()); err != nil {
		return Outcome{}, err
	}
	f.discard()
	return Outcome{Folder: f.final(), Files: len(digests), From: from}, nil
}

// inArchive adds the archive to an error about its content. Errors of the system and
// an interruption stay what they are.
func inArchive(from string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) || errors.Is(err, context.Canceled) {
		return err
	}
	return &Error{from, err}
}

// changed returns the files that are missing or whose digests are not the given ones.
func (f *fetcher) changed(ctx context.Context, digests map[string]string) (changed []string, err error) {
	for i, name := range slices.Sorted(maps.Keys(digests)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.progress(Verifying, int64(i), int64(len(digests)))
		digest, err := store.FileDigest(filepath.Join(f.final(), filepath.FromSlash(name)), f.limits.file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err != nil || digest != digests[name] {
			changed = append(changed, name)
		}
	}
	return changed, nil
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

// inWords formats a number of bytes.
func inWords(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%d bytes", n)
}
