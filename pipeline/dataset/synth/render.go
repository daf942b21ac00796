// Package synth renders scenes in HPatches layout whose homographies are known
// exactly: textured planes seen from six viewpoints, or in six kinds of light.
// It is pure Go.
//
// The same seed gives the same pixels and homographies on every machine and
// for any number of workers: random draws are keyed by what they are for, and
// the arithmetic is limited to operations that IEEE 754 defines to the last
// bit. The bytes of the PNG files may change with Go's compressor.
//
// An earlier renderer drew the scenes in the repository's testdata/scenes;
// this package does not reproduce them.
package synth

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"descbench/keypoints"
	"descbench/pipeline/store"
)

// Options say what to render.
type Options struct {
	Scenes        int    // half of them viewpoint scenes, half illumination scenes
	Seed          uint64 // another seed, other pictures
	Width, Height int    // of every image, px
	Jobs          int    // scenes rendered at a time
	Overwrite     bool   // replace scenes rendered with another seed or size
}

// Bounds of Options, which the command checks.
const (
	MaxScenes = 1998 // names have three digits
	MinSide   = 128  // px
	MaxSide   = 2048 // px; a scene in the making takes about 250 bytes per pixel of an image
)

// version is part of the settings of a folder of scenes. Increase it when a seed
// stands for other pixels or homographies.
const version = 1

// Render renders the scenes v_synth_001, i_synth_001, v_synth_002, … into
// folders of dir and returns their names in this order. A scene does not
// depend on how many others are rendered. Each folder appears when it is
// complete. Scenes that an earlier call rendered with the same seed and size are
// kept. Other folders that exist and are not empty are refused before anything
// is rendered.
func Render(ctx context.Context, dir string, opt Options) (names []string, err error) {
	names = make([]string, opt.Scenes)
	for i := range names {
		names[i] = sceneName(i)
	}
	settings := struct {
		Seed    uint64 `json:"seed"`
		Width   int    `json:"width"`
		Height  int    `json:"height"`
		Version int    `json:"version"` // of the renderer
	}{opt.Seed, opt.Width, opt.Height, version}
	out := store.Output{Dir: dir, Record: "synth.json", Settings: settings, Parts: names, Overwrite: opt.Overwrite}
	if err := out.Begin(); err != nil {
		return nil, err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(opt.Jobs)
	for i, name := range names {
		g.Go(func() error {
			if err := writeScene(ctx, out, name, newScene(opt, i)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		})
	}
	return names, g.Wait()
}

func sceneName(i int) string {
	return fmt.Sprintf("%c_synth_%03d", "vi"[i%2], i/2+1)
}

// A scene is what its images are rendered from.
type scene struct {
	width, height int
	homographies  [6]keypoints.Homography // image 1 to image k
	lightings     [6]lighting
	noise         [6]*stream
	texture       *stream
}

// newScene draws scene i.
func newScene(opt Options, i int) *scene {
	s := &scene{width: opt.Width, height: opt.Height}
	stream := func(image int, p purpose) *stream { return newStream(opt.Seed, i, image, p) }
	s.texture = stream(0, forTexture)
	light := stream(0, forLight)
	if i%2 == 0 {
		s.homographies = viewpoints(opt.Width, opt.Height, stream(0, forView))
		for k := range s.lightings {
			s.lightings[k] = daylight(light)
		}
	} else {
		for k := range s.homographies {
			s.homographies[k] = keypoints.Identity
		}
		s.lightings = lightings(opt.Width, opt.Height, light)
	}
	for k := range s.noise {
		s.noise[k] = stream(k, forNoise)
	}
	return s
}

// images renders the images one after the other and hands them to use.
func (s *scene) images(ctx context.Context, use func(k int, img *image.RGBA) error) error {
	p := newPlane(s.width, s.height)
	p.paint(s.texture)
	levels := newPyramid(p)
	for k := range s.homographies {
		if err := ctx.Err(); err != nil {
			return err
		}
		l := s.lightings[k]
		e := photograph(levels, s.homographies[k], s.width, s.height, l.blur)
		if err := use(k, develop(e, l, s.noise[k])); err != nil {
			return err
		}
	}
	return nil
}

// writeScene renders a scene, unless it is there.
func writeScene(ctx context.Context, out store.Output, name string, s *scene) error {
	if out.Has(name) {
		return nil
	}
	return out.Make(name, func(dir string) error {
		return s.images(ctx, func(k int, img *image.RGBA) error {
			if k > 0 {
				h := filepath.Join(dir, fmt.Sprintf("H_1_%d", k+1))
				if err := store.WriteBytes(h, []byte(format(s.homographies[k]))); err != nil {
					return err
				}
			}
			return store.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.png", k+1)), func(w io.Writer) error { return png.Encode(w, img) })
		})
	})
}
