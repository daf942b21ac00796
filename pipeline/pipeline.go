// Package pipeline runs an experiment: it turns a config into query records,
// unit by unit, and folds the records into results.
//
// The data's way:
//
//	config ─► Plan                     which scenes, sets and descriptors
//	scene  ─► set units                the keypoints of its images
//	scene × descriptor ─► eval units   features (cached by content), ranks, records
//	units  ─► Fold                     queries.parquet, metrics.csv, summary.json, results.sqlite
//
// Units are written once and in any order, by any number of processes; Fold
// reads them in the order of the plan. So the results do not depend on who
// computed what when.
package pipeline
