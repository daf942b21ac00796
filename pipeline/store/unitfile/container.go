// Package unitfile reads and writes the units of a run, from which a killed run
// resumes, and the cache of detections, features and estimates. Both are kept in containers.
//
// A container is a zip file of named, uncompressed members. The archive's comment,
// which ends the file, is
//
//	descbench <kind> <version> <identity> <checksum>
//
// The checksum is the CRC-32 of all bytes before it, so that any altered byte is
// noticed. A cache entry is a container of arrays (an .npz), whose identity is its key.
// The container of a scene has units as its members, in whose names the keys are.
package unitfile

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"

	"descbench/pipeline/files"
	"descbench/pipeline/files/npz"
	"descbench/pipeline/store"
)

// Version is the version of containers and of the arrays in them. It is incremented when their
// form changes, or their meaning. Records have a version of their own.
const Version = 2

// stateOf returns how the comment of a container of a kind begins.
func stateOf(kind string) string { return fmt.Sprintf("descbench %s %d ", kind, Version) }

const (
	checksumDigits = 8
	// maxComment is larger than the comment of any container.
	maxComment = 256
)

// A container is the path of one below a folder, and the identity of the content
// that belongs there.
type container struct {
	root                 store.Root
	path, kind, identity string
}

// maxUnit limits a container in bytes. It has room for 16 million descriptors of one image.
const maxUnit = 8 << 30

// archived returns a zip file of members in the given order and without time stamps, so that
// equal members give equal bytes.
func archived(members []npz.Member, comment string) ([]byte, error) {
	var b bytes.Buffer
	size := maxComment
	for _, m := range members {
		size += len(m.Content) + 2*len(m.Name) + 100 // with its two headers
	}
	b.Grow(size)
	err := npz.WriteArchive(&b, members, comment)
	return b.Bytes(), err
}

// write writes the container by put.
func (c container) write(members []npz.Member, put func(path string, content []byte) error) error {
	b, err := archived(members, fmt.Sprintf("%s%s %0*d", stateOf(c.kind), c.identity, checksumDigits, 0))
	if err != nil {
		return fmt.Errorf("write %s: %w", c.path, err)
	}
	content := b[:len(b)-checksumDigits]
	return put(c.path, fmt.Appendf(content, "%0*x", checksumDigits, crc32.ChecksumIEEE(content)))
}

// read opens the container, checks all of its bytes if that is wanted, and calls read. Errors about
// the content are Unusable.
func (c container) read(check bool, read func(*npz.Archive) error) error {
	f, err := files.Open(c.path, maxUnit)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if check {
		err = c.check(f, info.Size())
	}
	if errors.Is(err, store.ErrForeign) {
		return fmt.Errorf("%s: %w", c.path, err)
	}
	if err == nil {
		err = open(f, info.Size(), read)
	}
	if err != nil {
		return store.Damaged(c.path, err)
	}
	return nil
}

// open opens an archive that archived has made.
func open(r io.ReaderAt, size int64, read func(*npz.Archive) error) error {
	a, err := npz.NewArchive(r, size)
	if err == nil && a.Bytes() > uint64(size) {
		err = errors.New("its members are compressed or overlap")
	}
	if err != nil {
		return err
	}
	return read(a)
}

// check checks the comment and the checksum.
func (c container) check(f *os.File, size int64) error {
	tail := make([]byte, min(size, maxComment))
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return err
	}
	start := bytes.LastIndex(tail, []byte("descbench "))
	if start < 0 {
		return errors.New("it does not end with a checksum")
	}
	found := string(tail[start:])
	checksum := found[strings.LastIndexByte(found, ' ')+1:]
	sum := crc32.NewIEEE()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size-checksumDigits)); err != nil {
		return err
	}
	if sum := fmt.Sprintf("%0*x", checksumDigits, sum.Sum32()); checksum != sum {
		return errors.New("its content does not fit the checksum at its end")
	}
	if want := stateOf(c.kind) + c.identity; !strings.HasPrefix(found, want+" ") {
		return fmt.Errorf("%w: it is of another kind, version or key, %.60q, want %.60q", store.ErrForeign, found, want)
	}
	return nil
}
