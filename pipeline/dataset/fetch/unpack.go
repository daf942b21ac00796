package fetch

import (
	"archive/zip"
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode"

	"github.com/dustin/go-humanize"

	"descbench/pipeline/files"
)

// limits bound what an archive may hold, so that a hostile one cannot fill a disk.
type limits struct {
	archive int64  // bytes of an archive
	file    int64  // bytes of a file
	total   uint64 // bytes of all files
	entries int    // files and folders
	name    int    // bytes of a path
}

// releaseLimits leave room for several times the largest release.
var releaseLimits = limits{archive: 32 << 30, file: 1 << 30, total: 64 << 30, entries: 200_000, name: 500}

// unpack unpacks the release's folder of an archive to the new folder dir. Package zip
// refuses files that are there twice and sizes other than stated, os.CopyFS what is
// not a file or folder.
func (f *fetcher) unpack(ctx context.Context, archive, dir string) error {
	file, err := files.Open(archive, f.limits.archive)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	z, err := zip.NewReader(file, info.Size())
	if err != nil {
		return err
	}
	total, err := f.limits.check(z.File)
	if err != nil {
		return err
	}
	if info, err := fs.Stat(z, f.Folder); err != nil || !info.IsDir() {
		return fmt.Errorf("has no folder %s", f.Folder)
	}
	release, err := fs.Sub(z, f.Folder)
	if err != nil {
		return err
	}
	return os.CopyFS(dir, &unpacking{FS: release, ctx: ctx, progress: f.Progress, total: total})
}

// check checks the names, kinds and stated sizes of an archive's members and returns
// the size of all.
func (l limits) check(members []*zip.File) (total int64, err error) {
	if len(members) > l.entries {
		return 0, fmt.Errorf("has more than %d files and folders, the limit", l.entries)
	}
	bad := func(r rune) bool { return r == '\\' || unicode.IsControl(r) }
	all := uint64(0)
	for _, m := range members {
		switch size := m.UncompressedSize64; {
		case len(m.Name) > l.name:
			return 0, fmt.Errorf("has a file whose name begins with %q and has %d bytes, want at most %d", m.Name[:min(40, len(m.Name))], len(m.Name), l.name)
		case !fs.ValidPath(strings.TrimSuffix(m.Name, "/")) || strings.ContainsFunc(m.Name, bad):
			return 0, fmt.Errorf("has a file with the name %q, want a name inside of the archive without \\ and control characters", m.Name)
		case m.Mode().Type()&^fs.ModeDir != 0:
			return 0, fmt.Errorf("%q is a link or device, want files and folders only", m.Name)
		case size > uint64(l.file):
			return 0, fmt.Errorf("%q is larger than %s, the limit", m.Name, humanize.Bytes(uint64(l.file)))
		default:
			if all += size; all > l.total {
				return 0, fmt.Errorf("has more than %s of files, the limit", humanize.Bytes(uint64(l.total)))
			}
		}
	}
	return int64(all), nil
}

// An unpacking is the content of an archive, with its progress. It ends with its
// context.
type unpacking struct {
	fs.FS
	ctx         context.Context
	progress    func(stage Stage, done, total int64)
	done, total int64
}

// Open opens a file that will be read.
func (u *unpacking) Open(name string) (fs.File, error) {
	if err := u.ctx.Err(); err != nil {
		return nil, err
	}
	file, err := u.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil {
		u.done += info.Size()
		u.progress(Unpacking, min(u.done, u.total), u.total)
	}
	return file, nil
}
