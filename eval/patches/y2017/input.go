package y2017

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/patches"
)

// Options select what is evaluated and how.
type Options struct {
	TasksDir    string // folder with the task files and splits/splits.json
	Split       string
	Protocol    Protocol
	Distance    patches.Distance // L2 or L1
	PCAPowerLaw bool             // whiten and take signed square roots first
	Tasks       []Task           // nil for all
	Workers     int              // goroutines; less than 1 means GOMAXPROCS
}

// Distances returns the distances that the tasks support.
func Distances() []patches.Distance {
	return []patches.Distance{patches.L2, patches.L1}
}

func (o Options) tasks() []Task {
	if o.Tasks == nil {
		return Tasks()
	}
	return o.Tasks
}

// An Input holds all data of an evaluation.
type Input struct {
	Set       *patches.Set
	Split     Split
	Sequences []Sequence // the split's test sequences

	// Verification. Inter are negatives from any two sequences, Intra from one
	// sequence.
	Positive, Inter, Intra []Pair
	// Retrieval, in the order of the files.
	Queries, Distractors []Patch
}

// Read reads the task files selected by the options, and the descriptors they need from
// dir/<sequence>/<image>.csv.
// The result can be evaluated several times with different protocols, distances and
// subsets of the tasks.
func Read(ctx context.Context, open patches.Opener, dir string, opt Options) (*Input, error) {
	split, err := readSplit(open, opt)
	if err != nil {
		return nil, err
	}
	wanted := patches.Wanted{}
	for _, sequence := range split.Test {
		wanted[sequence] = patches.Images(Noises()...)
	}
	if opt.PCAPowerLaw {
		for _, sequence := range split.Train {
			wanted[sequence] = []string{patches.Reference}
		}
	}
	set, err := patches.Load(ctx, open, dir, wanted, opt.Workers)
	if err != nil {
		return nil, err
	}
	in := &Input{Set: set, Split: split}
	if in.Sequences, err = newSequences(set, split.Test); err != nil {
		return nil, err
	}
	return in, in.readTasks(ctx, open, opt)
}

// readSplit returns the split to test on, which has training sequences if PCA needs them.
func readSplit(open patches.Opener, opt Options) (Split, error) {
	path := filepath.Join(opt.TasksDir, filepath.FromSlash(SplitsFile))
	splits, err := patches.ReadFile(open, path, ReadSplits)
	if err != nil {
		return Split{}, patches.Missing(err, path, "the splits that descbench patches tasks writes to its --out")
	}
	split, found := splits[opt.Split]
	if found && (!opt.PCAPowerLaw || len(split.Train) > 0) {
		return split, nil
	}
	reason := fmt.Sprintf("no split %q", opt.Split)
	if found {
		reason = fmt.Sprintf("split %s has no training sequences", opt.Split)
	}
	names := slices.Sorted(maps.Keys(splits))
	if opt.PCAPowerLaw {
		names = slices.DeleteFunc(names, func(n string) bool { return len(splits[n].Train) == 0 })
	}
	want := "no split has training sequences"
	if len(names) > 0 {
		want = "want one of " + strings.Join(names, ", ")
	}
	return split, &patches.OptionError{Reason: fmt.Sprintf("%s: %s (--split), %s", path, reason, want)}
}

// readTasks reads the task files.
func (in *Input) readTasks(ctx context.Context, open patches.Opener, opt Options) error {
	pairs := map[string]*[]Pair{positiveFile: &in.Positive, interFile: &in.Inter, intraFile: &in.Intra}
	lists := map[string]*[]Patch{queriesFile: &in.Queries, distractorsFile: &in.Distractors}
	var kinds []string
	if slices.Contains(opt.tasks(), Verification) {
		kinds = append(kinds, positiveFile, interFile, intraFile)
	}
	if slices.Contains(opt.tasks(), Retrieval) {
		kinds = append(kinds, queriesFile, distractorsFile)
	}
	path := func(kind string) string { return filepath.Join(opt.TasksDir, taskFile(kind, in.Split.Name)) }
	err := patches.Each(ctx, opt.Workers, len(kinds), func(i int) (err error) {
		kind, file := kinds[i], path(kinds[i])
		if list := lists[kind]; list != nil {
			*list, err = patches.ReadFile(open, file, func(name string, r io.Reader) ([]Patch, error) { return readPatches(name, r, in.Sequences) })
		} else {
			*pairs[kind], err = patches.ReadFile(open, file, func(name string, r io.Reader) ([]Pair, error) { return readPairs(kind, name, r, in.Sequences) })
		}
		return patches.Missing(err, file, "a task file of split "+in.Split.Name+", which descbench patches tasks writes; --tasks matching needs none")
	})
	if err != nil {
		return err
	}
	return in.checkRetrieval(path(queriesFile), path(distractorsFile))
}

// Digests returns, for each task of the options, the SHA-256 of the split's test
// sequences with their numbers of patches, and of the task's lists. Different digests
// mean that metrics of a task were computed on different patches.
func (in *Input) Digests(opt Options) map[string]string {
	digests := make(map[string]string)
	for _, task := range opt.tasks() {
		digests[string(task)] = patches.SHA256(func(h io.Writer) {
			fmt.Fprintf(h, "%s %q %d\n", task, in.Split.Test, PatchCounts(in.Sequences))
			b := bufio.NewWriter(h)
			put := func(p Patch) { // seven bytes
				line := binary.LittleEndian.AppendUint32(b.AvailableBuffer(), uint32(p.Index))
				_, _ = b.Write(append(binary.LittleEndian.AppendUint16(line, p.Sequence), p.Image)) // a hash does not fail
			}
			switch task {
			case Verification:
				for _, list := range [][]Pair{in.Positive, in.Inter, in.Intra} {
					fmt.Fprintln(b, len(list))
					for _, p := range list {
						put(p.A)
						put(p.B)
					}
				}
			case Retrieval:
				for _, list := range [][]Patch{in.Queries, in.Distractors} {
					fmt.Fprintln(b, len(list))
					for _, p := range list {
						put(p)
					}
				}
			}
			_ = b.Flush()
		})
	}
	return digests
}
