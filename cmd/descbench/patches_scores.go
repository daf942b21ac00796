package main

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"descbench/eval/patches/original"
	"descbench/pipeline/store"
)

// A patchScore is a column of a -scores.csv file: a figure from 0 to 1, which
// the file has in per cent.
type patchScore struct {
	column string
	value  float64
}

// saveScores writes what the second variant keeps beside its results:
// <benchmark>-scores.csv, a header and a line. It does nothing in the first. The
// figures are those of the code of 2016, without its faults.
func (s *patchSource) saveScores(flags *commonFlags, task original.Task, descriptor, benchmark string, scores ...patchScore) (written []string, err error) {
	variant, err := s.parse()
	if err != nil || variant != original.V2 {
		return nil, err
	}
	header, line := []string{"name", "taskname"}, []string{descriptor, taskName(benchmark)}
	for _, score := range scores {
		header = append(header, score.column)
		line = append(line, strconv.FormatFloat(100*score.value, 'g', 15, 64))
	}
	path := strings.TrimSuffix(s.resultsPath(flags, variant, task, descriptor, benchmark), ".results") + "-scores.csv"
	return []string{path}, store.WriteFile(path, func(w io.Writer) error {
		return csv.NewWriter(w).WriteAll([][]string{header, line})
	})
}
