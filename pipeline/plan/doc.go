// Package plan says what is to be done: the scenes that a config names, the
// keypoint sets that its descriptors need, the units of the run folder, the
// share of one process, and whether a run folder belongs to the same config,
// data and software.
package plan
