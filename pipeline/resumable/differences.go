package resumable

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// differences lists the values that differ between two records of settings, as
// key: old -> new.
func differences(was, is []byte) []string {
	old, now := values(was), values(is)
	all := maps.Clone(old)
	maps.Copy(all, now)
	var list []string
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if old[key] != now[key] {
			list = append(list, fmt.Sprintf("%s: %s -> %s", snakeCase(key), orNone(old[key]), orNone(now[key])))
		}
	}
	if list == nil { // for example the layout of the text
		return []string{"the format of the record"}
	}
	return list
}

// snakeCase turns a key that is a field of a Go struct into the name that a config
// uses: RootEach into root_each.
func snakeCase(key string) string {
	var b strings.Builder
	lower := false
	for _, r := range key {
		if unicode.IsUpper(r) && lower {
			b.WriteByte('_')
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func orNone(value string) string {
	switch {
	case value == "":
		return "none"
	case strings.Contains(value, " "):
		return strconv.Quote(value)
	}
	return value
}

// values returns the values of JSON text by their paths.
func values(text []byte) map[string]string {
	found := make(map[string]string)
	var visit func(path string, v any)
	visit = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				if path != "" {
					key = path + "." + key
				}
				visit(key, value)
			}
		case []any:
			for i, value := range v {
				visit(fmt.Sprintf("%s[%d]", path, i), value)
			}
		default:
			found[path] = fmt.Sprint(v)
		}
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // as written
	if d.Decode(&v) == nil {
		visit("", v)
	}
	return found
}
