package features

import (
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
	key := unitfile.Key("detection", w.environment.ExtractionKey(), w.Source.Images[i].Digest, d.Type, d.Params.String())
	found, seconds, err := w.cache.Detections(key)
	if err == nil {
		w.clock.detected(found, seconds, true)
		return found, nil
	}
	w.noteMiss(err)
	img, err := w.image(i)
	if err != nil {
		return keypoints.Set{}, err
	}
	start := time.Now()
	if kind, ok := w.companion(d); ok {
		var raw *descriptors.Matrix
		if found, raw, err = extract.DetectAndDescribe(*img, d.Type, d.Params, kind.Type, kind.Params); err == nil {
			w.keepOnePass(i, kind, found, raw, time.Since(start)) // which is charged with all of the time
		}
	} else {
		found, err = extract.Detect(*img, d.Type, d.Params)
		seconds = time.Since(start).Seconds()
	}
	if err != nil {
		return keypoints.Set{}, err
	}
	w.clock.detected(found, seconds, false)
	return found, plan.Fault(w.cache.PutDetections(key, found, seconds))
}

// companion returns a descriptor of the plan that shares the detector's pyramid
// and can be computed in the same pass, which describes all keypoints.
func (w *Scene) companion(d *config.Detect) (config.Descriptor, bool) {
	for _, desc := range w.Plan.Config.Descriptors {
		if desc.Fusion != nil || desc.Pooling != nil || desc.File != nil || desc.Matches != nil || desc.ONNX != nil || !extract.CanShare(d.Type, d.Params, desc.Type, desc.Params) {
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

func (w *Scene) keepOnePass(i int, d config.Descriptor, found keypoints.Set, raw *descriptors.Matrix, took time.Duration) {
	rowOf := make(map[keypoints.Keypoint]int, found.Len())
	for row, k := range found.Keypoints {
		rowOf[k] = row
	}
	if w.pictures[i].onePass == nil {
		w.pictures[i].onePass = make(map[string]describedDetection)
	}
	w.pictures[i].onePass[rawSettings(d)] = describedDetection{rowOf, raw, took}
}
