// Package features computes the first two stages of a run, for whoever needs
// them (run, descriptors export, the keypoints commands, the patch benchmark):
//
//	image ─► keypoint sets            units, written once
//	image × set × descriptor ─► rows  cached by content
//
// A Stage is made for a plan and a folder; it opens Scenes, one at a time for
// each worker, which hold the decoded images and the sets in use.
package features
