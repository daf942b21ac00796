package patchbench

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/eval/patches/y2017"
	"descbench/pipeline/plan"
	"descbench/pipeline/resumable"
)

// DrawnSet counts what was drawn for the training or the test set of 2016.
type DrawnSet struct {
	Set       string `json:"set"` // train or test
	Sequences int    `json:"sequences"`
	Patches   int    `json:"patches"`   // in reference images
	Textured  int    `json:"textured"`  // patches with enough texture for retrieval
	Positives int    `json:"positives"` // of each noise level
	Negatives int    `json:"negatives"` // of each kind
	Images    int    `json:"image_pairs"`
	Pools     int    `json:"pools"`
	Queries   int    `json:"queries"`
}

// DrawOriginal writes the definition files of 2016 to the folders classification,
// matching and retrieval: those of the test set, and of the training set if the split has
// training sequences. split names one of the splits of t; "" is Holdout, or a if t has a
// file of splits. It keeps the files of an earlier call with the same settings and strips.
func DrawOriginal(ctx context.Context, t Tasks, split string, jobs int) ([]DrawnSet, error) {
	images := slices.DeleteFunc(y2017.Images(), func(image string) bool { return strings.HasPrefix(image, "t") })
	sequences, err := stripSequences(ctx, t.Strips, images, jobs)
	if err != nil {
		return nil, err
	}
	splits, leftOut, err := t.splits(slices.Sorted(maps.Keys(sequences)))
	if err != nil {
		return nil, err
	}
	if split == "" {
		if split = Holdout; t.Splits != "" {
			split = "a"
		}
	}
	i := slices.IndexFunc(splits, func(s y2017.Split) bool { return s.Name == split })
	if i < 0 {
		if missing := leftOut[split]; missing != "" {
			return nil, plan.Faultf("%s: no strips of %s, a test sequence of split %s", t.Strips, missing, split)
		}
		var names []string
		for _, s := range splits {
			names = append(names, s.Name)
		}
		return nil, &patches.OptionError{Reason: fmt.Sprintf("no split %s, want one of %s", split, strings.Join(names, ", "))}
	}
	sets := []y2016.Set{stripSet("test", splits[i].Test, sequences)}
	if len(splits[i].Train) > 0 {
		sets = append(sets, stripSet("train", splits[i].Train, sequences))
	}
	all := make([][]patches.File, len(sets))
	spec := resumable.Spec{Dir: t.Out, Record: tasksFile, Overwrite: t.Overwrite}
	for i, set := range sets {
		if all[i], err = y2016.Draw(set, y2016.Drawing{Negatives: t.Pairs, Seed: t.Seed}); err != nil {
			return nil, plan.Faultf("%s: %w", t.Strips, err)
		}
		for _, f := range all[i] {
			spec.Paths = append(spec.Paths, filepath.FromSlash(f.Name))
		}
	}
	spec.Settings = struct {
		Edition int         `json:"edition"`
		Pairs   int         `json:"pairs"`
		Seed    uint64      `json:"seed"`
		Split   y2017.Split `json:"split"`
	}{2016, t.Pairs, t.Seed, splits[i]}
	out, err := resumable.Open(spec)
	if err != nil {
		return nil, plan.Fault(err)
	}
	defer out.Close()
	var drawn []DrawnSet
	for i, set := range sets {
		report := counted(set, all[i])
		digest := patches.SHA256(func(input io.Writer) {
			for _, s := range set.Sequences {
				fmt.Fprintln(input, s)
			}
		})
		reused, err := out.Done(set.Name, digest, &report)
		if err != nil {
			return nil, plan.Fault(err)
		}
		if !reused {
			if err := t.write(out, set.Name, digest, report, all[i]); err != nil {
				return nil, plan.Fault(err)
			}
		}
		drawn = append(drawn, report)
	}
	return drawn, plan.Fault(out.End())
}

// stripSet returns the set with the texture of its reference patches.
func stripSet(name string, names []string, sequences map[string][]bool) y2016.Set {
	set := y2016.Set{Name: name}
	for _, sequence := range names {
		set.Sequences = append(set.Sequences, y2016.StripSequence{Name: sequence, Textured: sequences[sequence]})
	}
	return set
}

func counted(set y2016.Set, files []patches.File) DrawnSet {
	d := DrawnSet{Set: set.Name, Sequences: len(set.Sequences)}
	for _, s := range set.Sequences {
		d.Patches += len(s.Textured)
		for _, textured := range s.Textured {
			if textured {
				d.Textured++
			}
		}
	}
	for _, f := range files {
		benchmark := strings.HasSuffix(f.Name, ".benchmark")
		switch {
		case strings.Contains(f.Name, "_pos_"):
			d.Positives = f.Lines
		case strings.Contains(f.Name, "_neg_"):
			d.Negatives = f.Lines
		case strings.HasPrefix(f.Name, string(y2016.Matching)) && benchmark:
			d.Images += f.Lines
		case benchmark:
			d.Pools++
			d.Queries += f.Lines - 1
		}
	}
	return d
}
