package patchbench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/eval/patches/y2017"
	"descbench/eval/random"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/keypoints/detect"
	"descbench/pipeline/dataset"
	"descbench/pipeline/files"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Tasks are the options for drawing the tasks of 2017 from strips.
type Tasks struct {
	y2017.Drawing
	Strips string // <sequence>/<image>.png
	Out    string // folder for the task files and splits
	Splits string // splits.json to draw for; "" for those of the available sequences

	Overwrite bool // replace tasks that were drawn with other settings
}

// Draw writes the task files of every split, and then the splits. It skips splits of t.Splits
// that name sequences without strips. leftOut maps the name of each skipped split to
// the first such sequence.
func Draw(ctx context.Context, t Tasks, jobs int) (drawn []*y2017.Drawn, leftOut map[string]string, err error) {
	sequences, splits, leftOut, err := t.prepare(ctx, jobs, y2017.Noises()...)
	if err != nil {
		return nil, nil, err
	}
	counts := make(map[string]int, len(sequences))
	var all []patches.File
	for _, split := range splits {
		d, err := y2017.Draw(split.Name, named(sequences, split.Test), t.Drawing)
		if err != nil {
			return nil, nil, plan.Faultf("%s: %w", t.Strips, err)
		}
		for _, s := range d.Sequences {
			counts[s.Name] = s.Patches
		}
		drawn, all = append(drawn, d), append(all, d.Files()...)
	}
	all = append(all, patches.File{Name: y2017.SplitsFile, Write: func(w io.Writer) error { return y2017.WriteSplits(w, splits) }})
	return drawn, leftOut, t.write(taskSettings{Pairs: t.Pairs, Queries: t.Queries, Distractors: t.Distractors, Seed: t.Seed, Splits: splits, Patches: counts}, slices.Sorted(maps.Keys(counts)), all)
}

// named returns the sequences of these names, in their order.
func named(sequences []patches.StripSequence, names []string) (chosen []patches.StripSequence) {
	for _, name := range names {
		chosen = append(chosen, sequences[slices.IndexFunc(sequences, func(s patches.StripSequence) bool { return s.Name == name })])
	}
	return chosen
}

// tasksFile records how the tasks in its folder were drawn.
const tasksFile = "tasks.json"

// taskSettings are all that the tasks in a folder depend on.
type taskSettings struct {
	Edition     int            `json:"edition,omitempty"` // 2016, or 0
	Pairs       int            `json:"pairs"`
	Queries     int            `json:"queries,omitempty"`
	Distractors int            `json:"distractors,omitempty"`
	Seed        uint64         `json:"seed"`
	Splits      []y2017.Split  `json:"splits,omitempty"`  // of 2017
	Patches     map[string]int `json:"patches,omitempty"` // of 2017, by sequence
	Split       *y2017.Split   `json:"split,omitempty"`   // of 2016

	Strips map[string]string `json:"strips,omitempty"` // first digits of the digests of the reference strips, by sequence
}

// drawnTasks returns how descbench drew the tasks in a folder, the zero value if it did not.
func drawnTasks(dir string) (taskSettings, error) {
	return recorded[taskSettings](filepath.Join(dir, tasksFile))
}

// OtherSplits returns the names of the splits beside one in a folder of tasks that descbench drew.
func OtherSplits(dir, split string) (names []string) {
	drawn, _ := drawnTasks(dir) // read before
	for _, s := range drawn.Splits {
		if s.Name != split {
			names = append(names, s.Name)
		}
	}
	return names
}

// otherStrips tells of which sequences descriptors are known to be of other strips than the tasks.
func (t taskSettings) otherStrips(s *Source, sequences []string) (facts []fact.Fact) {
	others := slices.DeleteFunc(slices.Clone(sequences), func(name string) bool {
		strip := s.strips[name+"/"+patches.Reference]
		return strip == "" || strings.HasPrefix(strip, t.Strips[name])
	})
	if len(others) > 0 {
		facts = append(facts, fact.New(fact.OtherStrips).Naming("sequences", others...))
	}
	return facts
}

