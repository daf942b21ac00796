package compare

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"descbench/eval/scope"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

// ofPrograms adds warnings to the descriptors whose programs are not recorded, or whose rows,
// keypoints or matches differ between two calls with the same images.
func ofPrograms(e plan.Environment, list []*runDescriptor) {
	if len(e.Programs) == 0 {
		return
	}
	for _, d := range list {
		for _, key := range d.cfg.ProgramsOf(d.descriptor) {
			program, known := e.Programs[key]
			if known && len(program.Files) == 0 {
				d.Warnings = append(d.Warnings, scope.Warning{Kind: "unpinned", Text: "nothing pins its program: list its files under files (" + key + ")"})
			}
			if program.NotReproducible {
				d.Warnings = append(d.Warnings, scope.Warning{Kind: "not-reproducible", Text: "its program gives other results for the same images each time (" + key + "); small differences may be noise: run it again under another name with another --cache folder to see how large it is"})
				break
			}
		}
	}
}

// warnOfSoftware adds a warning to the descriptors of a run whose features come from other
// versions of OpenCV or of this program, or another type of processor, than those of the first
// run: what looks like a difference between descriptors may be one between detectors.
func warnOfSoftware(first, run *fold.Run, list []*runDescriptor) error {
	e, err := run.Environment()
	ofPrograms(e, list)
	was, unread := first.Environment()
	if err = cmp.Or(err, unread); errors.Is(err, fs.ErrNotExist) { // re-evaluated by an earlier version
		return nil
	}
	if differs := was.OtherSoftware(e); err == nil && len(differs) > 0 {
		w := scope.Warning{Kind: "other-software", Text: fmt.Sprintf("computed in another environment than %s (%s); extract both in the same to compare descriptors alone", first.Folder, strings.Join(differs, ", "))}
		for _, d := range list {
			d.Warnings = append(d.Warnings, w)
		}
	}
	return err
}
