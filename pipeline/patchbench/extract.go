package patchbench

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/patches"
	"descbench/eval/random"
	"descbench/eval/spelling"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/dataset"
	"descbench/pipeline/keypointsets"
	"descbench/pipeline/patchbench/regions"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A Cut holds the settings for cutting patches out of scenes: everything that the
// patches depend on except the scenes and the keypoints.
type Cut struct {
	Side    float64 `json:"side"`    // side of a region, in keypoint sizes
	Overlap float64 `json:"overlap"` // maximum overlap of two regions of a sequence, as intersection over union
	Limit   int     `json:"limit"`   // maximum number of patches per sequence; 0 for as many as fit in a strip
	Seed    uint64  `json:"seed"`
	Color   bool    `json:"color"`
}

// An Extraction cuts patches around the keypoints of the first image of each scene.
type Extraction struct {
	Cut
	Of  []keypointsets.Source // keypoint sets to combine, of the same scenes
	Out string                // folder for the sequences, one subfolder per scene

	Overwrite bool // replace sequences that were cut with other settings
}

// An ExtractedSequence counts the keypoints of a scene by outcome. Each keypoint is
// counted once, by the first outcome that applies.
type ExtractedSequence struct {
	Sequence    string `json:"sequence"`
	Keypoints   int    `json:"keypoints"` // in image 1, from all sets
	Sizeless    int    `json:"sizeless"`  // without a size
	Outside     int    `json:"outside"`   // a region, jittered or not, is not completely inside its image
	Overlapping int    `json:"overlapping"`
	BeyondLimit int    `json:"beyond_limit"`
	Patches     int    `json:"patches"`
	Upright     int    `json:"upright"` // patches of keypoints without an angle
}

// Extract writes a sequence for each scene:
//
//	ref.png, e1.png .. t5.png  strips: patch n of each strip belongs to the same keypoint
//	<image>.frames             the jittered regions in the image: x,y,a11,a21,a12,a22
//	H_ref_1 .. H_ref_5         the homographies from image 1 to images 2 to 6
//	keypoints.csv              the keypoints
//	extraction.json            settings, origin and counts
//
// and, next to the sequences, the settings in extraction.json. The folder of a
// sequence appears when it is complete. Sequences are kept that an earlier call cut,
// which must have had the same settings, scenes and keypoints unless x.Overwrite. A scene that cannot be
// used, or that yields no patch, does not stop the others; it is reported in a
// FailedScenesError. progress is called with the number of scenes done and the total;
// opt.Progress is called while the keypoint sets are computed.
func Extract(ctx context.Context, x Extraction, opt plan.Options, progress func(done, all int)) (done []ExtractedSequence, err error) {
	scenes, err := x.scenes(ctx, opt)
	if err != nil {
		return nil, err
	}
	names := spelling.Words(scenes, func(s *cutSequence) string { return s.scene.Name })
	detect.UseOneThread()
	out := store.Output{Dir: x.Out, Record: extractionFile, Settings: x.settings(), Parts: names, Overwrite: x.Overwrite, Input: "scenes or keypoints"}
	for _, s := range scenes {
		if was, err := x.earlier(s); err == nil && was.Input != s.digest() {
			out.Changed = append(out.Changed, s.scene.Name)
		}
	}
	if err := out.Begin(); err != nil {
		return nil, plan.Fault(err)
	}
	failed := make(map[string]string)
	for i, s := range scenes {
		counts, err := x.sequence(ctx, s, out, opt.Jobs)
		switch {
		case err == nil:
			done = append(done, counts)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.As(err, new(*plan.DataError)):
			return nil, err
		default:
			failed[s.scene.Name] = strings.TrimPrefix(err.Error(), s.scene.Name+": ")
		}
		progress(i+1, len(names))
	}
	if len(failed) > 0 {
		return done, &plan.FailedScenesError{Requested: len(names), Failed: failed}
	}
	return done, nil
}

