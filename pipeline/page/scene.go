package page

import (
	"context"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
)

// Scenes returns the names of the scenes that at least one system has results
// for, sorted.
func (r *results) Scenes() []string {
	all := make(map[string]bool)
	for _, run := range r.Runs {
		for _, d := range run.Summary.Descriptors {
			for name := range d.Scenes {
				all[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// sceneLink returns the address of a scene's page relative to its folder.
func sceneLink(scene string) string { return url.PathEscape(scene) + extension }

// A scenePage is what the page of one scene shows.
type scenePage struct {
	*results
	Scene string
}

// writeScenes writes the page of each scene to a folder.
func (r *results) writeScenes(ctx context.Context, folder string) error {
	for _, scene := range r.Scenes() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := write(filepath.Join(folder, scene+extension), "scene"+extension, scenePage{r, scene}); err != nil {
			return err
		}
	}
	return nil
}
