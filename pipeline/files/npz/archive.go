package npz

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strings"
)

const (
	// maxDirectory limits the list of members of an archive in bytes. It has room
	// for 100 000 members; each takes several times its bytes in memory.
	maxDirectory = 8 << 20
	// maxInflated limits a compressed member after decompression in bytes, because
	// a small file can expand a thousandfold. It has room for a million SIFT
	// descriptors as float32. Uncompressed members cannot be larger than the file.
	maxInflated = 512 << 20
	// deflateRatio is the maximum expansion of deflate (zlib.net, "zlib technical
	// details").
	deflateRatio = 1032
)

// A Member is one file of an archive: an array or a file in another format.
type Member struct {
	Name    string // file name; arrays end in ".npy"
	Content []byte
}

// WriteArchive writes the members in the given order, uncompressed and without
// timestamps, followed by the archive comment. Equal members give equal bytes.
func WriteArchive(w io.Writer, members []Member, comment string) error {
	z := zip.NewWriter(w)
	for _, m := range members {
		size := uint64(len(m.Content))
		// Raw, because the sizes are known beforehand and no data descriptor is needed.
		out, err := z.CreateRaw(&zip.FileHeader{
			Name: m.Name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(m.Content),
			CompressedSize64: size, UncompressedSize64: size,
		})
		if err != nil {
			return err
		}
		if _, err := out.Write(m.Content); err != nil {
			return err
		}
	}
	if err := z.SetComment(comment); err != nil {
		return err
	}
	return z.Close()
}

// An Archive is an open .npz or other zip file.
type Archive struct {
	all     []string                          // names, in the order of the file
	members map[string]func() ([]byte, error) // arrays are keyed by their name without ".npy"
	read    map[string]bool
	bytes   uint64 // of all members
}

func (a *Archive) add(name string, load func() ([]byte, error)) error {
	name = strings.TrimSuffix(name, ".npy")
	if a.Has(name) {
		return fmt.Errorf("two arrays are named %s", name)
	}
	a.all, a.members[name] = append(a.all, name), load
	return nil
}

func empty() *Archive {
	return &Archive{members: make(map[string]func() ([]byte, error)), read: make(map[string]bool)}
}

// NewArchive opens an archive of the given size in bytes. It fails if two
// members have the same name.
func NewArchive(r io.ReaderAt, size int64) (*Archive, error) {
	directory := &atMost{r, maxDirectory}
	z, err := zip.NewReader(directory, size)
	if err != nil {
		return nil, fmt.Errorf("not an .npz: %w", err)
	}
	directory.left = math.MaxInt // z also reads the headers of members with it
	a := empty()
	for _, f := range z.File {
		if err := a.add(f.Name, func() ([]byte, error) { return load(f, size) }); err != nil {
			return nil, err
		}
		a.bytes += f.UncompressedSize64
	}
	return a, nil
}

// Bytes returns the number of bytes that the members of a zip file have.
func (a *Archive) Bytes() uint64 { return a.bytes }

// FromArrays returns the archive that numpy.savez would make of the contents of .npy
// files, and shares memory with them.
func FromArrays(arrays ...Member) (*Archive, error) {
	a := empty()
	for _, m := range arrays {
		if err := a.add(m.Name, func() ([]byte, error) { return m.Content, nil }); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// An atMost reads the directory of an archive and fails beyond a number of
// bytes.
type atMost struct {
	io.ReaderAt
	left int
}

func (r *atMost) ReadAt(p []byte, offset int64) (int, error) {
	if r.left -= len(p); r.left < 0 {
		return 0, fmt.Errorf("its directory is larger than %d bytes", maxDirectory)
	}
	return r.ReaderAt.ReadAt(p, offset)
}

// Has reports whether the archive contains an array of this name.
func (a *Archive) Has(name string) bool { return a.members[name] != nil }

// Unread returns the names of the members that have not been read yet, in
// archive order.
func (a *Archive) Unread() []string {
	var names []string
	for _, name := range a.all {
		if !a.read[name] {
			names = append(names, name)
		}
	}
	return names
}

// Array reads one array. Errors contain its name.
func (a *Archive) Array(name string) (Array, error) {
	content, err := a.Read(name)
	if err != nil {
		return Array{}, err
	}
	array, err := Parse(content)
	if err != nil {
		return Array{}, fmt.Errorf("%s: %w", name, err)
	}
	return array, nil
}

// Numbers returns the elements of an array that has a few, the first three of more, and nil
// without the array. Errors contain its name.
func (a *Archive) Numbers(name string) ([]float64, error) {
	if !a.Has(name) {
		return nil, nil
	}
	array, err := a.Array(name)
	if err != nil {
		return nil, err
	}
	values := []float64{}
	err = array.Each(func(_ int, v float64) error {
		if len(values) < 3 {
			values = append(values, v)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return values, nil
}

// Read returns the content of a member and verifies its checksum. Errors
// contain the member's name.
func (a *Archive) Read(name string) ([]byte, error) {
	if !a.Has(name) {
		return nil, fmt.Errorf("no array %s; found %q", name, a.all)
	}
	a.read[name] = true
	content, err := a.members[name]()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return content, nil
}

// load reads a member of an archive of the given size in bytes. It checks the declared sizes
// before it allocates memory, because they may be corrupt or forged.
func load(f *zip.File, size int64) ([]byte, error) {
	if f.Flags&1 != 0 { // APPNOTE.TXT, section 4.4.4
		return nil, errors.New("the array is encrypted, want an archive without a password")
	}
	most := uint64(size)
	if f.Method != zip.Store {
		most = min(maxInflated, deflateRatio*min(f.CompressedSize64, most))
	}
	if f.UncompressedSize64 > most {
		return nil, fmt.Errorf("%d bytes declared, want at most %d; larger arrays must be stored uncompressed (numpy.savez)", f.UncompressedSize64, most)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	var content bytes.Buffer
	content.Grow(int(f.UncompressedSize64) + bytes.MinRead)
	_, err = content.ReadFrom(r) // to the end, where r compares size and checksum, unless that is 0
	if err == nil && f.CRC32 == 0 && crc32.ChecksumIEEE(content.Bytes()) != 0 {
		err = zip.ErrChecksum
	}
	return content.Bytes(), err
}
