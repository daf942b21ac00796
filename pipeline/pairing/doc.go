// Package pairing computes the third stage of a run: the records of a scene's
// image pairs for one descriptor, and the records of the tasks with distractors.
package pairing