// write writes the files of tasks, which depend on the settings and the reference strips of sequences.
func (t *Tasks) write(settings taskSettings, sequences []string, all []patches.File) error {
	settings.Strips = make(map[string]string, len(sequences))
	for _, name := range sequences {
		digest, err := plan.FileDigest(filepath.Join(t.Strips, name, patches.Reference+".png"))
		if err != nil {
			return plan.Fault(err)
		}
		settings.Strips[name] = digest[:12]
	}
	if was, err := drawnTasks(t.Out); err == nil && !t.Overwrite && was.Pairs > 0 && was.Edition != settings.Edition {
		return plan.Faultf("%s: this folder holds tasks of %d; choose another folder, or use --overwrite to replace them", t.Out, cmp.Or(was.Edition, 2017))
	}
	out := store.Output{Dir: t.Out, Record: tasksFile, Settings: settings, Overwrite: t.Overwrite}
	for _, f := range all {
		out.Parts = append(out.Parts, filepath.FromSlash(f.Name))
	}
	err := out.Begin()
	for i, f := range all {
		if err == nil {
			err = store.WriteFile(filepath.Join(t.Out, out.Parts[i]), f.Write)
		}
	}
	return plan.Fault(err)
}

// splits returns the splits to draw for: the splits of the file whose test
// sequences all have strips. Without a file they are full, with all sequences; illum and
// view, with the sequences of a kind if it has at least two, which train on the other
// kind; and Holdout, if there are at least three sequences.
func (t *Tasks) splits(sequences []string) (list []y2017.Split, leftOut map[string]string, err error) {
	if t.Splits == "" {
		list = []y2017.Split{{Name: "full", Test: sequences}}
		for _, kind := range [][2]string{{"illum", scope.Illumination}, {"view", scope.Viewpoint}} {
			test := scope.OfCategory(sequences, kind[1])
			if len(test) >= 2 && len(test) < len(sequences) {
				list = append(list, y2017.Split{Name: kind[0], Test: test, Train: without(sequences, test)})
			}
		}
		if len(sequences) >= 3 {
			list = append(list, t.holdout(sequences))
		}
		return list, nil, nil
	}
	splits, err := patches.ReadFile(files.Open, t.Splits, y2017.ReadSplits)
	if err != nil {
		return nil, nil, plan.Fault(patches.Missing(err, t.Splits, "a splits.json file"))
	}
	leftOut = make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(splits)) {
		missing := func(s string) bool { return !slices.Contains(sequences, s) }
		s := splits[name]
		if i := slices.IndexFunc(s.Test, missing); i >= 0 {
			leftOut[name] = s.Test[i]
			continue
		}
		s.Train = slices.DeleteFunc(s.Train, missing)
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, nil, plan.Faultf("%s: no split has strips of all its test sequences in %s", t.Splits, t.Strips)
	}
	return list, leftOut, nil
}

// Holdout is the name of the split whose test sequences are drawn.
const Holdout = "holdout"

// holdout returns a split that tests on a third of the sequences, drawn at random from
// both kinds in turn, and trains on the others. (HPatches drew its splits a, b and c in
// this way: 20 test sequences of each kind.)
func (t *Tasks) holdout(sequences []string) y2017.Split {
	kinds := []string{scope.Illumination, scope.Other, scope.Viewpoint}
	drawn := make([][]string, len(kinds))
	for k, kind := range kinds {
		all := scope.OfCategory(sequences, kind)
		for _, i := range random.New(t.Seed, "holdout", kind).Sample(len(all), len(all)) {
			drawn[k] = append(drawn[k], all[i])
		}
	}
	split := y2017.Split{Name: Holdout}
	for turn := 0; len(split.Test) < max(2, (len(sequences)+1)/3); turn++ {
		kind := turn % len(kinds)
		if len(drawn[kind]) > 0 {
			split.Test, drawn[kind] = append(split.Test, drawn[kind][0]), drawn[kind][1:]
		}
	}
	slices.Sort(split.Test)
	split.Train = without(sequences, split.Test)
	return split
}

