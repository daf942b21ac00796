package pipeline

import (
	"slices"
	"time"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// detect returns every keypoint of an image, from the cache if they are there.
func (w *sceneWork) detect(d *config.Detect, i int) (keypoints.Set, error) {
	key := store.Key("detection", w.environment.extractionKey(), w.scene.Images[i].Digest, d.Type, d.Params.String())
	found, err := w.cache.Detections(key)
	if err == nil {
		return found, nil
	}
	w.noteDamage(err)
	img, err := w.image(i)
	if err != nil {
		return keypoints.Set{}, err
	}
	start := time.Now()
	if kind, ok := w.companion(d); ok {
		var raw *descriptors.Matrix
		if found, raw, err = extract.DetectAndDescribe(*img, d.Type, d.Params, kind.Type, kind.Params); err == nil {
			w.keepOnePass(i, kind, found, raw, time.Since(start))
		}
	} else {
		found, err = extract.Detect(*img, d.Type, d.Params)
	}
	if err != nil {
		return keypoints.Set{}, err
	}
	return found, place(w.cache.PutDetections(key, found))
}

// companion returns a descriptor of the plan that can be computed in the same
// pass as the detector's keypoints, whose pyramid it shares.
func (w *sceneWork) companion(d *config.Detect) (config.Descriptor, bool) {
	for _, desc := range w.plan.Config.Descriptors {
		if desc.Fusion == nil && desc.Pooling == nil && w.plan.rootOf(desc.Keypoints).Detect == d && !w.plan.projected(desc.Keypoints) &&
			extract.CanShare(d.Type, d.Params, desc.Type, desc.Params) {
			return desc, true
		}
	}
	return config.Descriptor{}, false
}

// projected reports whether a set, or one that it is made from, is projected.
func (p *Plan) projected(name string) bool {
	set, _ := p.resolve(name)
	return set.Project != nil || slices.ContainsFunc(parents(set), p.projected)
}

func (w *sceneWork) keepOnePass(i int, d config.Descriptor, found keypoints.Set, raw *descriptors.Matrix, took time.Duration) {
	rowOf := make(map[keypoints.Keypoint]int, found.Len())
	for row, k := range found.Keypoints {
		rowOf[k] = row
	}
	if w.pictures[i].onePass == nil {
		w.pictures[i].onePass = make(map[string]describedDetection)
	}
	w.pictures[i].onePass[rawSettings(d)] = describedDetection{rowOf, raw, took}
}
