// Package pipeline runs an experiment: it computes query records from a config,
// unit by unit, and folds the records into results.
//
// Data flow:
//
//	plan      config ─► which scenes, keypoint sets and descriptors
//	features  scene ─► set units: the keypoints of its images
//	features  image × set × descriptor ─► rows, cached by content
//	pairing   scene × descriptor ─► eval units: ranks and records
//	fold      units ─► queries.parquet, metrics.csv, summary.json, results.sqlite
//
// Any number of processes write the units, each once and in any order. fold reads
// them in the order of the plan. Therefore the results do not depend on which
// process computed which unit, or when.
package pipeline
