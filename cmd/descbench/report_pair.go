package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/plot/vg"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/charts"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/matchview"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// A pairPicture says which picture of an image pair descbench report writes.
type pairPicture struct {
	pair       string // SCENE/K; "" for none
	scene      string // of pair, after check
	k          int
	descriptor string
	matches    int
	matched    bool // draw the matches of the run's matcher
}

func (p *pairPicture) register(fs *pflag.FlagSet) {
	fs.StringVar(&p.pair, "pair", "", "write one picture: the matches of image 1 and image K of a scene, as SCENE/K")
	fs.StringVar(&p.descriptor, "descriptor", "", "descriptor of --pair (default: the first)")
	fs.IntVar(&p.matches, "matches", 80, "how many matches --pair draws at most: a random sample of the queries with a ground truth; those without one fill the rest")
	fs.BoolVar(&p.matched, "matched", false, "draw the matches of the run's matcher with --pair, as papers do, not the nearest neighbour of every query")
	limits(fs, "matches", 1, 0)
	needs(fs, []string{"descriptor", "matches", "matched"}, "pair")
}

// check checks the values. file is what --out names.
func (p *pairPicture) check(file string) error {
	if p.pair == "" {
		return nil
	}
	if file == "" {
		return usageError{fmt.Errorf("--pair %s: want --out FILE.png, .svg or .pdf", p.pair)}
	}
	if err := figure.Check(file); err != nil {
		return usageError{err}
	}
	var ok bool
	if p.scene, p.k, ok = scope.SplitPair(p.pair); !ok {
		return usageError{fmt.Errorf("--pair %s: want SCENE/K with K from 2, as in v_wall/4", p.pair)}
	}
	return nil
}

// write writes the picture and prints where.
func (p *pairPicture) write(cmd *cobra.Command, flags *commonFlags, runs []string, file string, width vg.Length) error {
	open, err := fold.Open(runs, flags.set)
	if err != nil {
		return err
	}
	system := open.Systems[0]
	if p.descriptor != "" {
		if system, err = open.Find("--descriptor", p.descriptor); err != nil {
			return err
		}
	}
	picture, title, err := matchview.Picture(cmd.Context(), system, flags.data, "--pair "+p.pair, p.scene, p.k, p.matches, p.matched)
	if err != nil {
		return err
	}
	run := system.Run
	legend := compare.NewLegend([]*fold.System{system})
	var about, setup []string
	var metrics []*catalogue.Metric
	if run.Config.Placeless() {
		about = []string{"The epipolar error of a match is the sum of its squared distances from both epipolar lines, in coordinates of rays"}
	} else if run.Config.Named(system.Descriptor).Matches == nil { // its title has hit@1
		metrics = []*catalogue.Metric{catalogue.Of(catalogue.MAP)}
	}
	if p.matched {
		metrics, about = nil, append(about, legend.Matches(catalogue.Of("mma@3"))...)
	} else if metrics != nil {
		setup = []string{"MMA counts the matches of the run's matcher only"}
	}
	about = slices.Concat(fold.Setup(run.Config, metrics...), about, legend.Keypoints())
	if slices.ContainsFunc(picture.Classes, func(c figure.MatchClass) bool { return len(c.Matches) < c.Count }) {
		about = append([]string{"Shown: random samples of as many matches as the legend says"}, about...)
	}
	chart := charts.Chart{ID: file, Title: title, Caption: charts.Caption{table.Sentences(about...)}, Setup: append(setup, legend.Settings()...), Figure: picture}
	if err := chart.WriteOne(file, width); err != nil {
		return err
	}
	if flags.json {
		return printJSON(cmd.OutOrStdout(), map[string]string{"picture": file})
	}
	return printChart(cmd.OutOrStdout(), "picture", chart)
}
