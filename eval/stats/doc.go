// Package stats computes confidence intervals of metrics and tests whether two
// descriptors differ.
//
// The unit is the scene. The queries of a scene share its images and are not
// independent, so intervals resample scenes and tests exchange scenes. A metric
// of one scene has no interval, and a difference over fewer than six scenes
// cannot be significant; results say so explicitly.
//
// Larger values are better in all metrics. Every result depends only on its
// input and a seed, not on the number of workers.
package stats
