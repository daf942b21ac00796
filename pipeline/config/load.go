package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"descbench/descriptors"
	"descbench/pipeline/files"
)

// Overrides are values that override the file, in ascending order of precedence
// (environment, variables, --set, flags).
type Overrides struct {
	Variables []Override // of other names than those that Env may hold
	Set       []string   // key=value, e.g. descriptors[sift].root=l1
	Flags     []Override // such as --data
	Env       []string   // as os.Environ returns it: DESCBENCH_EVALUATION_TIES=strict sets evaluation.ties

	Note func(text string) // tells of each value of the file that a variable replaces; nil: nobody
}

const stdin = "-"

// Load reads the config at path, applies the overrides, checks it and fills in
// all defaults. Its errors are one or more joined *Error, unless the file cannot
// be read.
//
// The path "-" stands for standard input, as if it were a file in the current folder.
//
// Relative paths in the file, in --set and in the environment are relative to the
// file's folder. The Config holds absolute paths.
func Load(path string, o Overrides) (*Config, error) {
	if path == stdin {
		text, err := io.ReadAll(io.LimitReader(os.Stdin, maxFileBytes+1))
		if err != nil {
			return nil, fmt.Errorf("standard input: cannot read the config: %w", err)
		}
		return load("config", text, o)
	}
	text, err := files.Read(path, maxFileBytes)
	if err != nil {
		hint := ""
		if errors.Is(err, fs.ErrNotExist) {
			hint = files.Meant(path)
		}
		return nil, fmt.Errorf("%s: cannot read the config: %w%s", path, files.Reason(err), hint)
	}
	return load(path, text, o)
}

// Parse returns the config in text, which Config.YAML wrote. Errors name it as the
// file name.
func Parse(name string, text []byte) (*Config, error) {
	return load(name, text, Overrides{})
}

// load is Load of the file at path that holds text.
func load(path string, text []byte, o Overrides) (*Config, error) {
	root, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("%s: find its folder: %w", path, err)
	}
	c := defaults()
	shape := allSections(c)
	d := newDecoder(path, folder)
	d.override(shape, root, o)
	d.applyPreset(root)
	if valueOf(root, variantsKey) == nil { // else they could not be expanded
		shape.decode(d, "", root)
	}
	if len(d.faults) == 0 {
		d.check(c) // of parts that are right in themselves
	}
	if !bytes.Contains(bytes.TrimSpace(text), []byte("\n")) {
		for _, f := range d.faults {
			f.Line = 0 // says nothing of JSON on one line, as programs write it
		}
	}
	if len(d.faults) > 0 {
		return nil, joined(path, d.faults)
	}
	return c, nil
}

// NewDescriptor returns a descriptor with a type and a name, checked and with all
// defaults, as from a config. set changes it like --set, with keys of the
// descriptor: root=l1, pooling.scales=0.85,1,1.3. Relative paths are relative to
// the current folder.
func NewDescriptor(kind, name string, set []string) (Descriptor, error) {
	var keys []Override
	for _, text := range set {
		o, err := parseSet(text)
		if err != nil {
			return Descriptor{}, err
		}
		o.Key = "descriptors[" + name + "]." + o.Key
		keys = append(keys, o)
	}
	known, _ := descriptors.FindKind(kind)
	c, err := load("--type "+kind, fmt.Appendf(nil, "{experiment: {name: patches}, dataset: {root: .}, keypoint_sets: [{name: centre, detect: {type: %s}, border: 0}], descriptors: [{name: %q, type: %q, keypoints: centre}]}",
		known.Detector(), name, kind), Overrides{Flags: keys})
	if err != nil {
		return Descriptor{}, err
	}
	return c.Descriptors[0], nil
}
