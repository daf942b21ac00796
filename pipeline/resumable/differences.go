package resumable

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// differences lists the values that differ between two records of settings, as
// key: old -> new. Instead of a text with other digests, it lists the files that these
// are of.
func differences(was, is []byte, files map[string]string) []string {
	values := func(text []byte) (v any) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()    // as written
		_ = d.Decode(&v) // a damaged record differs as a whole
		return v
	}
	if list := differing("", values(was), values(is), files); list != nil {
		return list
	}
	return []string{"the format of the record"}
}

func differing(key string, was, is any, files map[string]string) (list []string) {
	old, both := was.(map[string]any)
	now, also := is.(map[string]any)
	if !both || !also {
		if changed, only := changedFiles(was, is, files); only {
			return changed
		}
		if !reflect.DeepEqual(was, is) {
			list = append(list, fmt.Sprintf("%s: %s -> %s", key, orNone(was), orNone(is)))
		}
		return list
	}
	names := slices.Collect(maps.Keys(now))
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(names, maps.Keys(old))))) {
		list = append(list, differing(strings.TrimPrefix(key+"."+name, "."), old[name], now[name], files)...)
	}
	return list
}

// changedFiles returns the files whose digests differ between two texts, and whether only
// digests do. It names none if there are more or fewer: the list of the files differs, too.
func changedFiles(was, is any, files map[string]string) (changed []string, only bool) {
	words := func(v any) []string { return strings.Fields(strings.ReplaceAll(fmt.Sprint(v), ";", "")) }
	old, now := words(was), words(is)
	for _, word := range now {
		if slices.Contains(old, word) {
			continue
		}
		if files[word] == "" {
			return nil, false
		}
		changed = append(changed, files[word])
	}
	if len(old) == len(now) {
		return changed, changed != nil
	}
	return nil, !slices.ContainsFunc(old, func(word string) bool { return !slices.Contains(now, word) && len(word) < 2*sha256.Size })
}

func orNone(v any) string {
	if v == nil || v == "" {
		return "none"
	}
	return fmt.Sprint(v)
}
