package page

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"descbench/eval/spelling"
	"descbench/pipeline/fold"
	"descbench/pipeline/matchview"
)

// Scenes returns the names of the scenes that at least one system has results
// for, sorted.
func (r *results) Scenes() []string {
	all := make(map[string]bool)
	for _, s := range r.Systems {
		for name := range s.Summary.Scenes {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// sceneLink returns the address of a scene's page relative to its folder.
func sceneLink(scene string) string { return url.PathEscape(scene) + extension }

// A scenePage is what the page of one scene shows.
type scenePage struct {
	*matchview.ScenePage
	Previous, Next string // names; "" for none
	Back           string // address of the main page
}

// writeScenes writes the page of each scene to the folder beside the main page. without
// says how many have no images, and why the first of them.
func (r *results) writeScenes(ctx context.Context, folder, main string, opt Options) (without string, err error) {
	systems := slices.Clone(r.Systems)
	sets, _ := fold.KeypointSets(r.Systems)
	slices.SortStableFunc(systems, func(a, b *fold.System) int { return sets[a] - sets[b] })
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	scenes := r.Scenes()
	reasons := make([]string, len(scenes))
	for i, name := range scenes {
		group.Go(func() error {
			scene, err := matchview.Scene(ctx, systems, opt.Data, name)
			if err != nil {
				return err
			}
			reasons[i] = scene.NoImages
			p := scenePage{ScenePage: scene, Back: "../" + url.PathEscape(main)}
			if i > 0 {
				p.Previous = scenes[i-1]
			}
			if i+1 < len(scenes) {
				p.Next = scenes[i+1]
			}
			return write(filepath.Dir(folder), filepath.Join(folder, name+extension), "scene"+extension, p)
		})
	}
	if err := group.Wait(); err != nil {
		return "", err
	}
	missing := slices.DeleteFunc(reasons, func(why string) bool { return why == "" })
	if len(missing) == 0 {
		return "", nil
	}
	return fmt.Sprintf("%d of %s have no images: %s; if the images have moved, use report --data DIR", len(missing), spelling.Count(len(scenes), "scene page"), missing[0]), nil
}
