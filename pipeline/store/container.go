package store

import (
	"fmt"
	"io"
	"os"
	"strings"

	"descbench/keypoints/npz"
)

// A container is a zip file of named members, stored uncompressed: of arrays
// (an .npz) or of Parquet files. The zip format has the length and the CRC-32
// of each member's content; nothing in it protects the names, so the archive's
// comment, "descbench <kind> <version> <checksum>", has a checksum of the list
// of members.
//
// The other fields of the format are either checked when it is read or have no
// influence on what is read here.

// containerVersion counts changes to what members mean.
const containerVersion = 1

// writeContainer writes the members in the order given, without times, so that
// equal members give equal bytes.
func writeContainer(path, kind string, members []npz.Member) error {
	return WriteFile(path, func(w io.Writer) error {
		return npz.WriteArchive(w, members, containerComment(kind, npz.ListSum(members)))
	})
}

func containerComment(kind string, listSum uint32) string {
	return fmt.Sprintf("descbench %s %d %08x", kind, containerVersion, listSum)
}

// readContainer opens path and calls read, which must read every member: one
// that it leaves may be what it took for absent. What read finds wrong is
// damage.
func readContainer(path, kind string, read func(*npz.Archive) error) error {
	f, err := os.Open(path)
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
