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
// key: old -> new.
func differences(was, is []byte) []string {
	values := func(text []byte) (v any) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()    // as written
		_ = d.Decode(&v) // a damaged record differs as a whole
		return v
	}
	if list := differing("", values(was), values(is)); list != nil {
		return list
	}
	return []string{"the format of the record"}
}

func differing(key string, was, is any) (list []string) {
	old, both := was.(map[string]any)
	now, also := is.(map[string]any)
	if !both || !also {
		if !reflect.DeepEqual(was, is) {
			list = append(list, fmt.Sprintf("%s: %s -> %s", key, orNone(was), orNone(is)))
		}
		return list
	}
	names := slices.Collect(maps.Keys(now))
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(names, maps.Keys(old))))) {
		list = append(list, differing(strings.TrimPrefix(key+"."+name, "."), old[name], now[name])...)
	}
	return list
}

func orNone(v any) string {
	if v == nil || v == "" {
		return "none"
	}
	return fmt.Sprint(v)
}
