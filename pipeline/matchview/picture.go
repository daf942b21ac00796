package matchview

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"descbench/eval/matching"
	"descbench/eval/record"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/report/figure"
)

// openScene reads the images' files of a scene and checks that they are those of the
// system's run.
func (s *System) openScene(ctx context.Context, name string) (*dataset.Scene, error) {
	d := s.Run.Config.Dataset
	scene, err := plan.OpenScene(ctx, d, name)
	if err != nil {
		return nil, fmt.Errorf("the images are needed: %w", err)
	}
	digest, err := s.Run.RunFolder().SceneDigest(name)
	if err != nil {
		return nil, plan.Recreate(err)
	}
	if digest != scene.Digest {
		return nil, plan.Faultf("%s: its images or homographies in %s are not those of the run %s", name, d.Root, s.Run.Folder)
	}
	return scene, nil
}

// Picture returns a figure of a pair with the matches of the system, at most limit of
// each class: by Class, or, with a matcher, true positives, false positives and false
// negatives of its decisions. option is the flag that names the pair, for errors.
func (s *System) Picture(ctx context.Context, option, scene string, k, limit int, matcher *matching.Matcher) (*figure.Pair, error) {
	if err := s.checkScene(option, scene); err != nil {
		return nil, err
	}
	records, err := s.records(scene)
	if errors.Is(err, errNoRecords) {
		return nil, plan.Faultf("%w; see descbench status %s", err, s.Run.Folder)
	} else if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(records, func(r record.Records) bool { return int(r.Pair.K) == k })
	if i < 0 {
		return nil, &config.Error{File: option, Msg: fmt.Sprintf("no image %d, want 2 to %d", k, len(records)+1)}
	}
	from, err := s.openScene(ctx, scene)
	if err != nil {
		return nil, err
	}
	f := &figure.Pair{Title: fmt.Sprintf("%s, images 1 and %d, %s: %d queries", scene, k, s.Name, len(records[i].Queries))}
	for side, index := range []int{0, k - 1} {
		if f.Images[side], err = from.Picture(index); err != nil {
			return nil, err
		}
	}
	if matcher != nil {
		f.Title += ", " + matcher.String()
		f.Classes = s.decided(records[i], *matcher, limit)
		return f, nil
	}
	m := s.sampled(records[i], limit)
	for _, class := range []Class{Wrong, Missed, Correct} { // the important ones on top
		f.Classes = append(f.Classes, m.drawn(class))
	}
	f.Truths = "where a missed query belongs"
	return f, nil
}

// drawn returns the sampled matches of a class for a figure.
func (m *Matches) drawn(class Class) figure.MatchClass {
	sampled := m.Sampled[class]
	name := fmt.Sprintf("%s: %d", class, m.Count[class])
	if len(sampled) < m.Count[class] {
		name += fmt.Sprintf(", %d shown", len(sampled))
	}
	out := figure.MatchClass{Name: name}
	for _, q := range sampled {
		match := figure.Match{
			Left:  figure.Point{X: float64(q.X), Y: float64(q.Y)},
			Right: figure.Point{X: float64(q.NearestX), Y: float64(q.NearestY)},
		}
		if class == Missed {
			match.Truth = &figure.Point{X: float64(q.TruthX), Y: float64(q.TruthY)}
		}
		out.Matches = append(out.Matches, match)
	}
	return out
}
