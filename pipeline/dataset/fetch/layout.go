package fetch

import (
	"fmt"
	"path"
	"strings"
)

// layout finds the folder that contains the sequences of a release, wherever it is
// in the archive: the parent of all folders with the marker. It returns the files in
// it, with paths relative to it.
func layout(files map[string]string, marker string) (base string, inside map[string]string, err error) {
	found := false
	for name := range files {
		dir, file := path.Split(name)
		if file != marker {
			continue
		}
		at := path.Dir(path.Clean(dir))
		switch {
		case dir == "":
			return "", nil, fmt.Errorf("has %s at its top, want it in a folder for each sequence", marker)
		case found && at != base:
			return "", nil, fmt.Errorf("has sequences in %q and in %q, want one folder with all of them", min(at, base), max(at, base))
		}
		base, found = at, true
	}
	if !found {
		return "", nil, fmt.Errorf("has no sequences (folders with %s)", marker)
	}
	inside = make(map[string]string)
	for name, digest := range files {
		relative, ok := name, true
		if base != "." {
			relative, ok = strings.CutPrefix(name, base+"/")
		}
		if ok {
			inside[relative] = digest
		}
	}
	return base, inside, nil
}
