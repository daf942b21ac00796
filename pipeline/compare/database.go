package compare

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// comparedDatabase reads descriptors from a SQLite file: those of the chosen runs,
// or of the newest run of each experiment. A run is chosen by the name of its
// experiment, which stands for the newest one, or by the first digits of its ID.
func comparedDatabase(ctx context.Context, path string, chosen []string, figure string) (labels []string, runs [][]*runDescriptor, err error) {
	rows, err := store.ReadResults(ctx, path, store.Selection{Names: []string{figure, "coverage", "mean_gallery_size"}, Scenes: true})
	if err != nil {
		return nil, nil, plan.Fault(err)
	}
	all := len(rows)
	rows = slices.DeleteFunc(rows, func(r store.ResultRow) bool { return r.Kind != store.Sequences })
	if all > 0 && len(rows) == 0 {
		return nil, nil, plan.Faultf("%s: has results of the patch benchmark only; descbench patches compare compares them", path)
	}
	if rows, err = chosenRuns(path, rows, chosen); err != nil {
		return nil, nil, err
	}
	found := false
	last := ""
	for _, r := range rows {
		cfg, err := config.Parse("the config of "+r.Experiment, []byte(r.Config))
		if err != nil {
			return nil, nil, plan.Faultf("%s: %w", path, err)
		}
		d := newRunDescriptor(r.Descriptor, cfg, r.Warnings)
		for _, s := range r.Scenes {
			d.setScene(s.Name, s.SceneDigest, s.SetDigest)
		}
		some, err := d.setValues(r.Metrics, figure)
		if err != nil {
			return nil, nil, plan.Faultf("%s: %s: %w", path, r.Experiment, err)
		}
		found = found || some
		if run := r.Experiment + "\n" + r.Identity; run != last {
			last = run
			labels, runs = append(labels, runLabel(r, rows)), append(runs, nil)
		}
		d.joinGroup(runs[len(runs)-1])
		runs[len(runs)-1] = append(runs[len(runs)-1], d)
	}
	if !found {
		return nil, nil, &config.Error{File: "--metric " + catalogue.Short(figure), Msg: path + ": no scene has it; either the configs do not request it or it is not defined per scene"}
	}
	return labels, runs, nil
}

// chosenRuns returns the rows of the chosen runs, in the order of the choice.
func chosenRuns(path string, rows []store.ResultRow, chosen []string) ([]store.ResultRow, error) {
	newest := store.Newest(rows)
	if len(chosen) == 0 {
		return newest, nil
	}
	var names []string
	for _, r := range newest {
		if !slices.Contains(names, r.Experiment) {
			names = append(names, r.Experiment)
		}
	}
	var out []store.ResultRow
	for _, name := range chosen {
		refuse := func(format string, args ...any) error {
			return &config.Error{File: "--runs " + name, Msg: fmt.Sprintf(format, args...)}
		}
		from, matches := rows, func(r store.ResultRow) bool { return strings.HasPrefix(r.Identity, name) }
		if slices.Contains(names, name) {
			from, matches = newest, func(r store.ResultRow) bool { return r.Experiment == name }
		}
		identities := make(map[string]bool)
		for _, r := range from {
			if matches(r) {
				identities[r.Experiment+"\n"+r.Identity] = true
				if slices.ContainsFunc(out, func(o store.ResultRow) bool {
					return o.Experiment == r.Experiment && o.Identity == r.Identity && o.Descriptor == r.Descriptor
				}) {
					return nil, refuse("this run is chosen twice")
				}
				out = append(out, r)
			}
		}
		switch len(identities) {
		case 0:
			return nil, refuse("%s has no run of this name or ID, want one of %s; descbench database list %s --all lists the IDs", path, strings.Join(names, ", "), path)
		case 1:
		default:
			return nil, refuse("several runs have an ID that begins with it")
		}
	}
	return out, nil
}

// runLabel is the name of a run's experiment, with the ID if another run of the
// experiment is compared too.
func runLabel(r store.ResultRow, rows []store.ResultRow) string {
	if slices.ContainsFunc(rows, func(o store.ResultRow) bool { return o.Experiment == r.Experiment && o.Identity != r.Identity }) {
		return fmt.Sprintf("%s@%.8s", r.Experiment, r.Identity)
	}
	return r.Experiment
}
