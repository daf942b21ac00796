package resumable

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"descbench/files"
	"descbench/pipeline/store"
)

// A part is the record of a complete part.
type part struct {
	Name   string            `json:"part"`
	Input  string            `json:"input"`  // digest of what the part was made from
	Result json.RawMessage   `json:"result"` // what the command reports about the part
	Files  map[string]string `json:"files"`  // SHA-256 by path, relative to the folder
	Check  string            `json:"check"`  // SHA-256 of the settings and of the record without this value
}

// records is the content of the file that marks a complete folder.
type records struct {
	Parts []part `json:"parts"`
}

// sealed returns the record with its checksum, which covers the settings, so that
// parts made with other settings are never taken for ours.
func (f *Folder) sealed(p part) (part, error) {
	p.Check = ""
	text, err := json.Marshal(p)
	if err != nil {
		return p, err
	}
	p.Check = store.SHA256(slices.Concat(f.settings, text))
	return p, nil
}

// intact reports whether the record is as it was written, with the same settings.
func (f *Folder) intact(p part) bool {
	same, err := f.sealed(p)
	return err == nil && same.Check == p.Check
}

// ending returns the path of the joined records.
func (f *Folder) ending() string {
	return filepath.Join(f.dir, strings.TrimSuffix(f.record, ".json")+".parts.json")
}

// recordOf returns the path of the record of a part until the records are joined.
func (f *Folder) recordOf(name string) string {
	return filepath.Join(f.unfinished(), "parts", url.PathEscape(name)+".json")
}

// readRecords returns the intact records of all parts, by name. Parts whose records
// are damaged are made again.
func (f *Folder) readRecords() (map[string]part, error) {
	all := make(map[string]part)
	var joined records
	if err := readJSON(f.ending(), &joined); err != nil {
		return nil, err
	}
	for _, p := range joined.Parts {
		if f.intact(p) {
			all[p.Name] = p
		}
	}
	single, err := os.ReadDir(filepath.Join(f.unfinished(), "parts"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range single {
		base, isRecord := strings.CutSuffix(e.Name(), ".json")
		name, err := url.PathUnescape(base)
		if !isRecord || err != nil {
			continue
		}
		p, err := f.readRecord(name)
		if err != nil {
			return nil, err
		}
		if p != nil {
			all[name] = *p
		}
	}
	return all, nil
}

// readRecord returns the record of a part that is not in the joined records, or nil
// if there is none or it is damaged.
func (f *Folder) readRecord(name string) (*part, error) {
	var p part
	if err := readJSON(f.recordOf(name), &p); err != nil || p.Name != name || !f.intact(p) {
		return nil, err
	}
	return &p, nil
}

// readJSON reads a file if it exists and is JSON.
func readJSON(path string, v any) error {
	text, err := files.Read(path, maxRecord)
	if err == nil {
		_ = json.Unmarshal(text, v)
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return store.WriteBytes(path, append(text, '\n'))
}

// FileDigest returns the SHA-256 of a file, in hexadecimal.
func FileDigest(path string) (string, error) { return store.FileDigest(path, maxInput) }

// maxInput limits the files of parts, and those they are made from, in bytes.
const maxInput = 1 << 40
