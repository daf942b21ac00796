package store

import (
	"archive/zip"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"
)

// A container is a zip file of named members, stored uncompressed: of arrays
// (an .npz) or of Parquet files. The zip format has the length and the CRC-32
// of each member's content; nothing in it protects the names, so the archive's
// comment, "descbench <kind> <version> <checksum>", has a checksum of the list
// of members.
//
// The other fields of the format are either checked by archive/zip or have no
// influence on what is read here.

// containerVersion counts changes to what members mean.
const containerVersion = 1

type member struct {
	name    string
	content []byte
}

// writeContainer writes the members in the order given, without times, so that
// equal members give equal bytes.
func writeContainer(path, kind string, members []member) error {
	return WriteFile(path, func(w io.Writer) error {
		z := zip.NewWriter(w)
		headers := make([]*zip.FileHeader, len(members))
		for i, m := range members {
			size := uint64(len(m.content))
			headers[i] = &zip.FileHeader{
				Name: m.name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(m.content),
				CompressedSize64: size, UncompressedSize64: size,
			}
			// Raw: with the sizes known beforehand the local headers have them
			// too, and readers need no data descriptors.
			out, err := z.CreateRaw(headers[i])
			if err != nil {
				return err
			}
			if _, err := out.Write(m.content); err != nil {
				return err
			}
		}
		if err := z.SetComment(containerComment(kind, headers)); err != nil {
			return err
		}
		return z.Close()
	})
}

func containerComment(kind string, headers []*zip.FileHeader) string {
	sum := crc32.NewIEEE()
	for _, h := range headers {
		// Names contain no NUL; hash.Hash never returns an error.
		_, _ = fmt.Fprintf(sum, "%s\x00%d %08x\n", h.Name, h.UncompressedSize64, h.CRC32)
	}
	return fmt.Sprintf("descbench %s %d %08x", kind, containerVersion, sum.Sum32())
}

// readContainer opens path and calls read, which must read every member: one
// that it leaves may be what it took for absent. What read finds wrong is
// damage.
func readContainer(path, kind string, read func(*container) error) error {
	c, err := openContainer(path, kind)
	if err != nil {
		return err
	}
	defer c.close()
	if err := read(c); err != nil {
		return damaged(path, err)
	}
	var left []string
	for _, m := range c.zip.File {
		if c.has(m.Name) {
			left = append(left, m.Name)
		}
	}
	if len(left) > 0 {
		return damaged(path, fmt.Errorf("unknown members: %s", strings.Join(left, ", ")))
	}
	return nil
}

// A container open for reading. Errors of its methods do not name the file;
// damaged does.
type container struct {
	file   *os.File
	size   int64
	zip    *zip.Reader
	unread map[string]*zip.File
}

// openContainer opens path and checks its list of members.
func openContainer(path, kind string) (_ *container, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // read only: nothing can be lost
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil {
		return nil, damaged(path, err)
	}
	headers := make([]*zip.FileHeader, len(z.File))
	unread := make(map[string]*zip.File, len(z.File))
	for i, m := range z.File {
		headers[i] = &m.FileHeader
		unread[m.Name] = m
	}
	if want := containerComment(kind, headers); z.Comment != want {
		return nil, damaged(path, fmt.Errorf("want the comment %q, found %q", want, z.Comment))
	}
	if len(unread) != len(z.File) {
		return nil, damaged(path, errors.New("two members have the same name"))
	}
	return &container{file: f, size: info.Size(), zip: z, unread: unread}, nil
}

func (c *container) close() {
	_ = c.file.Close() // read only: nothing can be lost
}

// has reports whether there is a member of this name that was not read yet.
func (c *container) has(name string) bool { return c.unread[name] != nil }

// read returns the content of a member, checked. A member is read once.
func (c *container) read(name string) ([]byte, error) {
	m := c.unread[name]
	if m == nil {
		return nil, fmt.Errorf("%s is missing", name)
	}
	delete(c.unread, name)
	if m.Method != zip.Store || m.CompressedSize64 != m.UncompressedSize64 {
		return nil, fmt.Errorf("%s: want it stored uncompressed", name)
	}
	start, err := m.DataOffset()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if start > c.size || m.UncompressedSize64 > uint64(c.size-start) {
		return nil, fmt.Errorf("%s: %d bytes at %d exceed the file's %d", name, m.UncompressedSize64, start, c.size)
	}
	content := make([]byte, m.UncompressedSize64)
	if _, err := c.file.ReadAt(content, start); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if sum := crc32.ChecksumIEEE(content); sum != m.CRC32 {
		return nil, fmt.Errorf("%s: want checksum %08x, found %08x", name, m.CRC32, sum)
	}
	return content, nil
}
