package resumable

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"descbench/pipeline/files"
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

// intact reports whether the record is as it was written, with the same settings. One that
// names files outside of the folder was written by somebody else.
func (f *Folder) intact(p part) bool {
	for file := range p.Files {
		if !filepath.IsLocal(filepath.FromSlash(file)) {
			return false
		}
	}
	same, err := f.sealed(p)
	return err == nil && same.Check == p.Check
}

// ending returns the path of the joined records.
func (f *Folder) ending() string {
	return filepath.Join(f.dir, strings.TrimSuffix(f.record, ".json")+".parts.json")
}

// journal returns the path of the records, a line each, of the parts of a command that
// has not ended.
func (f *Folder) journal() string { return filepath.Join(f.unfinished(), "parts.jsonl") }

// note appends the record of a part to the journal.
func (f *Folder) note(p part) error {
	line, err := json.Marshal(p)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	journal, err := store.Append(f.journal())
	if err != nil {
		return err
	}
	// It begins with a newline, because a killed process may have left half a line.
	_, err = fmt.Fprintf(journal, "\n%s", line)
	return cmp.Or(err, journal.Sync(), journal.Close())
}

// readRecords returns the intact records of all parts, by name. Parts whose records
// are damaged are made again.
func (f *Folder) readRecords() (map[string]part, error) {
	var joined records
	text, err := f.read(f.ending())
	if err != nil {
		return nil, err
	}
	_ = json.Unmarshal(text, &joined)
	if text, err = f.read(f.journal()); err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		var p part
		_ = json.Unmarshal(line, &p)
		joined.Parts = append(joined.Parts, p)
	}
	all := make(map[string]part)
	for _, p := range joined.Parts {
		if f.intact(p) {
			all[p.Name] = p
		}
	}
	return all, nil
}

// Inputs returns, by the names of the recorded parts of a folder, the digests of what they
// were made from; none without a record.
func Inputs(dir, record string) (map[string]string, error) {
	f := &Folder{dir: dir, record: record}
	var err error
	if f.settings, err = f.read(filepath.Join(dir, record)); err != nil {
		return nil, err
	}
	parts, err := f.readRecords()
	inputs := make(map[string]string, len(parts))
	for name, p := range parts {
		inputs[name] = p.Input
	}
	return inputs, err
}

// read returns the content of a file, none if it does not exist.
func (f *Folder) read(path string) ([]byte, error) {
	text, err := files.Read(path, maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// FileDigest returns the SHA-256 of a file, in hexadecimal.
func FileDigest(path string) (string, error) { return store.FileDigest(path, maxInput) }

// maxInput limits the files of parts, and those they are made from, in bytes.
const maxInput = 1 << 40
