package fetch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// limits bound what an archive may hold, so that a hostile one cannot fill a disk.
type limits struct {
	archive int64 // bytes of an archive
	file    int64 // bytes of a file
	total   int64 // bytes of all files
	entries int   // files and folders
	name    int   // bytes of a path
}

// releaseLimits leave room for several times the largest release.
var releaseLimits = limits{archive: 32 << 30, file: 1 << 30, total: 64 << 30, entries: 200_000, name: 500}

// unpack unpacks the regular files of an archive to the new folder dir and returns
// their SHA-256 by path. It returns an error for a member that is outside of dir, not
// a file or folder, there twice, or over a limit.
func (f *fetcher) unpack(ctx context.Context, archive, dir string) (map[string]string, error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	u := &unpacking{root: root, limits: f.limits, digests: make(map[string]string)}
	room := func(bytes int64) error {
		if bytes > f.limits.total {
			return u.tooMuch()
		}
		return f.room(bytes, "the content of the archive")
	}
	err = eachEntry(ctx, archive, room, func(done, total int64) { f.progress(Unpacking, done, total) }, u.add)
	return u.digests, err
}

// An unpacking is the state of unpack.
type unpacking struct {
	root    *os.Root // refuses to leave the folder, whatever the names
	limits  limits
	digests map[string]string
	entries int
	bytes   int64
}

// add unpacks a member.
func (u *unpacking) add(e entry) error {
	if u.entries++; u.entries > u.limits.entries {
		return fmt.Errorf("has more than %d files and folders, the limit", u.limits.entries)
	}
	name, err := u.checkName(e.name)
	if err != nil {
		return err
	}
	switch {
	case e.mode.IsDir():
		return nil // folders appear with their files
	case e.mode != 0:
		return fmt.Errorf("%q is a link or device, want files and folders only", e.name)
	case ignored(name):
		return nil
	case e.size > u.limits.file:
		return fmt.Errorf("%q has %s, want at most %s", e.name, inWords(e.size), inWords(u.limits.file))
	case u.digests[name] != "":
		return fmt.Errorf("%q is there twice", e.name)
	}
	if u.bytes += e.size; e.size < 0 || u.bytes > u.limits.total {
		return u.tooMuch()
	}
	in, err := e.open()
	if err != nil {
		return fmt.Errorf("%q: %w", e.name, err)
	}
	defer in.Close()
	u.digests[name], err = u.write(name, in, e.size)
	// A name can be a file in one member and a folder in another.
	for _, both := range []error{syscall.EEXIST, syscall.ENOTDIR, syscall.EISDIR} {
		if errors.Is(err, both) {
			return fmt.Errorf("%q is there twice, as a file and a folder, or in upper and lower case", e.name)
		}
	}
	if err != nil && !errors.As(err, new(*fs.PathError)) {
		return fmt.Errorf("%q: %w", e.name, err)
	}
	return err
}

func (u *unpacking) tooMuch() error {
	return fmt.Errorf("has more than %s of files, the limit", inWords(u.limits.total))
}

// checkName returns the path of a member, with slashes and without a slash at the
// end.
func (u *unpacking) checkName(name string) (string, error) {
	clean := path.Clean(name)
	bad := func(r rune) bool { return r == '\\' || r == utf8.RuneError || unicode.IsControl(r) }
	switch {
	case len(name) > u.limits.name:
		return "", fmt.Errorf("has a file whose name begins with %q and has %d bytes, want at most %d", name[:min(40, len(name))], len(name), u.limits.name)
	case strings.IndexFunc(name, bad) >= 0:
		return "", fmt.Errorf("has a file with the name %q, want a name without \\ and control characters", name)
	case path.IsAbs(name) || !filepath.IsLocal(filepath.FromSlash(name)):
		return "", fmt.Errorf("has a file with the name %q, which is outside of the archive", name)
	}
	for part := range strings.SplitSeq(clean, "/") {
		if len(part) > 255 {
			return "", fmt.Errorf("has a name of %d bytes, want at most 255", len(part))
		}
	}
	return clean, nil
}

// ignored reports whether a file is one of those that macOS adds to archives, or
// hidden.
func ignored(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") || part == "__MACOSX" {
			return true
		}
	}
	return false
}

// write writes a file of the given size and returns its SHA-256.
func (u *unpacking) write(name string, in io.Reader, size int64) (digest string, err error) {
	if err := u.root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o777); err != nil {
		return "", err
	}
	out, err := u.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return "", err
	}
	defer func() { err = cmp.Or(err, out.Close()) }()
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, hash), io.LimitReader(in, size+1))
	switch {
	case err != nil:
		return "", err
	case n != size:
		return "", fmt.Errorf("has %d bytes or more, but the archive states %d", n, size)
	}
	return hex.EncodeToString(hash.Sum(nil)), out.Sync()
}
