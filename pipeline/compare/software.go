package compare

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"descbench/eval/scope"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

// otherSoftware warns of runs whose features come from other versions of OpenCV or of
// this program, or another type of processor, than those of the first run: what looks like a difference between
// descriptors may be one between detectors.
type otherSoftware struct {
	first       string // run
	environment plan.Environment
}

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

// warn adds a warning to the descriptors of a run if it differs. A folder of
// re-evaluated metrics has no environment.
func (o *otherSoftware) warn(run *fold.Run, list []*runDescriptor) error {
	e, err := run.Environment()
	ofPrograms(e, list)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case o.first == "":
		o.first, o.environment = run.Folder, e
		return nil
	}
	differs := o.environment.OtherSoftware(e)
	if len(differs) == 0 {
		return nil
	}
	w := scope.Warning{Kind: "other-software", Text: fmt.Sprintf("computed in another environment than %s (%s); extract both in the same to compare descriptors alone", o.first, strings.Join(differs, ", "))}
	for _, d := range list {
		d.Warnings = append(d.Warnings, w)
	}
	return nil
}
