// Package keypointsets works with keypoint sets in files. It computes and stores
// the sets of a config, derives sets from stored ones, imports, exports and draws
// them, and computes statistics.
package keypointsets
