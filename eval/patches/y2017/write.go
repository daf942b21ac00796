package y2017

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"descbench/eval/patches"
)

// Kinds of task files, which are the first parts of their names.
const (
	positiveFile    = "verif_pos"
	interFile       = "verif_neg_inter"
	intraFile       = "verif_neg_intra"
	queriesFile     = "retr_queries"
	distractorsFile = "retr_distractors"
)

// taskFile returns the name of the task file of a kind for a split.
func taskFile(kind, split string) string { return kind + "_split-" + split + ".csv" }

// SplitsFile is the path of the splits in a folder of tasks.
const SplitsFile = "splits/splits.json"

// Files returns the five task files of the split.
func (d *Drawn) Files() []patches.File {
	known := d.Sequences
	file := func(kind, header string, n int, appendEntry func(line []byte, i int) []byte) patches.File {
		return patches.NewFile(taskFile(kind, d.Split), 1+n, func(line []byte, i int) []byte {
			if i == 0 {
				return append(line, header...)
			}
			return appendEntry(line, i-1)
		})
	}
	pairs := func(kind string, list []Pair) patches.File {
		return file(kind, pairsHeader, len(list), func(line []byte, i int) []byte {
			line = append(known.appendPatch(line, list[i].A, true), ',')
			return known.appendPatch(line, list[i].B, true)
		})
	}
	single := func(kind string, list []Patch) patches.File {
		return file(kind, patchesHeader, len(list), func(line []byte, i int) []byte {
			return known.appendPatch(line, list[i], false)
		})
	}
	return []patches.File{
		pairs(positiveFile, d.Positive), pairs(interFile, d.Inter), pairs(intraFile, d.Intra),
		single(queriesFile, d.Queries), single(distractorsFile, d.Distractors),
	}
}

// appendPatch appends sequence and index, with the image between them if image is
// set.
func (s *Sequences) appendPatch(line []byte, p Patch, image bool) []byte {
	line = append(append(line, s.Names[p.Sequence]...), ',')
	if image {
		line = append(strconv.AppendUint(line, uint64(p.Image), 10), ',')
	}
	return strconv.AppendInt(line, int64(p.Index), 10)
}

// WriteSplits writes splits.json.
func WriteSplits(w io.Writer, list []Split) error {
	splits := make(map[string]Split, len(list))
	for _, s := range list {
		if reason := s.fault(s.Name); reason != "" {
			return &patches.OptionError{Reason: fmt.Sprintf("split %q %s", s.Name, reason)}
		}
		splits[s.Name] = s
	}
	text, err := json.MarshalIndent(splits, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
