package fetch

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
)

// The first bytes of archives.
const (
	zipStart  = "PK\x03\x04"
	gzipStart = "\x1f\x8b"
)

// formatOf returns the format of an archive with these first bytes: zip, tar.gz, or
// "" for anything else.
func formatOf(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte(zipStart)):
		return "zip"
	case bytes.HasPrefix(head, []byte(gzipStart)):
		return "tar.gz"
	}
	return ""
}

// An entry is a member of an archive.
type entry struct {
	name string
	mode fs.FileMode // of the type only
	size int64       // as stated, bytes
	open func() (io.ReadCloser, error)
}

// eachEntry visits the members of an archive in their order. room is asked for the
// size of all members, if the archive states it first. done is told how many bytes of
// the archive's total have been read.
func eachEntry(ctx context.Context, archive string, room func(bytes int64) error, done func(done, total int64), visit func(entry) error) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	head := make([]byte, len(zipStart))
	if _, err := file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	checked := func(e entry) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return visit(e)
	}
	switch formatOf(head) {
	case "zip":
		return eachInZip(file, info.Size(), room, done, checked)
	case "tar.gz":
		return eachInTar(file, func(read int64) { done(read, info.Size()) }, checked)
	}
	return fmt.Errorf("begins with %q, want a zip or tar.gz archive", head)
}

func eachInZip(file *os.File, size int64, room func(bytes int64) error, done func(done, total int64), visit func(entry) error) error {
	z, err := zip.NewReader(file, size)
	if err != nil {
		return err
	}
	var all uint64
	for _, f := range z.File {
		all = min(all+min(f.UncompressedSize64, math.MaxInt64), math.MaxInt64)
	}
	if err := room(int64(all)); err != nil {
		return err
	}
	read := int64(0)
	for _, f := range z.File {
		if err := visit(entry{f.Name, f.Mode().Type(), int64(min(f.UncompressedSize64, math.MaxInt64)), f.Open}); err != nil {
			return err
		}
		read = min(size, read+int64(min(f.CompressedSize64, 1<<40)))
		done(read, size)
	}
	return nil
}

func eachInTar(file *os.File, done func(read int64), visit func(entry) error) error {
	counted := &counter{r: file}
	z, err := gzip.NewReader(bufio.NewReaderSize(counted, 1<<18))
	if err != nil {
		return err
	}
	t := tar.NewReader(z)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, io.LimitReader(z, 1<<20)) // to the checksum
			return err
		}
		if err != nil {
			return err
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		mode := h.FileInfo().Mode().Type()
		if h.Typeflag == tar.TypeLink {
			mode = fs.ModeSymlink // links of both kinds are refused
		}
		if err := visit(entry{h.Name, mode, h.Size, func() (io.ReadCloser, error) { return io.NopCloser(t), nil }}); err != nil {
			return err
		}
		done(counted.n)
	}
}

// A counter counts the bytes read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}
