package dataset

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// A Survey is what was found in a folder of scenes.
type Survey struct {
	Source    Source
	Scenes    []SurveyedScene
	NotScenes []string // folders without any of a scene's files; never nil
	Broken    int
}

// A SurveyedScene is one scene, or what is wrong with it.
type SurveyedScene struct {
	*Scene            // of a broken one, only the name
	Overlap []float64 // share of image 1 visible in image k, at index k-1; if verified
	Fault   string
}

// List opens every scene, as many at a time as there are
// jobs, and, if verify is set, decodes its images. A broken scene is part of the survey,
// not an error.
func (src Source) List(ctx context.Context, maxMegapixels, jobs int, verify bool) (*Survey, error) {
	found, others, err := src.Find(nil, "all")
	if err != nil {
		return nil, err
	}
	s := &Survey{Source: src, Scenes: make([]SurveyedScene, len(found)), NotScenes: append([]string{}, others...)}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	for i, ref := range found {
		g.Go(func() error {
			scene, err := src.Open(ctx, ref.Name, maxMegapixels)
			var overlap []float64
			if err == nil && verify {
				overlap, err = scene.Verify(ctx)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if s.Scenes[i] = (SurveyedScene{Scene: scene, Overlap: overlap}); err != nil {
				s.Scenes[i] = SurveyedScene{Scene: &Scene{Name: ref.Name}, Fault: err.Error()}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	good, seen := make(map[string]string), make(map[string]string)
	for i := range s.Scenes {
		scene := &s.Scenes[i]
		if scene.Fault == "" {
			good[scene.Name] = scene.Digest
			if err := NoCopies(good); err != nil {
				delete(good, scene.Name)
				scene.Fault = err.Error()
			} else {
				scene.Facts = append(scene.Facts, Shared(seen, scene.Name, scene.Images)...)
			}
		}
		if scene.Fault != "" {
			s.Broken++
		}
	}
	return s, nil
}
