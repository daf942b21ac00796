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
func (w *Scene) detect(set string, d *config.Detect, i int) (keypoints.Set, error) {
	settings, uncached := d.Params.String(), false
	again := w.detection(set, d, i)
	if d.Command != nil {
		var err error
		if settings, err = w.programs.settings(again.key, d.Command); err != nil {
			return keypoints.Set{}, err
		}
		settings += fmt.Sprint(" default size ", or(d.Command.DefaultSize, 0))
		again.settings, uncached = settings, w.programs.uncached(again.key, d.Command)
	}
	key := unitfile.Key("detection", w.environment.ExtractionKey(), w.Source.Images[i].Digest, d.Type, settings)
	var found keypoints.Set
	seconds, err := 0.0, error(fs.ErrNotExist)
	if !uncached {
		found, seconds, err = unitfile.Detections.Cached(w.cache, key)
	}
	if err == nil {
		if d.Command != nil && i == 0 {
			err = again.recheck(w, i, described{set: found})
		}
		w.clock.detected(found, seconds, true)
		return found, err
	}
	again.of = key
	w.noteMiss(err)
	if err, failed := w.byProgram.Load(key); failed { // it is not called again
		return keypoints.Set{}, err.(error)
	}
	img, err := w.image(i)
	if err != nil {
		return keypoints.Set{}, err
	}
	start := time.Now()
	if d.Command != nil {
		var all described
		if all, err = again.Compute(0); err == nil {
			err = again.probe(w.Stage, all)
		}
		if err != nil {
			w.byProgram.Store(key, err)
		}
		found, seconds = all.set, all.took.Seconds()
		if rows, ok := w.describedBy(d.Command); ok && err == nil && all.rows != nil {
			seconds = 0 // the rows are charged with all of the time
			err = w.keepOnePass(i, rows, all)
		}
	} else if kind, ok := w.companion(d); ok {
		var raw *descriptors.Matrix
		if found, raw, err = extract.DetectAndDescribe(*img, d.Type, d.Params, kind.Type, kind.Params); err == nil {
			err = w.keepOnePass(i, kind, described{found, raw, time.Since(start)}) // which is charged with all of the time
		}
	} else {
		found, err = extract.Detect(*img, d.Type, d.Params)
		seconds = time.Since(start).Seconds()
	}
	if err != nil {
		return keypoints.Set{}, err
	}
	if w.clock.detected(found, seconds, false); uncached {
		return found, nil
	}
	return found, plan.Fault(unitfile.Detections.Put(w.cache, key, found, seconds))
}

// companion returns a descriptor of the plan that shares the detector's pyramid
// and can be computed in the same pass, which describes all keypoints.
func (w *Scene) companion(d *config.Detect) (config.Descriptor, bool) {
	for _, desc := range w.Plan.Config.Descriptors {
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

// detection returns how to detect the keypoints of image i by the program of a set.
func (w *Scene) detection(set string, d *config.Detect, i int) Repetition[described] {
	key := fmt.Sprintf("keypoint_sets[%s].detect", set)
	return Repetition[described]{
		key: key, Program: d.Command, free: w.Close,
		Compute: func(on int) (out described, err error) {
			img, err := w.image(i)
			if err == nil {
				out, err = w.call(key, d.Command, i, on).detect(pixels(*img))
			}
			return out, err
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

// call returns a call of process on of a program, 0: any, for image i.
func (w *Scene) call(key string, c *config.Command, i, on int) call {
	return call{w.programs, key, c, fieldsOf(w.Source, i), on}
}

// describedBy returns a descriptor of the plan whose rows the program that detects
// returns with the keypoints.
func (w *Scene) describedBy(c *config.Command) (config.Descriptor, bool) {
	for _, d := range w.Plan.Config.Descriptors {
		if d.Command != nil && d.Command.Operation == config.DetectRows && d.Command.Same(c) {
			return d, true
		}
	}
	return config.Descriptor{}, false
}

func (w *Scene) keepOnePass(i int, d config.Descriptor, all described) error {
	settings, err := w.programs.settingsOf(d)
	if err != nil {
		return err
	}
	if w.pictures[i].onePass == nil {
		w.pictures[i].onePass = make(map[string]described)
	}
	w.pictures[i].onePass[settings] = all
	return nil
}
