package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"descbench/pipeline/files"
)

// SumsFile is the name of the file that lists the checksums of the files in its folder,
// in the format of sha256sum. `sha256sum -c SHA256SUMS` checks it too.
const SumsFile = "SHA256SUMS"

// maxSums is the maximum size of the file, in bytes. It has room for 100 000 files.
const maxSums = 16 << 20

var sumsLine = regexp.MustCompile(`^([0-9a-f]{64}) [ *]([^\n]+)$`)

// FormatSums returns the content of a SumsFile: a line for each file, sorted by name.
// Names are relative to the folder, with slashes; digests are in hexadecimal.
func FormatSums(digests map[string]string) []byte {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		fmt.Fprintf(&b, "%s  %s\n", digests[name], name)
	}
	return []byte(b.String())
}

// ReadSums returns the digests in the SumsFile of a folder, by name. The error for a
// missing file matches fs.ErrNotExist, and that for a line in another format ErrDamaged.
func ReadSums(dir string) (map[string]string, error) {
	text, err := files.Read(filepath.Join(dir, SumsFile), maxSums)
	if err != nil {
		return nil, err
	}
	digests := make(map[string]string)
	i := 0
	for l := range strings.Lines(string(text)) {
		i++
		m := sumsLine.FindStringSubmatch(strings.TrimRight(l, "\r\n"))
		if m == nil {
			return nil, unchecked(fmt.Sprintf("line %d of %s is damaged", i, SumsFile))
		}
		digests[m[2]] = m[1]
	}
	return digests, nil
}

// WriteSums writes the checksums of files in the folder dir. If another process
// replaces one of them meanwhile, WriteSums starts over, so that the checksums
// are those of the files that the last process leaves.
func WriteSums(dir string, names ...string) error {
	for {
		before, err := statAll(dir, names)
		if err != nil {
			return err
		}
		digests := make(map[string]string, len(names))
		for _, name := range names {
			if digests[name], err = FileDigest(filepath.Join(dir, name), maxDatabase); err != nil {
				return err
			}
		}
		if err := WriteBytes(filepath.Join(dir, SumsFile), FormatSums(digests)); err != nil {
			return err
		}
		after, err := statAll(dir, names)
		if err != nil {
			return err
		}
		if slices.EqualFunc(before, after, unchanged) {
			return nil
		}
	}
}

// unchanged reports whether two observations are of one file with the same content.
func unchanged(a, b fs.FileInfo) bool { return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) }

func statAll(dir string, names []string) ([]fs.FileInfo, error) {
	infos := make([]fs.FileInfo, len(names))
	for i, name := range names {
		var err error
		if infos[i], err = os.Stat(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return infos, nil
}

// CheckResult checks a result file against the SumsFile in its folder.
func CheckResult(path string) error {
	f, err := OpenResult(path, maxDatabase)
	if err != nil {
		return err
	}
	return f.Close()
}

// OpenResult opens a result file of at most limit bytes after checking it against
// the SumsFile in its folder. Errors about the content wrap ErrDamaged.
func OpenResult(path string, limit int64) (*os.File, error) {
	f, err := files.Open(path, limit)
	if err != nil {
		return nil, err
	}
	if err := checkSum(f, path); err != nil {
		return nil, cmp.Or(Damaged(path, err), f.Close())
	}
	return f, nil
}

// checkSum compares a file with its checksum and returns to its beginning.
func checkSum(f *os.File, path string) error {
	want, err := listedSum(path)
	if err != nil {
		return err
	}
	found, err := sumOfReader(f)
	if err == nil && found != want {
		err = fmt.Errorf("its SHA-256 is %.12s, but %s says %.12s", found, SumsFile, want)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	return err
}

// unchecked is the reason why a file may be damaged: it has no checksum. It matches
// ErrDamaged, because the same remedy helps.
type unchecked string

func (u unchecked) Error() string { return "cannot be checked: " + string(u) }

func (unchecked) Is(target error) bool { return target == ErrDamaged }

// listedSum returns the checksum of a file that the SumsFile in its folder lists.
func listedSum(path string) (string, error) {
	dir, name := filepath.Split(path)
	digests, err := ReadSums(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", unchecked(SumsFile + " is missing, as after an interrupted fold")
	case err == nil && digests[name] == "":
		return "", unchecked(SumsFile + " does not list it")
	}
	return digests[name], err
}

// FileDigest returns the SHA-256 of a regular file of at most limit bytes in
// hexadecimal.
func FileDigest(path string, limit int64) (string, error) {
	f, err := files.Open(path, limit)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return sumOfReader(f)
}

func sumOfReader(r io.Reader) (string, error) {
	h := sha256.New()
	_, err := io.Copy(h, r)
	return hex.EncodeToString(h.Sum(nil)), err
}

// SHA256 returns the SHA-256 of b in hexadecimal.
func SHA256(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
