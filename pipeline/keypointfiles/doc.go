// Package keypointfiles works with keypoint sets as files: it computes and stores
// the sets of a config, derives sets from stored ones, imports, exports, draws
// and describes them in figures.
package keypointfiles
