// Package features computes the first two stages of a run. The run,
// `descriptors export`, the keypoints commands and the patch benchmark use it:
//
//	image ─► keypoint sets            units, written once
//	image × set × descriptor ─► rows  cached by content
//
// A Stage belongs to a plan and a folder. Each worker opens one Scene at a time.
// A Scene holds the decoded images and the keypoint sets in use.
package features
