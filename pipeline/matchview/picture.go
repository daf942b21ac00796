package matchview

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"descbench/eval/record"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
)

// openScene reads the images' files of a scene, in the folder data or with "" where the run had them, and checks that they are those of the
// system's run.
func openScene(ctx context.Context, s *fold.System, data, name string) (*dataset.Scene, error) {
	d := s.Run.Config.Dataset
	d.Root = cmp.Or(data, d.Root)
	scene, err := plan.OpenScene(ctx, d, name)
	if err != nil {
		return nil, err
	}
	units, err := s.Run.Units()
	if err != nil {
		return nil, err
	}
	record, err := units.Record(name)
	if err != nil {
		return nil, plan.Recreate(err)
	}
	if record.Digest != scene.Digest {
		return nil, plan.Faultf("%s: its images or homographies in %s are not those of the run %s", name, d.Root, s.Run.Folder)
	}
	return scene, nil
}

// Picture returns a figure of a pair with a random sample of at most limit nearest neighbours of
// the system, in which correct and wrong ones have their shares, and one of each is shown if limit
// allows it. Those without ground truth are only where the others leave room. With matcher, the figure is of the matches of the run's
// matcher instead. It also returns the title; the legend has the numbers. The scenes are in the folder data,
// with "" where the run had them.
// option is the flag that names the pair, for errors.
func Picture(ctx context.Context, s *fold.System, data, option, scene string, k, limit int, matcher bool) (f *figure.Pair, title string, err error) {
	if scenes := s.Run.Scenes(); !slices.Contains(scenes, scene) {
		return nil, "", &config.Error{File: option, Msg: fmt.Sprintf("no scene %q in %s%s", scene, s.Run.Folder, spelling.Hint(scene, scenes))}
	}
	records, err := s.Records(scene)
	switch {
	case err != nil:
		return nil, "", err
	case records == nil:
		return nil, "", plan.Faultf("%s, %s: no records; see descbench status %s", s.Name, scene, spelling.Shell(string(s.Run.Folder)))
	}
	i := slices.IndexFunc(records, func(r record.Records) bool { return int(r.Pair.K) == k })
	if i < 0 {
		return nil, "", &config.Error{File: option, Msg: fmt.Sprintf("no image %d, want 2 to %d", k, len(records)+1)}
	}
	r := records[i]
	imported := r.Pair.Imported
	_, epipolar := camerasOf(&r.Pair)
	if matcher {
		r, imported = matched(s, r), record.ImportedPoints // whose queries are all matches, too
	}
	from, err := openScene(ctx, s, data, scene)
	if err != nil {
		return nil, "", fmt.Errorf("the images are needed: %w; if the images have moved, use --data DIR", err)
	}
	shown, correct := "matches", fmt.Sprintf("correct within %g px", s.Rules.TolerancePx)
	if imported == "" {
		shown = "nearest neighbours without a matcher"
	}
	if epipolar {
		correct = "correct with an epipolar error below 5e-4"
	}
	f, title = new(figure.Pair), fmt.Sprintf("%s, images 1 and %d, %s, %s; %s", scene, k, s.Name, shown, correct)
	if _, hit := rates(s, r); hit != nil {
		title += fmt.Sprintf("; hit@1 %s %%", table.Share.Format(*hit))
	}
	for side, index := range []int{0, k - 1} {
		if f.Images[side], err = from.Picture(index); err != nil {
			return nil, "", err
		}
	}
	m := byClass(s, r, limit)
	failed := Missed
	names := map[Class]string{Unknown: "unknown, without depth", Occluded: "occluded", Wrong: "no ground truth", Missed: "missed", Correct: "correct"}
	if imported != "" || epipolar {
		failed, names[Wrong] = Wrong, "wrong"
		delete(names, Missed)
	}
	if all := m[Correct].count + m[failed].count; all > limit {
		failures := (limit*m[failed].count + all/2) / all
		failures = min(max(failures, min(1, m[failed].count)), limit-min(1, m[Correct].count)) // one of each at least
		m[failed].keep(failures)
		m[Correct].keep(limit - failures)
	}
	order, room := []Class{Unknown, Occluded, Wrong, Missed, Correct}, limit // the important ones on top
	for _, class := range slices.Backward(order) {
		m[class].keep(room)
		room -= len(m[class].queries)
	}
	for _, class := range order {
		name, has := names[class]
		if !has {
			continue
		}
		f.Classes = append(f.Classes, figure.MatchClass{Name: name, Count: m[class].count, Matches: m[class].matches(class, &r.Pair)})
	}
	return f, title, nil
}

// matches returns the sampled matches of a class as they are drawn.
func (s *sample) matches(class Class, p *record.Pair) (drawn []figure.Match) {
	cameras, epipolar := camerasOf(p)
	for _, q := range s.queries {
		match := figure.Match{Left: at(q.X, q.Y), Right: at(q.NearestX, q.NearestY)}
		if class == Missed {
			match.Truth = new(at(q.TruthX, q.TruthY))
		}
		if epipolar && class == Wrong {
			if ends, ok := epipolarLine(cameras, float64(q.X), float64(q.Y), p.WidthK, p.HeightK); ok {
				match.Line = &ends
			}
		}
		drawn = append(drawn, match)
	}
	return drawn
}

// matched returns the records of the queries that the run's matcher matches. They have no ground
// truth, as those of imported matches.
func matched(s *fold.System, r record.Records) record.Records {
	c := s.Run.Config
	all := r.Queries
	r.Queries = nil
	for _, i := range c.MatcherOf(*c.Named(s.Descriptor)).Match(all) {
		q := all[i]
		q.Truth = -1
		r.Queries = append(r.Queries, q)
	}
	return r
}

// keep reduces the sample to n queries, if it has more.
func (s *sample) keep(n int) { s.queries = s.queries[:min(n, len(s.queries))] }

func at(x, y float32) figure.Point { return figure.Point{X: float64(x), Y: float64(y)} }
