package config

import (
	"slices"
	"strings"

	"descbench/eval/spelling"
)

// oneOf lists the allowed words and suggests the one nearest to word.
func oneOf(word string, allowed []string) string {
	if len(allowed) == 0 {
		return "but there are none to choose from"
	}
	if len(allowed) == 1 {
		return "want " + allowed[0]
	}
	return "want one of " + strings.Join(allowed, ", ") + spelling.Hint(word, allowed)
}

// Places returns the full names of the keys of a config that end in a word:
// evaluation.tolerance_px for tolerance_px, keypoint_sets[NAME].top for top, of any type.
func Places(word string) []string {
	var all []string
	var walk func(outer string, c codec)
	walk = func(outer string, c codec) {
		m, _ := mappingOf(c)
		if list, is := c.(nester); is && list.many() {
			outer += "[NAME]"
		}
		fields := slices.Clone(m.fields)
		m.variants.each(func(string) { fields = append(fields, m.variants.rest()...) })
		for _, f := range fields {
			name := within(outer, f.key)
			if outer != "" && f.key == spelling.Fold(word) && !slices.Contains(all, name) {
				all = append(all, name)
			}
			walk(name, f.value)
		}
	}
	walk("", allSections(&Config{}))
	return all
}

// orElsewhere is oneOf for a key. It suggests where the key belongs, if few places have it.
func orElsewhere(word string, allowed []string) string {
	const most = 3
	if places := Places(word); 0 < len(places) && len(places) <= most && !slices.Contains(allowed, spelling.Fold(word)) {
		return oneOf("", allowed) + spelling.Meant(strings.Join(places, " or "))
	}
	return oneOf(word, allowed)
}

// wanted shows the form of a mapping.
func (m mapping) wanted() string {
	const most = 5
	var keys []string
	for _, f := range m.fields {
		keys = append(keys, f.key+": ...")
	}
	if m.variants != nil {
		keys = append([]string{"type: ..."}, keys...)
	}
	if len(keys) > most {
		keys = append(keys[:most-1], "...")
	}
	return "{" + strings.Join(keys, ", ") + "}"
}