// without returns the names that are not among others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
}

// prepare returns the sequences, sorted by name, and what splits returns of them. The images of a
// sequence at the noise levels must have as many patches as the reference.
func (t *Tasks) prepare(ctx context.Context, jobs int, noises ...string) (sequences []patches.StripSequence, list []y2017.Split, leftOut map[string]string, err error) {
	dir := t.Strips
	found, err := patches.Find(dir, ".png", "strips")
	if err != nil {
		return nil, nil, nil, err
	}
	maps.DeleteFunc(found, func(_ string, images []string) bool { return !slices.Contains(images, patches.Reference) })
	if len(found) == 0 {
		return nil, nil, nil, plan.Faultf("%s: no strips, want <sequence>/%s.png", dir, patches.Reference)
	}
	detect.UseOneThread()
	names := slices.Sorted(maps.Keys(found))
	sequences = make([]patches.StripSequence, len(names))
	err = patches.Each(ctx, jobs, len(names), func(i int) (err error) {
		sequences[i].Name = names[i]
		sequences[i].Textured, err = texturedPatches(filepath.Join(dir, names[i]), patches.Images(noises...))
		return plan.Fault(cmp.Or(ctx.Err(), err))
	})
	if err == nil {
		list, leftOut, err = t.splits(names)
	}
	return sequences, list, leftOut, err
}

// texturedPatches returns which patches of the reference image have enough texture for retrieval.
func texturedPatches(folder string, images []string) (textured []bool, err error) {
	reference := filepath.Join(folder, patches.Reference+".png")
	strip, err := dataset.ReadStrip(reference)
	if err != nil {
		return nil, err
	}
	defer strip.Close()
	for _, image := range images {
		path := filepath.Join(folder, image+".png")
		n, err := patches.ReadFile(files.Open, path, patches.StripPatches)
		if err != nil {
			return nil, err
		}
		if n != strip.Len() {
			return nil, fmt.Errorf("%s: %d patches, want %d as in %s", path, n, strip.Len(), reference)
		}
	}
	for _, d := range strip.Deviations() {
		textured = append(textured, d > patches.TextureDeviation)
	}
	return textured, nil
}

// DrawOriginal writes the definition files of 2016 to the folders classification,
// matching and retrieval: those of the test set, and of the training set if the split has
// training sequences. split names one of the splits of t; "" is Holdout, or a if t has a
// file of splits.
func DrawOriginal(ctx context.Context, t Tasks, split string, jobs int) ([]*y2016.Drawn, error) {
	sequences, splits, leftOut, err := t.prepare(ctx, jobs, "e", "h")
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
		names := spelling.Words(splits, func(s y2017.Split) string { return s.Name })
		return nil, &patches.OptionError{Reason: fmt.Sprintf("no split %s, want one of %s", split, strings.Join(names, ", "))}
	}
	var drawn []*y2016.Drawn
	var all []patches.File
	for _, set := range []struct {
		name  string
		names []string
	}{{"test", splits[i].Test}, {"train", splits[i].Train}} {
		if len(set.names) == 0 {
			continue
		}
		d, err := y2016.Draw(set.name, named(sequences, set.names), y2016.Drawing{Negatives: t.Pairs, Seed: t.Seed})
		if err != nil {
			return nil, plan.Faultf("%s: %w", t.Strips, err)
		}
		drawn, all = append(drawn, d), append(all, d.Files...)
	}
	return drawn, t.write(taskSettings{Edition: 2016, Pairs: t.Pairs, Seed: t.Seed, Split: &splits[i]}, slices.Concat(splits[i].Test, splits[i].Train), all)
}
