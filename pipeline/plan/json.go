package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"descbench/pipeline/files"
	"descbench/pipeline/store"
)

// A sealed text ends with its SHA-256, so that an altered byte is noticed when
// the file is read back: as the last member of a JSON object, as a comment in
// YAML and HTML.
type seal struct{ before, after string }

var (
	pageSeal = seal{"<!-- sha256 of the lines above: ", " -->\n"}
	jsonSeal = seal{",\n  \"sha256\": \"", "\"\n}\n"}
	yamlSeal = seal{"# sha256 of the lines above: ", "\n"}
)

// maxSealed limits the size of a sealed file in bytes, which may come from
// outside. It has room for the digests of all files of 100 000 scenes.
const maxSealed = 256 << 20

// seal returns a text with its seal.
func (s seal) seal(text []byte) []byte { return slices.Concat(text, s.of(text)) }

func (s seal) of(text []byte) []byte { return []byte(s.before + store.SHA256(text) + s.after) }

// read returns a text without its seal. The error about a text that is not the
// one written wraps store.ErrDamaged.
func (s seal) read(path string) ([]byte, error) {
	b, err := files.Read(path, maxSealed)
	if err != nil {
		return nil, Fault(err)
	}
	text := b[:max(0, len(b)-len(s.of(nil)))]
	if !bytes.Equal(b[len(text):], s.of(text)) {
		return nil, Faultf("%s: %w: it does not end with the SHA-256 of its content", path, store.ErrDamaged)
	}
	return text, nil
}

// WriteJSON is like Folder.WriteJSON for a file that is in no run folder.
func WriteJSON(path string, v any) error { return Folder(filepath.Dir(path)).WriteJSON(path, v) }

// jsonBytes returns the content of a sealed JSON file.
func jsonBytes(path string, v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	text, isObject := bytes.CutSuffix(b, []byte("\n}"))
	if !isObject {
		return nil, fmt.Errorf("%s: want an object with members, found %.20s", path, b)
	}
	return jsonSeal.seal(text), nil
}

// ReadJSON reads a file written by WriteJSON. The error for a missing file
// matches fs.ErrNotExist; an error about the content wraps store.ErrDamaged.
func ReadJSON(path string, v any) error {
	text, err := jsonSeal.read(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(append(text, "\n}"...), v); err != nil {
		return Faultf("%s: %w: %w", path, store.ErrDamaged, err)
	}
	return nil
}

// Missing reports whether a file does not exist.
func Missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// WritePage writes a page of a report, sealed, to a path below the given folder. It
// replaces nothing but such pages.
func WritePage(root, path string, page []byte) error {
	if err := Replaceable(path); err != nil {
		return err
	}
	return Fault(store.Root(root).WriteBytes(path, pageSeal.seal(page)))
}

// Replaceable returns an error if a file exists and is no page that WritePage has written,
// even one that somebody changed.
func Replaceable(path string) error { return Fault(store.Replaceable(path, nil, pageSeal.before)) }

// CheckPage returns an error unless a page is as WritePage has written it.
func CheckPage(path string) error {
	_, err := pageSeal.read(path)
	return err
}
