package store

import (
	"fmt"
	"io"
	"os"
	"strings"

	"descbench/keypoints/npz"
	"descbench/keypoints/openfile"
)

// A container is a zip file of named, uncompressed members: arrays (an .npz) or
// Parquet files. The zip format stores the length and the CRC-32 of each member's
// content but does not protect the names. Therefore the archive's comment,
// "descbench <kind> <version> <checksum>", contains a checksum of the list of
// members.
//
// The other fields of the format are either checked on reading or do not affect
// the result.

// containerVersion is incremented when the meaning of members changes.
const containerVersion = 1

// maxUnit limits a unit or cache entry in bytes, which is read as a whole. It has
// room for 16 million descriptors of one image.
const maxUnit = 8 << 30

// writeContainer writes the members in the given order and without time stamps,
// so that equal members give equal bytes.
func writeContainer(path, kind string, members []npz.Member) error {
	return WriteFile(path, func(w io.Writer) error {
		return npz.WriteArchive(w, members, containerComment(kind, npz.ListSum(members)))
	})
}

func containerComment(kind string, listSum uint32) string {
	return fmt.Sprintf("descbench %s %d %08x", kind, containerVersion, listSum)
}

// readContainer opens path and calls read, which must read every member. A member
// left unread is an error, because it may be a renamed member that read took for
// absent. readContainer marks errors from read as ErrDamaged.
func readContainer(path, kind string, read func(*npz.Archive) error) error {
	f, err := openfile.Open(path, maxUnit)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := readAll(f, info.Size(), kind, read); err != nil {
		return damaged(path, err)
	}
	return nil
}

func readAll(f *os.File, size int64, kind string, read func(*npz.Archive) error) error {
	a, err := npz.NewArchive(f, size)
	if err != nil {
		return err
	}
	if want := containerComment(kind, a.ListSum()); a.Comment() != want {
		return fmt.Errorf("want the comment %q, found %q", want, a.Comment())
	}
	if err := read(a); err != nil {
		return err
	}
	if left := a.Unread(); len(left) > 0 {
		return fmt.Errorf("unknown members: %s", strings.Join(left, ", "))
	}
	return nil
}
