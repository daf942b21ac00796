package npz

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// A Member is an array by its name in an archive.
type Member struct {
	Name  string // without ".npy"
	Array Array
}

// An Archive is an open .npz.
type Archive struct {
	zip     *zip.Reader
	members map[string]*zip.File
}

// NewArchive opens the archive of the given size in bytes. Two arrays of one
// name are an error.
func NewArchive(r io.ReaderAt, size int64) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("not an .npz: %w", err)
	}
	a := &Archive{zip: z, members: map[string]*zip.File{}}
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, ".npy")
		if a.members[name] != nil {
			return nil, fmt.Errorf("two arrays are called %s", name)
		}
		a.members[name] = f
	}
	return a, nil
}

// Names returns the names of the arrays, in the order of the archive.
func (a *Archive) Names() []string {
	var names []string
	for _, f := range a.zip.File {
		names = append(names, strings.TrimSuffix(f.Name, ".npy"))
	}
	return names
}

// Has reports whether there is an array of that name.
func (a *Archive) Has(name string) bool { return a.members[name] != nil }

// Read reads one array. Errors name it.
func (a *Archive) Read(name string) (Array, error) {
	f := a.members[name]
	if f == nil {
		return Array{}, fmt.Errorf("no array %s among those there are: %q", name, a.Names())
	}
	r, err := f.Open()
	if err != nil {
		return Array{}, fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	array, err := Read(r)
	if err != nil {
		return Array{}, fmt.Errorf("%s: %w", name, err)
	}
	return array, nil
}

// WriteArchive writes the members in the order given, uncompressed and without
// times, so that equal members give equal bytes.
func WriteArchive(w io.Writer, members []Member) error {
	z := zip.NewWriter(w)
	for _, m := range members {
		var content bytes.Buffer
		if _, err := m.Array.WriteTo(&content); err != nil {
			return err
		}
		// Raw: with the sizes known beforehand no data descriptor need follow.
		size := uint64(content.Len())
		out, err := z.CreateRaw(&zip.FileHeader{
			Name: m.Name + ".npy", Method: zip.Store, CRC32: crc32.ChecksumIEEE(content.Bytes()),
			CompressedSize64: size, UncompressedSize64: size,
		})
		if err != nil {
			return err
		}
		if _, err := out.Write(content.Bytes()); err != nil {
			return err
		}
	}
	return z.Close()
}
