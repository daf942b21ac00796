package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/pipeline/matchview"
	"descbench/pipeline/report/figure"
)

// A pairPicture says which picture of an image pair descbench report writes.
type pairPicture struct {
	pair       string // SCENE/K; "" for none
	descriptor string
	file       string
	matches    int
}

func (p *pairPicture) register(fs *pflag.FlagSet) {
	fs.StringVar(&p.pair, "pair", "", "write one picture: the matches of image 1 and image K of a scene, as SCENE/K")
	fs.StringVar(&p.descriptor, "descriptor", "", "descriptor of --pair (default: the first)")
	fs.StringVarP(&p.file, "output", "o", "", "file of --pair: .png, .svg or .pdf")
	fs.IntVar(&p.matches, "matches", 40, "matches of --pair to draw of each kind, at most; a random sample")
}

// check returns an error if flags are missing or contradict each other.
func (p *pairPicture) check(cmd *cobra.Command) error {
	if p.pair == "" {
		for _, name := range []string{"descriptor", "output", "matches"} {
			if cmd.Flags().Changed(name) {
				return usageError{fmt.Errorf("--%s needs --pair SCENE/K", name)}
			}
		}
		return nil
	}
	switch {
	case p.file == "":
		return usageError{fmt.Errorf("--pair %s: want -o FILE.png, .svg or .pdf", p.pair)}
	case p.matches < 1 || p.matches > matchview.MaxMatches:
		return usageError{fmt.Errorf("--matches: found %d, want 1 to %d", p.matches, matchview.MaxMatches)}
	}
	if err := figure.Check(p.file); err != nil {
		return usageError{err}
	}
	_, _, err := p.split()
	return err
}

// split returns the scene and the image of the pair.
func (p *pairPicture) split() (scene string, k int, err error) {
	i := strings.LastIndexByte(p.pair, '/')
	if i > 0 {
		k, err = strconv.Atoi(strings.TrimPrefix(p.pair[i+1:], "1_"))
	}
	if i <= 0 || err != nil {
		return "", 0, usageError{fmt.Errorf("--pair %s: want SCENE/K with K from 2 to 6, as in v_wall/4", p.pair)}
	}
	return p.pair[:i], k, nil
}

// write writes the picture and prints where.
func (p *pairPicture) write(cmd *cobra.Command, flags *commonFlags, runs []string) error {
	view, err := matchview.Open(runs)
	if err != nil {
		return err
	}
	system := view.Systems[0]
	if p.descriptor != "" {
		if system, err = view.Find("--descriptor", p.descriptor); err != nil {
			return err
		}
	}
	scene, k, err := p.split()
	if err != nil {
		return err
	}
	picture, err := system.Picture(cmd.Context(), "--pair "+p.pair, scene, k, p.matches)
	if err != nil {
		return err
	}
	if err := figure.Write(p.file, picture, figure.Page); err != nil {
		return err
	}
	if flags.json {
		return printJSON(cmd.OutOrStdout(), map[string]string{"picture": p.file})
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "picture: %s\n", p.file)
	return err
}
