package config

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Folders returns the folders of all files that a run reads and writes, which a
// container must have: absolute, without those below another one.
func (c *Config) Folders() []string {
	folders := []string{c.Dataset.Root, c.Output.Root}
	add := func(path string) {
		if path != "" && !strings.HasPrefix(path, rootHolder) {
			path, _, _ = strings.Cut(path, "{")
			folders = append(folders, filepath.Dir(path))
		}
	}
	add(c.Output.Database)
	for _, s := range c.KeypointSets {
		if s.Import != nil {
			add(s.Import.Path)
		}
	}
	for _, d := range c.Descriptors {
		if d.ONNX != nil {
			add(d.ONNX.Model)
		}
		if d.File != nil { // its other path is that of a keypoint set
			add(d.File.Descriptors)
		}
		if d.Matches != nil {
			add(d.Matches.Path)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.Commands())) {
		command := c.Commands()[key]
		folders = append(folders, command.Folder)
		for _, file := range command.Files {
			add(file)
		}
	}
	return outermost(folders)
}

func outermost(folders []string) (out []string) {
	below := func(f, g string) bool {
		rel, err := filepath.Rel(g, f)
		return err == nil && filepath.IsLocal(rel)
	}
	for i, f := range folders {
		covers := func(g string) bool { return g != f && below(f, g) }
		if !slices.ContainsFunc(folders, covers) && !slices.Contains(folders[:i], f) {
			out = append(out, f)
		}
	}
	return out
}
