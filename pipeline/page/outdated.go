package page

import (
	"io"
	"path/filepath"
	"strings"

	"descbench/eval/spelling"
	"descbench/pipeline/files"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// MainFile is the name of the main page in a run folder.
const MainFile = "report" + extension

// Verify reads the pages in a run folder, if it has a report, and calls report for each one
// with an error if it is missing, is not what was written, or shows other results.
func Verify(folder string, report func(path string, err error)) {
	main := filepath.Join(folder, MainFile)
	if plan.Missing(main) {
		return
	}
	err := plan.CheckPage(main)
	if err == nil && Outdated(folder) {
		err = plan.Faultf("%s: shows other results than the run has now; rerun descbench report %s", main, spelling.Shell(folder))
	}
	report(main, err)
	summary, err := store.ReadSummary(plan.Folder(folder).Summary())
	if err != nil {
		return // the run's own verification reports it
	}
	for _, scene := range summary.Evaluated() {
		path := filepath.Join(folderOf(main), scene+extension)
		report(path, plan.CheckPage(path))
	}
}

// maxFile limits the page and summary.json in bytes.
const maxFile = 1 << 30

// digest identifies the results of a run: a page names those it shows.
func digest(folder string) (string, error) {
	digest, err := store.FileDigest(plan.Folder(folder).Summary(), maxFile)
	return digest, plan.Fault(err)
}

// Outdated reports whether the report in a run folder, if there is one, shows other
// results than the folder has now.
func Outdated(folder string) bool {
	const head = 1 << 16 // bytes; the digests are at the start
	f, err := files.Open(filepath.Join(folder, MainFile), maxFile)
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
