package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"descbench/eval/spelling"
)

// An Override is a value for a key that comes from outside the file.
type Override struct {
	Key    string // descriptors[sift].root
	Value  string
	Origin string // how the user gave it: a --set text, a variable
}

// envPrefix begins every variable that sets a value of the config:
// DESCBENCH_EVALUATION_TIES sets evaluation.ties.
const envPrefix = "DESCBENCH_"

// Socket is the variable with the path of the socket on which a program answers calls of its functions.
const Socket = envPrefix + "SOCKET"

// otherVariables begin with envPrefix, too, but belong to other parts of the
// program: the settings of the command line, and the tests, as DESCBENCH_TEST_*; that of the tests is last.
var otherVariables = []string{
	envPrefix + "DATA", envPrefix + "OUT", envPrefix + "DATABASE", envPrefix + "CACHE", envPrefix + "JOBS", envPrefix + "REAL_DATA",
}

// override applies o to the tree under root, and expands its variants, so that
// overrides can refer to the section variants and to descriptors that come from
// it. Variants are added to a list of descriptors that an override gives.
func (d *decoder) override(shape mapping, root *yaml.Node, o Overrides) {
	var after []Override
	for _, one := range d.ordered(shape, o) {
		if strings.HasPrefix(one.Key, variantsKey) || one.Key == "descriptors" {
			d.apply(shape, root, one)
		} else {
			after = append(after, one)
		}
	}
	if !d.expandVariants(root) {
		return
	}
	for _, one := range after {
		if n := valueAt(root, one.Key); o.Note != nil && strings.HasPrefix(one.Origin, envPrefix) && n != nil && d.origin[n] == "" &&
			n.Value != "" && n.Value != one.Value && filepath.Join(d.folder, n.Value) != one.Value {
			o.Note(fmt.Sprintf("%s of the config (%s) is replaced by %s", one.Key, printable(shortened(n.Value)), one.Origin))
		}
		d.apply(shape, root, one)
	}
}

// Sections returns the keys of a config file.
func Sections() []string {
	return spelling.Words(allSections(&Config{}).fields, func(f field) string { return f.key })
}

// anyItem stands for an item of a list, as ofItem matches it, in the full name of a key.
const anyItem = "[NAME]"

var ofItem = regexp.MustCompile(`\[[^\]]*\]`)

// walkKeys calls use for the full names of all keys of a mapping and of the mappings in it, the outer ones first.
// The keys of types come as often as there are types that have them.
func walkKeys(outer string, m mapping, use func(name string, f field)) {
	fields := slices.Clone(m.fields)
	m.variants.each(func(string) { fields = append(append(fields, m.variants.typeField()), m.variants.rest()...) })
	for _, f := range fields {
		name := within(outer, f.key)
		use(name, f)
		below, _ := mappingOf(f.value)
		if n, is := f.value.(nester); is && n.many() {
			name += anyItem
		}
		walkKeys(name, below, use)
	}
}

// settingsOf returns the full names of all single values of a config outside of lists of mappings.
func settingsOf(shape mapping) (all []string) {
	walkKeys("", shape, func(name string, f field) {
		if _, section := mappingOf(f.value); !section && !strings.Contains(name, anyItem) {
			all = append(all, name)
		}
	})
	return all
}

// ordered returns the overrides to apply, one after the other: the later one holds. A section as a whole replaces what
// was set in it before.
func (d *decoder) ordered(shape mapping, o Overrides) []Override {
	all := append(d.environment(settingsOf(shape), o.Env), o.Variables...)
	for _, text := range o.Set {
		if s, fault := parseSet(text); fault != nil {
			d.faults = append(d.faults, fault)
		} else {
			all = append(all, s)
		}
	}
	return append(all, o.Flags...)
}

// environment returns the settings from variables. It ignores empty variables.
func (d *decoder) environment(settings []string, env []string) []Override {
	variables := map[string]string{}
	for _, key := range settings {
		variables[envPrefix+strings.ToUpper(strings.ReplaceAll(key, ".", "_"))] = key
	}
	var found []Override
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case !strings.HasPrefix(name, envPrefix), strings.HasPrefix(name, envPrefix+"TEST_"), name == Socket, slices.Contains(otherVariables, name):
		case variables[name] == "":
			meant := spelling.Slip(name, append(slices.Sorted(maps.Keys(variables)), otherVariables...))
			d.faults = append(d.faults, &Error{File: printable(name), Msg: "unknown environment variable, want a key of a config, as in " +
				envPrefix + "DATASET_ROOT, or one of " + strings.Join(otherVariables[:len(otherVariables)-1], ", ") + spelling.Meant(meant)})
		case value != "":
			found = append(found, Override{Key: variables[name], Value: value, Origin: name})
		}
	}
	return found
}

// parseSet splits key=value.
func parseSet(text string) (Override, *Error) {
	key, value, ok := strings.Cut(text, "=")
	key = strings.TrimSpace(key)
	origin := "--set " + printable(text)
	if !ok || !setKey.MatchString(key) {
		return Override{}, &Error{File: origin, Msg: "want key=value, e.g. evaluation.ties=strict or 'descriptors[sift].root=l1'"}
	}
	return Override{Key: key, Value: value, Origin: origin}, nil
}

// A key is a sequence of words separated by dots. After the name of a list comes
// the name of an item in brackets.
const setWord = `([A-Za-z0-9_-]+)(?:\[([^\[\]]+)\])?`

var (
	setStep = regexp.MustCompile(setWord)
	setKey  = regexp.MustCompile(`^` + setWord + `(?:\.` + setWord + `)*$`)
)
