package features

import (
	"fmt"
	"io/fs"
	"time"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store/unitfile"
)

// detect returns all keypoints of an image, from the cache if possible.
func (w *Scene) detect(d *config.Detect, i int) (keypoints.Set, error) {
	settings, stored := d.Params.String(), true
	if d.Command != nil {
		var err error
		if settings, stored, err = w.programs.settings(d.Command); err != nil {
			return keypoints.Set{}, err
		}
		settings += fmt.Sprint(" default size ", or(d.Command.DefaultSize, 0))
	}
	key := unitfile.Key("detection", w.environment.ExtractionKey(), w.Source.Images[i].Digest, d.Type, settings)
	var found keypoints.Set
	seconds, err := 0.0, error(fs.ErrNotExist)
	if stored {
		found, seconds, err = unitfile.Detections.Cached(w.cache, key)
	}
	if err == nil {
		if d.Command != nil && i == 0 {
			err = w.detection(d, i, settings, key).recheck(w, i, described{set: found})
		}
		w.clock.detected(found, seconds, true)
		return found, err
	}
	w.noteMiss(err)
	if err, failed := w.byProgram.Load(key); failed { // it is not called again
		return keypoints.Set{}, err.(error)
	}
	img, err := w.image(i)
	if err != nil {
		return keypoints.Set{}, err
	}
	start := time.Now()
	var all described
	kind, shared := w.companion(d)
	switch {
	case d.Command != nil:
		if all, _, err = w.detection(d, i, settings, key).computed(w.Stage); err != nil {
			w.byProgram.Store(key, err)
		}
	case shared:
		all.set, all.rows, err = extract.DetectAndDescribe(*img, d.Type, d.Params, kind.Type, kind.Params)
		all.took = time.Since(start)
	default:
		all.set, err = extract.Detect(*img, d.Type, d.Params)
		all.took = time.Since(start)
	}
	if seconds = all.took.Seconds(); err == nil && shared && all.rows != nil {
		seconds = 0 // the rows are charged with all of the time
		err = w.keepOnePass(i, kind, all)
	}
	if err != nil {
		return keypoints.Set{}, err
	}
	if w.clock.detected(all.set, seconds, false); !stored {
		return all.set, nil
	}
	return all.set, plan.Fault(unitfile.Detections.Put(w.cache, key, all.set, seconds))
}

// companion returns a descriptor of the plan that can be computed in the same pass, which
// describes all keypoints: that of a program that detects, or one that shares the detector's pyramid.
func (w *Scene) companion(d *config.Detect) (config.Descriptor, bool) {
	for _, desc := range w.Plan.Config.Descriptors {
		if c := desc.Command; c != nil && d.Command != nil && c.Operation == config.DetectRows && c.Same(d.Command) {
			return desc, true
		}
		if desc.Fusion != nil || desc.Pooling != nil || desc.File != nil || desc.Matches != nil || desc.Command != nil || !extract.CanShare(d.Type, d.Params, desc.Type, desc.Params) {
			continue
		}
		chain := w.Plan.Graph.Chain(desc.Keypoints)
		moved := w.Plan.Graph.Reaches(desc.Keypoints, func(s *config.KeypointSet) bool { return s.Project != nil })
		selected := w.Plan.Graph.Reaches(desc.Keypoints, (*config.KeypointSet).Selects)
		if chain[0].Detect == d && !moved && (!selected || extract.SharePays(desc.Type)) {
			return desc, true
		}
	}
	return config.Descriptor{}, false
}

// described are the keypoints of an image and, if they were described in the same pass, their raw
// rows, else nil.
type described struct {
	set  keypoints.Set
	rows *descriptors.Matrix
	took time.Duration

	ignored string // names of the arrays of a reply that were not read
}

// pick returns the rows of keypoints and their share of the time of the pass, by
// keypoints. It returns nil if any of the keypoints was not detected in it. Equal keypoints have
// equal rows.
func (d described) pick(kps []keypoints.Keypoint) (*descriptors.Matrix, time.Duration) {
	if d.rows == nil {
		return nil, 0
	}
	rowOf := make(map[keypoints.Keypoint]int, d.set.Len())
	for row, k := range d.set.Keypoints {
		rowOf[k] = row
	}
	rows := make([]int, len(kps))
	for i, k := range kps {
		row, ok := rowOf[k]
		if !ok {
			return nil, 0
		}
		rows[i] = row
	}
	return d.rows.Select(rows), time.Duration(float64(d.took) * float64(len(rows)) / float64(max(d.rows.Rows, 1)))
}

// detection returns how to detect the keypoints of image i by a program with the given settings; key is that
// of the cache.
func (w *Scene) detection(d *config.Detect, i int, settings, key string) Repetition[described] {
	return Repetition[described]{
		Command: d.Command, settings: settings, of: key, free: w.Close,
		Compute: func() (described, time.Duration, error) {
			img, err := w.image(i)
			if err != nil {
				return described{}, 0, err
			}
			found, err := w.call(d.Command, i).detect(pixels(*img))
			return found, found.took, err
		},
		Differs: func(was, is described) string {
			differs := differentPoints(was.set, is.set)
			if differs == "" && was.rows != nil && is.rows != nil {
				differs = differentRows(was.rows, is.rows)
			}
			return differs
		},
	}
}

// call returns a call of a program for one or two images of the scene.
func (w *Scene) call(c *config.Command, images ...int) call {
	return call{w.programs, c, fieldsOf(w.Source, images...)}
}

func (w *Scene) keepOnePass(i int, d config.Descriptor, all described) error {
	settings, _, err := w.programs.settingsOf(d)
	if err != nil {
		return err
	}
	if w.pictures[i].onePass == nil {
		w.pictures[i].onePass = make(map[string]described)
	}
	w.pictures[i].onePass[settings] = all
	return nil
}
