package y2017

import (
	"bufio"
	"cmp"
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
	Distance    patches.Distance // L2, L1, MaskedL1 or Hamming
	PCAPowerLaw bool             // whiten and take signed square roots first
	// Normalisation, if not nil, is applied first, instead of PCAPowerLaw.
	Normalisation *Normalisation

	Tasks   []Task // nil for all
	Workers int    // goroutines; less than 1 means GOMAXPROCS
}

// Distances returns the distances that the tasks support.
func Distances() []patches.Distance {
	return []patches.Distance{patches.L2, patches.L1, patches.MaskedL1, patches.Hamming}
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
	Sequences *Sequences // the split's test sequences
	NormTrain []string   // training sequences of the normalisation

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
	if opt.PCAPowerLaw && opt.Normalisation != nil {
		return nil, &patches.OptionError{Reason: "PCA with power law and another normalisation: want only one of them"}
	}
	split, norm, err := readSplits(open, opt)
	if err != nil {
		return nil, err
	}
	wanted := patches.Wanted{}
	for _, sequence := range split.Test {
		wanted[sequence] = Images()
	}
	if opt.PCAPowerLaw {
		for _, sequence := range split.Train {
			wanted[sequence] = []string{patches.Reference}
		}
	}
	for _, sequence := range norm.Train {
		wanted[sequence] = Images()
	}
	set, err := patches.Load(ctx, open, dir, wanted, opt.Workers)
	if err != nil {
		return nil, err
	}
	in := &Input{Set: set, Split: split, NormTrain: norm.Train}
	if in.Sequences, err = newSequences(set, split.Test); err != nil {
		return nil, err
	}
	return in, in.readTasks(ctx, open, opt)
}

// Images returns the names of the 16 images of a sequence.
func Images() []string {
	names := []string{patches.Reference}
	for _, noise := range Noises() {
		for k := 1; k <= imagesPerNoise; k++ {
			names = append(names, imageName(noise, k))
		}
	}
	return names
}

// imageName returns the name of image k at a noise level.
func imageName(noise string, k int) string {
	if k == 0 {
		return patches.Reference
	}
	return fmt.Sprintf("%s%d", noise, k)
}

// readSplits returns the split to test on and, with a normalisation, the split that it
// learns from.
func readSplits(open patches.Opener, opt Options) (split, norm Split, err error) {
	path := filepath.Join(opt.TasksDir, filepath.FromSlash(SplitsFile))
	splits, err := patches.ReadFile(open, path, ReadSplits)
	if err != nil {
		return split, norm, patches.Missing(err, path, "the splits that descbench patches tasks writes to its --out")
	}
	find := func(name, flag string, train bool) (Split, error) {
		s, ok := splits[name]
		if ok && (!train || len(s.Train) > 0) {
			return s, nil
		}
		names := slices.Sorted(maps.Keys(splits))
		found := fmt.Sprintf("no split %q", name)
		if train {
			names = slices.DeleteFunc(names, func(n string) bool { return len(splits[n].Train) == 0 })
			if ok {
				found = fmt.Sprintf("split %s has no training sequences", name)
			}
		}
		want := "no split has training sequences"
		if len(names) > 0 {
			want = "want one of " + strings.Join(names, ", ")
		}
		return Split{}, &patches.OptionError{Reason: fmt.Sprintf("%s: %s (%s), %s", path, found, flag, want)}
	}
	split, err = find(opt.Split, "--split", opt.PCAPowerLaw)
	if n := opt.Normalisation; err == nil && n != nil {
		if n.Split == "" && len(split.Train) > 0 {
			n.Split = split.Name
		}
		n.Split = cmp.Or(n.Split, "a") // as in the MATLAB code
		norm, err = find(n.Split, "nsplit_"+n.Split+" of --normalise", true)
	}
	return split, norm, err
}

// readTasks reads the task files.
func (in *Input) readTasks(ctx context.Context, open patches.Opener, opt Options) error {
	type job struct {
		kind string
		read func(name string, r io.Reader) (any, error)
	}
	pairs := func(kind string, dst *[]Pair) job {
		return job{kind, func(name string, r io.Reader) (_ any, err error) {
			*dst, err = readPairs(kind, name, r, in.Sequences)
			return nil, err
		}}
	}
	list := func(kind string, dst *[]Patch) job {
		return job{kind, func(name string, r io.Reader) (_ any, err error) {
			*dst, err = readPatches(name, r, in.Sequences)
			return nil, err
		}}
	}
	var jobs []job
	if slices.Contains(opt.tasks(), Verification) {
		jobs = append(jobs, pairs(positiveFile, &in.Positive), pairs(interFile, &in.Inter), pairs(intraFile, &in.Intra))
	}
	if slices.Contains(opt.tasks(), Retrieval) {
		jobs = append(jobs, list(queriesFile, &in.Queries), list(distractorsFile, &in.Distractors))
	}
	path := func(kind string) string { return filepath.Join(opt.TasksDir, taskFile(kind, in.Split.Name)) }
	err := patches.Each(ctx, opt.Workers, len(jobs), func(i int) error {
		file := path(jobs[i].kind)
		_, err := patches.ReadFile(open, file, jobs[i].read)
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
			fmt.Fprintf(h, "%s %q %d\n", task, in.Sequences.Names, in.Sequences.Patches)
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
