// Package unitfile reads and writes the units of a run, from which a killed run
// resumes, and the cache of features and detections. Each is a container.
//
// A container is a zip file of named, uncompressed members: arrays (an .npz) or
// Parquet files. The archive's comment, which ends the file, is
//
//	descbench <kind> <version> <identity> <checksum>
//
// The checksum is the CRC-32 of all bytes before it, so that any altered byte is
// noticed. The identity tells whose content it is: a sound file that was copied
// from another run or another cache entry is noticed as well.
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

// versions are the versions of kinds of containers, 2 of those that are not listed. One
// is incremented when the form of containers or the meaning of the kind's members changes.
var versions = map[string]int{kindEval: 4, kindTasks: 3}

// stateOf returns how the comment of a container of a kind begins.
func stateOf(kind string) string {
	return fmt.Sprintf("descbench %s %d ", kind, max(2, versions[kind]))
}

const (
	kindEval  = "eval"
	kindTasks = "tasks"
	kindSets  = "sets"

	checksumDigits = 8
	// maxComment is larger than the comment of any container.
	maxComment = 256
)

// A UnitFile is the path of a container below a folder, and the identity of the content
// that belongs there: a Key of everything that the content is computed from.
type UnitFile struct {
	Root           store.Root
	Path, Identity string
}

// maxUnit limits a unit or cache entry in bytes, which is read as a whole. It has
// room for 16 million descriptors of one image.
const maxUnit = 8 << 30

// writeContainer writes the members in the given order and without time stamps,
// so that equal members give equal bytes.
func writeContainer(u UnitFile, kind string, members []npz.Member) error {
	var b bytes.Buffer
	size := maxComment
	for _, m := range members {
		size += len(m.Content) + 2*len(m.Name) + 100 // with its two headers
	}
	b.Grow(size)
	comment := fmt.Sprintf("%s%s %0*d", stateOf(kind), u.Identity, checksumDigits, 0)
	if err := npz.WriteArchive(&b, members, comment); err != nil {
		return fmt.Errorf("write %s: %w", u.Path, err)
	}
	content := b.Bytes()[:b.Len()-checksumDigits]
	return u.Root.WriteBytes(u.Path, fmt.Appendf(content, "%0*x", checksumDigits, crc32.ChecksumIEEE(content)))
}

// readContainer checks all bytes of a container and calls read. It marks errors
// from read as ErrDamaged.
func readContainer(u UnitFile, kind string, read func(*npz.Archive) error) error {
	f, err := files.Open(u.Path, maxUnit)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	err = checkContainer(f, info.Size(), kind, u.Identity)
	if errors.Is(err, store.ErrForeign) {
		return fmt.Errorf("%s: %w", u.Path, err)
	}
	if err == nil {
		var a *npz.Archive
		if a, err = npz.NewArchive(f, info.Size()); err == nil && a.Bytes() > uint64(info.Size()) {
			err = errors.New("its members are compressed or overlap")
		} else if err == nil {
			err = read(a)
		}
	}
	if err != nil {
		return store.Damaged(u.Path, err)
	}
	return nil
}

// checkContainer checks the comment and the checksum.
func checkContainer(f *os.File, size int64, kind, identity string) error {
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
	of, here := strings.CutPrefix(found, stateOf(kind))
	if !here {
		return fmt.Errorf("%w: it is of another kind or version, %q, want %q", store.ErrForeign, found, stateOf(kind))
	}
	if of, _, _ := strings.Cut(of, " "); of != identity {
		return fmt.Errorf("%w: computed from another config, other data or by other software (identity %.12s, want %.12s)", store.ErrForeign, of, identity)
	}
	return nil
}

// CopyEval writes an evaluation that belongs to one place as that of another, whose
// content is computed from the same.
func CopyEval(from, to UnitFile) error { return copyContainer(from, to, kindEval) }

// CopySets is like CopyEval for a file written by WriteSets.
func CopySets(from, to UnitFile) error { return copyContainer(from, to, kindSets) }

func copyContainer(from, to UnitFile, kind string) error {
	if err := readContainer(from, kind, nothing); err != nil {
		return err
	}
	b, err := files.Read(from.Path, maxUnit)
	if err != nil {
		return err
	}
	at := bytes.LastIndex(b, []byte(from.Identity))
	if at < 0 || len(from.Identity) != len(to.Identity) {
		return store.Damaged(from.Path, errors.New("it has changed while being read"))
	}
	copy(b[at:], to.Identity)
	content := b[:len(b)-checksumDigits]
	return to.Root.WriteBytes(to.Path, fmt.Appendf(content, "%0*x", checksumDigits, crc32.ChecksumIEEE(content)))
}
