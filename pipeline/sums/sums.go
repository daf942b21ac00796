// Package sums reads and writes SHA256SUMS, the file that lists the checksums of
// the files in its folder, in the format of sha256sum. `sha256sum -c SHA256SUMS`
// checks it too.
package sums

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"descbench/files"
)

// File is the name of the file.
const File = "SHA256SUMS"

// limit is the maximum size of the file, in bytes. It has room for 100 000 files.
const limit = 16 << 20

var line = regexp.MustCompile(`^([0-9a-f]{64}) [ *]([^\n]+)$`)

// Format returns the content of the file: a line for each file, sorted by name.
// Names are relative to the folder, with slashes; digests are in hexadecimal.
func Format(digests map[string]string) []byte {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		fmt.Fprintf(&b, "%s  %s\n", digests[name], name)
	}
	return []byte(b.String())
}

// Read returns the digests in the file of the folder dir, by name. The error for a
// missing file matches fs.ErrNotExist, and that for a line in another format is a
// *DamagedError.
func Read(dir string) (map[string]string, error) {
	text, err := files.Read(filepath.Join(dir, File), limit)
	if err != nil {
		return nil, err
	}
	digests := make(map[string]string)
	i := 0
	for l := range strings.Lines(string(text)) {
		i++
		m := line.FindStringSubmatch(strings.TrimRight(l, "\r\n"))
		if m == nil {
			return nil, &DamagedError{i}
		}
		digests[m[2]] = m[1]
	}
	return digests, nil
}

// A DamagedError reports a line that is not a checksum with a file name.
type DamagedError struct{ Line int }

func (e *DamagedError) Error() string { return fmt.Sprintf("line %d of %s is damaged", e.Line, File) }
