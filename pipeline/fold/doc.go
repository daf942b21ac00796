// Package fold turns the records of a run into metrics: when all units are there
// (Fold), and again from the folded records under other settings (Reevaluate).
package fold
