// Package keypointsets gives the keypoint sets of a config without a run, and
// exports and draws them and computes their statistics.
package keypointsets
