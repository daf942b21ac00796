// Package stats says how sure a figure is, and whether two descriptors differ.
//
// The unit is the scene: queries of a scene share its images and are not
// independent, so that intervals resample scenes and tests exchange scenes. A
// figure of one scene has no interval, and a difference over fewer than six
// scenes cannot be significant; neither is hidden behind a number.
//
// All figures are such that larger ones are better. Every result depends on its
// input and a seed alone, not on the number of workers.
package stats
