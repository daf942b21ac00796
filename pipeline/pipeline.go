// Package pipeline runs an experiment: it computes query records from a config,
// unit by unit, and folds the records into results.
//
// Data flow:
//
//	config ─► Plan                     which scenes, sets and descriptors
//	scene  ─► set units                the keypoints of its images
//	scene × descriptor ─► eval units   features (cached by content), ranks, records
//	units  ─► Fold                     queries.parquet, metrics.csv, summary.json, results.sqlite
//
// Any number of processes write the units, each once and in any order. Fold reads
// them in the order of the plan. Therefore the results do not depend on which
// process computed which unit, or when.
package pipeline
