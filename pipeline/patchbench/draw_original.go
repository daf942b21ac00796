package patchbench

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"descbench/eval/patches"
	"descbench/eval/patches/y2016"
	"descbench/eval/patches/y2017"
	"descbench/eval/spelling"
	"descbench/pipeline/plan"
)

// DrawOriginal writes the definition files of 2016 to the folders classification,
// matching and retrieval: those of the test set, and of the training set if the split has
// training sequences. split names one of the splits of t; "" is Holdout, or a if t has a
// file of splits.
func DrawOriginal(ctx context.Context, t Tasks, split string, jobs int) ([]*y2016.Drawn, error) {
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
		d, err := y2016.Draw(set.name, chosenStrips(sequences, set.names), y2016.Drawing{Negatives: t.Pairs, Seed: t.Seed})
		if err != nil {
			return nil, plan.Faultf("%s: %w", t.Strips, err)
		}
		drawn, all = append(drawn, d), append(all, d.Files...)
	}
	return drawn, t.write(struct {
		Edition int         `json:"edition"`
		Pairs   int         `json:"pairs"`
		Seed    uint64      `json:"seed"`
		Split   y2017.Split `json:"split"`
	}{2016, t.Pairs, t.Seed, splits[i]}, all)
}
