package resumable

import (
	"bytes"
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
		if changed := changedFiles(was, is, files); changed != nil {
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

// changedFiles returns the files whose digests differ between two texts that are alike.
func changedFiles(was, is any, files map[string]string) (changed []string) {
	old, now := strings.Fields(fmt.Sprint(was)), strings.Fields(fmt.Sprint(is))
	for i, word := range now {
		if file := files[strings.Trim(word, ";")]; file != "" && len(old) == len(now) && word != old[i] {
			changed = append(changed, file)
		}
	}
	return changed
}

func orNone(v any) string {
	if v == nil || v == "" {
		return "none"
	}
	return fmt.Sprint(v)
}
