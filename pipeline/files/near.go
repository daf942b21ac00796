package files

import (
	"os"
	"path/filepath"
	"strings"

	"descbench/eval/spelling"
)

// Meant returns " (did you mean PATH?)" with a similar path where there is something, for one where there is
// nothing, or "".
func Meant(path string) string { return spelling.Meant(near(path)) }

// near takes, for the first part of a path that does not exist, the most similar name there is.
func near(path string) string {
	there, missing := filepath.Clean(path), ""
	for {
		if _, err := os.Stat(there); err == nil {
			break
		}
		if filepath.Dir(there) == there {
			return "" // nothing can be read
		}
		there, missing = filepath.Dir(there), filepath.Join(filepath.Base(there), missing)
	}
	if missing == "" {
		return there
	}
	first, rest, _ := strings.Cut(missing, string(filepath.Separator))
	entries, _ := os.ReadDir(there) // what cannot be read suggests nothing
	names := spelling.Words(entries, os.DirEntry.Name)
	if name := spelling.Nearest(first, names); name != "" {
		return near(filepath.Join(there, name, rest))
	}
	return ""
}
