package config

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// template is a codec for the path of one file per image. Relative paths are
// relative to the config file's folder; the Config holds paths that are absolute
// or begin with {root}. {method} stands for the name of the descriptor or keypoint
// set, which is decoded before and replaces it.
type template struct{ to, name *string }

const (
	rootHolder   = "{root}"
	methodHolder = "{method}"
)

var (
	holders = []string{rootHolder, "{scene}", "{image}", methodHolder}
	braces  = regexp.MustCompile(`\{[^{}]*\}|[{}]`)
)

func (t template) decode(d *decoder, key string, n *yaml.Node) {
	before, s := len(d.faults), ""
	if (path{to: &s, template: true}).decode(d, key, n); len(d.faults) > before {
		return
	}
	for _, word := range braces.FindAllString(s, -1) {
		if !slices.Contains(holders, word) {
			d.fault(key, n, "found %s in it, %s", printable(shortened(word)), oneOf(word, holders))
			return
		}
	}
	switch ext := strings.ToLower(filepath.Ext(s)); {
	case ext == ".h5" || ext == ".hdf5":
		d.fault(key, n, "found %s, want .npz or CSV files with {scene} and {image} in their path; for HDF5 see docs/own-functions.md", found(n))
	case !strings.Contains(s, "{scene}") || !strings.Contains(s, "{image}"):
		d.fault(key, n, "found %s, want a path with {scene} and {image}, to identify the files of the images", found(n))
	case strings.LastIndex(s, rootHolder) > 0:
		d.fault(key, n, "found %s, want {root} only at the beginning", found(n))
	default:
		*t.to = strings.ReplaceAll(s, methodHolder, *t.name)
	}
}

// encode omits the location of the files' folder from an identity, but not its
// name.
func (t template) encode(v view) *yaml.Node {
	s := *t.to
	if s == "" {
		return nil
	}
	if v != everything && !strings.HasPrefix(s, rootHolder) {
		parts := strings.Split(filepath.ToSlash(s), "/")
		varies := slices.IndexFunc(parts, func(p string) bool { return strings.Contains(p, "{") })
		s = strings.Join(parts[max(0, varies-1):], "/")
	}
	return text{to: &s}.encode(v)
}

func (template) schema() object {
	return object{"type": "string", "allOf": []any{
		object{"pattern": `^(\{root\})?([^{}]|\{scene\}|\{image\}|\{method\})*$`},
		object{"pattern": `\{scene\}`},
		object{"pattern": `\{image\}`},
	}}
}
