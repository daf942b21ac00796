package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"descbench/eval/spelling"
	"descbench/pipeline/files"
)

// An Output is a folder that a command fills part by part. A part is a file, or a folder that Make
// creates: it appears when it is complete, so that a command that was interrupted can be repeated.
// All parts depend on the settings. A record in the folder has these and the names of the parts.
type Output struct {
	Dir       string
	Record    string // name of the file in Dir
	Settings  any    // as JSON
	Parts     []string
	Overwrite bool // remove the parts that are there

	Input   string   // what parts are made of, such as strips
	Changed []string // which of it was other when parts that are there were made
}

// An outputRecord is the content of the record.
type outputRecord struct {
	Settings json.RawMessage `json:"settings"`
	Parts    []string        `json:"parts"` // also those of earlier calls, sorted
}

// maxRecord limits a record in bytes. It has room for a million parts.
const maxRecord = 1 << 28

// Begin writes the record. It returns a *Fault if there are parts with other settings or of other input, or
// some that the record does not name.
func (o Output) Begin() error {
	if root, err := os.OpenRoot(o.Dir); err == nil {
		Root(o.Dir).clearOnce(root, ".")
		_ = root.Close()
	}
	path, was := filepath.Join(o.Dir, o.Record), outputRecord{}
	text, err := files.Read(path, maxRecord)
	if IgnoreMissing(err) != nil {
		return err
	}
	if err == nil {
		_ = json.Unmarshal(text, &was) // one of another form names no parts
	}
	for _, part := range o.Parts {
		if !slices.Contains(was.Parts, part) && o.Has(part) {
			return Faultf(filepath.Join(o.Dir, part), "exists, but %s does not say how it was made; remove it, or choose another folder", o.Record)
		}
	}
	was.Parts = slices.DeleteFunc(was.Parts, func(part string) bool { return !filepath.IsLocal(part) || !o.Has(part) })
	settings, err := json.Marshal(o.Settings)
	if err != nil {
		return err
	}
	const most = 6 // changes to name
	other, changed := "settings", differing("", asWritten(was.Settings), asWritten(settings))
	if changed == nil {
		other, changed = o.Input, o.Changed
	}
	switch {
	case o.Overwrite:
		for ; len(was.Parts) > 0; was.Parts = was.Parts[1:] {
			if err := Root(o.Dir).RemoveFolder(filepath.Join(o.Dir, was.Parts[0])); err != nil {
				return err
			}
		}
	case len(was.Parts) > 0 && changed != nil:
		return Faultf(path, "the folder was made with other %s; use --overwrite to replace it, or choose another folder; changed: %s", other, spelling.Few(changed, most))
	}
	parts := slices.Sorted(slices.Values(slices.Concat(was.Parts, o.Parts)))
	now, err := json.MarshalIndent(outputRecord{settings, slices.Compact(parts)}, "", "  ")
	if now = append(now, '\n'); err != nil || bytes.Equal(now, text) {
		return err
	}
	if text != nil {
		return Root(o.Dir).WriteBytes(path, now)
	}
	if err = Root(o.Dir).CreateFile(path, now); errors.Is(err, fs.ErrExist) { // by another process
		return o.Begin()
	}
	return err
}

// Has reports whether a part is there.
func (o Output) Has(part string) bool {
	entries, err := os.ReadDir(filepath.Join(o.Dir, part))
	return err == nil && len(entries) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// Make creates a part that is a folder, in place of what is there. Another process may do so at the same time.
func (o Output) Make(part string, fill func(temporary string) error) error {
	path := filepath.Join(o.Dir, part)
	if err := Root(o.Dir).RemoveFolder(path); err != nil {
		return err
	}
	if err := Root(o.Dir).CreateFolder(path, fill); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// differing lists the values that differ between two records of settings, as key: old -> new, or
// the key alone if they are long, or have keys themselves.
func differing(key string, was, is any) (list []string) {
	old, both := was.(map[string]any)
	now, also := is.(map[string]any)
	if !both || !also {
		if text := fmt.Sprintf("%s: %s -> %s", key, orNone(was), orNone(is)); len(text) < 200 && !strings.Contains(text, "map[") {
			key = text
		}
		if !reflect.DeepEqual(was, is) {
			list = append(list, key)
		}
		return list
	}
	all := maps.Clone(old)
	maps.Copy(all, now)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, differing(strings.TrimPrefix(key+"."+name, "."), old[name], now[name])...)
	}
	return list
}

// asWritten decodes JSON, with numbers as they are written.
func asWritten(text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	_ = d.Decode(&v) // what is damaged differs as a whole
	return v
}

func orNone(v any) string {
	if v == nil || v == "" {
		return "none"
	}
	return fmt.Sprint(v)
}
