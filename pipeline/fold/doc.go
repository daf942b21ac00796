// Package fold computes a run's metrics from its records: once when all units
// exist (Fold), and again from the folded records under other settings
// (Reevaluate, ReevaluateTo).
package fold
