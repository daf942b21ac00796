package pipeline

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"descbench/pipeline/files/npz"
	"descbench/pipeline/plan"
	"descbench/pipeline/plan/plantest"
)

func TestRowsOfDifferentTypesInDifferentScenesAreNotAveraged(t *testing.T) {
	dir := withFeatures(t)
	for image := 1; image <= 6; image++ {
		file := featureFile(dir, "v_synth_001", fmt.Sprint(image))
		rows := featureArrays(t, file)["descriptors"].Shape[0]
		bits := make([]uint8, rows*16)
		for i := range bits {
			bits[i] = uint8(i * i)
		}
		changeFeatures(t, file, map[string]npz.Array{"descriptors": npz.Of(bits, rows, 16), "element_type": npz.Text("bits", 4)})
	}
	opt := plantest.Options(sharedCache)
	text := strings.Replace(importedConfig, "  - {name: ours, type: sift, keypoints: few}\n", "", 1)
	for name, c := range map[string]struct{ evaluation, want string }{
		"ranks": {"[]", "v_synth_001: rows have 128 elements (16 bytes) here, but 128 elements (512 bytes) in i_synth_002; correct the files or the program and rerun with --overwrite"},
		"tasks": {"[], workbench_tasks: {distractors_per_scene: 5}", "descriptor theirs: rows have 128 elements of type bits in v_synth_001, but 128 of type float32 in i_synth_002, and cannot be compared; correct the files and rerun with --overwrite"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := runIn(t, dir, strings.NewReplacer("name: imported", "name: "+name, "estimators: []", "estimators: "+c.evaluation).Replace(text), opt)
			var failed *plan.FailedScenesError
			if errors.As(err, &failed) {
				err = plan.Faultf("%s", failed.Failed["v_synth_001"])
			}
			var bad *plan.DataError
			if !errors.As(err, &bad) || err.Error() != c.want {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}
