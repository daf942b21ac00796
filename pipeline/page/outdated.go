package page

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// MainFile is the name of the main page in a run folder.
const MainFile = "report" + extension

// SceneFile returns the path of a scene's page in a run folder.
func SceneFile(folder, scene string) string {
	return filepath.Join(folder, strings.TrimSuffix(MainFile, extension), scene+extension)
}

// digest identifies the results of a run: a page names those it shows.
func digest(folder string) (string, error) {
	text, err := os.ReadFile(plan.Folder(folder).Summary())
	if err != nil {
		return "", plan.Fault(err)
	}
	return store.SHA256(text), nil
}

// Outdated reports whether the report in a run folder, if there is one, shows other
// results than the folder has now.
func Outdated(folder string) bool {
	const head = 1 << 16 // bytes; the digests are at the start
	f, err := os.Open(filepath.Join(folder, MainFile))
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, head))
	if err != nil {
		return false
	}
	now, err := digest(folder)
	return err == nil && !strings.Contains(string(text), now)
}
