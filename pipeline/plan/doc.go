// Package plan decides what a run computes: the scenes that the config selects,
// the keypoint sets that its descriptors need, the units of the run folder and
// the share of one process. It also checks whether an existing run folder
// matches the config, the data and the software.
package plan
