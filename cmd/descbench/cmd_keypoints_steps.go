package main

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/pflag"

	"descbench/keypoints"
	"descbench/pipeline/config"
)

// stepFlags are the steps of a keypoint set that select keypoints.
type stepFlags struct {
	borderFlags
	minSize, maxSize, minResponse, spatial float64
	random, perImage, total                int
	seed                                   uint64
	topBy                                  string
}

func (s *stepFlags) register(fs *pflag.FlagSet) {
	s.borderFlags.register(fs)
	fs.Float64Var(&s.minSize, "min-size", 0, "drop smaller keypoints, px")
	fs.Float64Var(&s.maxSize, "max-size", 0, "drop larger keypoints, px")
	fs.Float64Var(&s.minResponse, "min-response", 0, "drop keypoints with a lower response, in the detector's units")
	fs.IntVar(&s.random, "random", 0, "keep a random sample of this many per image")
	fs.Uint64Var(&s.seed, "seed", 1, "seed of --random")
	fs.Float64Var(&s.spatial, "spatial", 0, "keep keypoints at least this far apart, stronger ones first, px")
	fs.StringVar(&s.topBy, "top-by", "response", "measure that ranks keypoints for --per-image and --total: response, size or octave")
	fs.IntVar(&s.perImage, "per-image", 0, "keep this many top-ranked keypoints per image")
	fs.IntVar(&s.total, "total", 0, "keep this many top-ranked keypoints of all scenes together")
}

// set returns the requested steps. The bounds are the same as in a config.
func (s *stepFlags) set(fs *pflag.FlagSet) (set config.KeypointSet, err error) {
	if set.Border, err = s.border(fs); err != nil {
		return set, err
	}
	for _, b := range []struct {
		name  string
		value *float64
		low   float64
		to    **float64
	}{
		{"min-size", &s.minSize, 0, &set.MinSize},
		{"max-size", &s.maxSize, 0, &set.MaxSize},
		{"min-response", &s.minResponse, -math.MaxFloat64, &set.MinResponse},
	} {
		if !fs.Changed(b.name) {
			continue
		}
		if err := checkNumber(b.name, *b.value, b.low); err != nil {
			return set, err
		}
		*b.to = b.value
	}
	if set.MinSize != nil && set.MaxSize != nil && s.minSize > s.maxSize {
		return set, usageError{fmt.Errorf("--max-size: found %v, want at least --min-size, %v", s.maxSize, s.minSize)}
	}
	if fs.Changed("random") {
		set.Random = &config.Random{PerImage: s.random, Seed: s.seed}
		err = checkCount("random", s.random)
	} else if fs.Changed("seed") {
		err = usageError{errors.New("--seed needs --random")}
	}
	if err != nil {
		return set, err
	}
	if fs.Changed("spatial") {
		if err := checkPx("spatial", s.spatial, math.SmallestNonzeroFloat64); err != nil {
			return set, err
		}
		set.Spatial = &config.Spatial{MinDistancePx: s.spatial}
	}
	set.Top, err = s.top(fs)
	return set, err
}

func (s *stepFlags) top(fs *pflag.FlagSet) (*config.Top, error) {
	perImage, total := fs.Changed("per-image"), fs.Changed("total")
	switch {
	case !perImage && !total && fs.Changed("top-by"):
		return nil, usageError{errors.New("--top-by needs --per-image N or --total N")}
	case !perImage && !total:
		return nil, nil
	case perImage && total:
		return nil, usageError{errors.New("found --per-image and --total, want one of the two")}
	}
	by, err := oneWord("top-by", s.topBy, keypoints.ByResponse, keypoints.BySize, keypoints.ByOctave)
	if err != nil {
		return nil, err
	}
	if perImage {
		return &config.Top{By: by, PerImage: s.perImage}, checkCount("per-image", s.perImage)
	}
	return &config.Top{By: by, Total: s.total}, checkCount("total", s.total)
}

// borderFlags are the border of a keypoint set.
type borderFlags struct {
	px   float64
	rule string
}

func (b *borderFlags) register(fs *pflag.FlagSet) {
	fs.Float64Var(&b.px, "border", 0, "drop keypoints closer than this to the image edge, px")
	fs.StringVar(&b.rule, "border-rule", "closed", "closed keeps px ≤ x ≤ width - px, half_open px ≤ x < width - px")
}

func (b *borderFlags) border(fs *pflag.FlagSet) (*keypoints.Border, error) {
	if !fs.Changed("border") {
		if fs.Changed("border-rule") {
			return nil, usageError{errors.New("--border-rule needs --border")}
		}
		return nil, nil
	}
	if err := checkPx("border", b.px, 0); err != nil {
		return nil, err
	}
	rule, err := oneWord("border-rule", b.rule, keypoints.Closed, keypoints.HalfOpen)
	return &keypoints.Border{Px: b.px, Rule: rule}, err
}

// checkPx checks a length in px.
func checkPx(flag string, v, low float64) error {
	if low > 0 && v <= 0 {
		return usageError{fmt.Errorf("--%s: found %v, want a number of px above 0", flag, v)}
	}
	return checkNumber(flag, v, low)
}

func checkNumber(flag string, v, low float64) error {
	if v >= low && v <= math.MaxFloat64 { // nor NaN
		return nil
	}
	if low < 0 {
		return usageError{fmt.Errorf("--%s: found %v, want a finite number", flag, v)}
	}
	return usageError{fmt.Errorf("--%s: found %v, want a finite number, at least 0", flag, v)}
}

func checkCount(flag string, n int) error {
	if n < 1 || n > math.MaxInt32 {
		return usageError{fmt.Errorf("--%s: found %d, want at least 1 and at most %d", flag, n, math.MaxInt32)}
	}
	return nil
}

// oneWord returns the value whose name, as fmt.Sprint formats it, was found.
func oneWord[T any](flag, found string, values ...T) (value T, err error) {
	names := make([]string, len(values))
	for i, v := range values {
		if names[i] = fmt.Sprint(v); names[i] == found {
			return v, nil
		}
	}
	return value, usageError{fmt.Errorf("--%s: found %q, want %s", flag, found, strings.Join(names, " or "))}
}
