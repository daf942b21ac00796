package dataset

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"descbench/eval/scope"
	"descbench/pipeline/files"
	"descbench/pipeline/store"
)

// groups reads the file that says which scenes belong together, with a line SCENE GROUP for each. It
// returns the names GROUP/SCENE by the names in files, in which a slash becomes a dash, and the
// lines that say so.
func (s Source) groups() (names, lines map[string]string, err error) {
	names, lines = make(map[string]string), make(map[string]string)
	if s.Groups == "" {
		return names, lines, nil
	}
	err = eachLine(s.Groups, s.Groups, func(line string, fields []string) error {
		last := len(fields) - 1
		scene := strings.Join(fields[:last], " ")
		switch {
		case last == 0:
			return fmt.Errorf("found one word, want SCENE GROUP")
		case names[scene] != "":
			return fmt.Errorf("found scene %s a second time, want each once", shortened(scene))
		case strings.Contains(fields[last], "/"):
			return fmt.Errorf("found the group %s, want a name without a slash", shortened(fields[last]))
		}
		names[scene], lines[scene] = fields[last]+"/"+strings.ReplaceAll(scene, "/", "-"), line
		return scope.CheckSceneName(names[scene])
	})
	if err != nil {
		err = &store.Fault{Where: s.Groups, Err: files.Reason(err)}
	}
	return names, lines, err
}

// group gives scenes the names with their groups. A broken scene needs no line: its folder may hold
// those that have one.
func (s Source) group(scenes []Ref) error {
	names, lines, err := s.groups()
	if err != nil || s.Groups == "" {
		return err
	}
	broken, lacking := make(map[string]bool), ""
	for i := range scenes {
		r := &scenes[i]
		broken[r.Name] = r.Fault != nil
		if names[r.Name] == "" && r.Fault == nil {
			lacking = cmp.Or(lacking, r.Name)
		}
		delete(lines, r.Name)
		r.Name = cmp.Or(names[r.Name], r.Name)
	}
	for _, scene := range slices.Sorted(maps.Keys(lines)) {
		if !broken[scope.Group(scene)] {
			return store.Faultf(lines[scene], "no scene %s in %s", scene, s.Root)
		}
	}
	if lacking != "" {
		return store.Faultf(s.Groups, "no line for scene %s, want SCENE GROUP for each scene", lacking)
	}
	return nil
}

// InFiles returns the name in files of a scene of the given name.
func (s Source) InFiles(name string) (string, error) {
	names, _, err := s.groups()
	for file, grouped := range names {
		if grouped == name {
			return file, nil
		}
	}
	return name, err
}
