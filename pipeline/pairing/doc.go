// Package pairing computes the third stage of a run: the records of the image
// pairs of a scene for one descriptor, and those of the tasks with distractors.
package pairing