// scenes returns the scenes with the keypoints of all sets. Every scene must be in all sets and have a
// name that patch signatures allow.
func (x *Extraction) scenes(ctx context.Context, opt plan.Options) ([]*cutSequence, error) {
	var all []*cutSequence
	for i, of := range x.Of {
		next := 0
		err := of.Each(ctx, opt, nil, func(scene *dataset.Scene, sets []keypoints.Set) error {
			if _, posed := scene.Cameras(0); posed {
				return plan.Faultf("scene %s: want images with homographies, which say where a patch is in another image, not with cameras", scene.Name)
			}
			if i == 0 {
				if strings.ContainsAny(scene.Name, ".,") {
					return plan.Faultf("scene %s: want a name without . and , because they separate the parts of patch signatures", scene.Name)
				}
				all = append(all, &cutSequence{Cut: x.Cut, scene: scene, input: sha256.New(), counts: ExtractedSequence{Sequence: scene.Name}})
			}
			if next == len(all) || all[next].scene.Name != scene.Name || all[next].scene.Digest != scene.Digest {
				return plan.Faultf("keypoint sets %s and %s: scene %s is not the same in both, want sets of the same scenes", x.Of[0].Name, of.Name, scene.Name)
			}
			s := all[next]
			s.all = append(s.all, sets[0].Keypoints...)
			fmt.Fprintln(s.input, scene.Digest, sets[0].Len())
			s.input.Write(sets[0].Bytes())
			next++
			return nil
		})
		if err == nil && next < len(all) {
			err = plan.Faultf("keypoint sets %s and %s: %d and %d scenes, want sets of the same scenes", x.Of[0].Name, of.Name, len(all), next)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// A cutSequence is a scene whose patches are being cut.
type cutSequence struct {
	Cut
	scene   *dataset.Scene
	all     []keypoints.Keypoint // all keypoints of image 1
	input   hash.Hash            // of the scene and the keypoints
	rows    []int                // rows of the keypoints whose patches are cut, ascending
	regions []regions.Region     // unjittered regions of all keypoints
	counts  ExtractedSequence
}

// digest returns the digest of the scene and the keypoints.
func (s *cutSequence) digest() string { return hex.EncodeToString(s.input.Sum(nil)) }

// earlier returns the record of what an earlier call cut out of a scene.
func (x *Extraction) earlier(s *cutSequence) (was extractionRecord, err error) {
	err = plan.ReadJSON(filepath.Join(x.Out, s.scene.Name, extractionFile), &was)
	return was, err
}

// sequence cuts the patches of a scene, unless they are there.
func (x *Extraction) sequence(ctx context.Context, s *cutSequence, out store.Output, jobs int) (counts ExtractedSequence, err error) {
	name := s.scene.Name
	if n := len(s.scene.Images); n != 6 {
		return counts, fmt.Errorf("%d images, want 6: the format of the patch benchmark has strips of 5 target images", n)
	}
	if was, err := x.earlier(s); err == nil {
		return was.Counts, nil
	}
	s.choose()
	if s.counts.Patches == 0 {
		return counts, fmt.Errorf("none of the %d keypoints in image 1 gives a patch: %d have no size, and %d have a region that is not completely inside its image",
			s.counts.Keypoints, s.counts.Sizeless, s.counts.Outside)
	}
	var failed error
	err = out.Make(name, func(dir string) error {
		failed = patches.Each(ctx, jobs, len(s.scene.Images), func(i int) error { return s.writeImage(ctx, dir, i) })
		if failed == nil {
			failed = x.writeSides(dir, s.digest(), s)
		}
		return failed
	})
	return s.counts, cmp.Or(failed, plan.Fault(err))
}

// choose selects the keypoints whose patches are cut. It visits them in random
// order, skips those that overlap an earlier one too much, and stops at the limit.
func (s *cutSequence) choose() {
	s.regions = make([]regions.Region, len(s.all))
	s.counts.Keypoints = len(s.all)
	var usable []int
	for row, k := range s.all {
		var ok bool
		if s.regions[row], ok = regions.Of(k, s.Side); !ok {
			s.counts.Sizeless++
		} else if !s.visible(row) {
			s.counts.Outside++
		} else {
			usable = append(usable, row)
		}
	}
	order := random.New(s.Seed, "patches", s.scene.Name).Sample(len(usable), len(usable))
	for i, j := range order {
		order[i] = usable[j]
	}
	s.rows = regions.Distinct(s.regions, order, s.Overlap)
	s.counts.Overlapping = len(usable) - len(s.rows)
	limit := patches.MostPatches
	if s.Limit > 0 {
		limit = min(limit, s.Limit)
	}
	if len(s.rows) > limit {
		s.counts.BeyondLimit = len(s.rows) - limit
		s.rows = s.rows[:limit]
	}
	slices.Sort(s.rows)
	s.counts.Patches = len(s.rows)
	for _, row := range s.rows {
		if s.all[row].Angle == keypoints.NoAngle {
			s.counts.Upright++
		}
	}
}

// visible reports whether the region of a row is inside image 1 and its jittered
// regions are inside the other images.
func (s *cutSequence) visible(row int) bool {
	for i, img := range s.scene.Images {
		for _, noise := range noisesOf(i) {
			if !s.region(row, i, noise).Inside(s.scene.Homography(i), img.Width, img.Height) {
				return false
			}
		}
	}
	return true
}

// noisesOf returns the jitter strengths of the strips of image i, counted from 0.
// The reference image has a single strip, without jitter.
func noisesOf(i int) []regions.Noise {
	if i == 0 {
		return []regions.Noise{{}}
	}
	return regions.Noises()
}

// region returns the region of a row that is cut out of image i, in pixels of
// image 1.
func (s *cutSequence) region(row, i int, noise regions.Noise) regions.Region {
	if noise == (regions.Noise{}) {
		return s.regions[row]
	}
	return s.regions[row].Jittered(random.New(s.Seed, "patch jitter", s.scene.Name, patches.ImageName(noise.Letter, i), row), noise.Amount)
}
