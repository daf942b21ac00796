// Package features computes the first two stages of a run. The run,
// `descriptors export`, the keypoints commands and the patch benchmark use it:
//
//	image ─► keypoint sets            units, written once
//	image × set × descriptor ─► rows  cached by content
//
// A Stage belongs to a plan and a folder. Each worker opens one Scene at a time.
// A Scene holds the decoded images and the keypoint sets in use.
package features

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"descbench/eval/fact"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

// A Stage computes the keypoint sets of a plan's scenes as units in a folder, and
// their descriptors as cached features. Close ends its programs.
type Stage struct {
	Plan   *plan.Plan
	Folder plan.Folder
	// Units returns the units of the folder.
	Units func() (*plan.Units, error)
	// Slots limits the number of processor cores in use at all levels: each
	// image and each tile of the search takes one slot.
	Slots *semaphore.Weighted

	opt         plan.Options
	environment plan.Environment
	cache       *unitfile.Cache
	programs    *programs
	cutting     sync.Mutex               // guards cuts
	cuts        map[string]keypoints.Cut // by set
	opening     sync.Mutex               // guards digests
	digests     map[string]string        // of the scenes that this process has opened, by name

	// Images whose rows came from the cache, were extracted, and were read from files of
	// other programs.
	CachedImages, ExtractedImages, ImportedImages atomic.Int64
}

// New returns a Stage that keeps its units in the given folder, which need not
// exist yet.
func New(p *plan.Plan, f plan.Folder, opt plan.Options) (*Stage, error) {
	detect.UseOneThread()
	p.Config.Dataset.Root = cmp.Or(opt.Data, p.Config.Dataset.Root)
	cache, err := unitfile.OpenCache(opt.CacheDir)
	if err != nil {
		return nil, plan.Fault(err)
	}
	return &Stage{
		Plan: p, Folder: f, Slots: semaphore.NewWeighted(int64(opt.Jobs)), opt: opt,
		environment: plan.CurrentEnvironment(opt.Version), cache: cache,
		programs: newPrograms(opt.Logger(), sync.OnceValue(func() plan.Environment {
			e, _ := f.ReadEnvironment() // there is none before the run begins; what needs the run reports a damaged one
			return e
		})),
		cuts: make(map[string]keypoints.Cut), digests: make(map[string]string),
		Units: sync.OnceValues(func() (*plan.Units, error) {
			e, err := plan.EnvironmentOf(p.Config, opt.Version)
			if err != nil {
				return nil, err
			}
			return plan.UnitsOf(f, p, p.Config, e)
		}),
	}, nil
}

// Close checks programs for the last time and ends them, frees OpenCV's memory, and removes claims that nobody holds.
// It returns what the programs note for readers of the results. Further calls do nothing.
func (s *Stage) Close() (notes []fact.Fact) {
	s.checkLast()
	notes = s.programs.close(s.Plan.Config.Commands())
	detect.FreeMemory()
	s.Folder.RemoveClaims()
	return notes
}

// Jobs returns the number of processor cores that the stage may use.
func (s *Stage) Jobs() int { return s.opt.Jobs }

// TotalCuts makes the plan's selections over all scenes, one depth after the
// other: it computes the keypoints to choose from and then selects. with must open
// the given scene and call do. share is this process's share of the scenes. Those
// of other shards must have been computed; with Options.Wait, TotalCuts waits for
// the scenes that other processes have claimed and computes the others.
func (s *Stage) TotalCuts(ctx context.Context, share []string, with func(ctx context.Context, scene string, do func(context.Context, *Scene) error) error) error {
	units, err := s.Units()
	if err != nil {
		return err
	}
	for depth := 1; ; depth++ {
		totals := s.Plan.Totals(depth)
		if len(totals) == 0 {
			return nil
		}
		before := func(ctx context.Context, scene string) error {
			return with(ctx, scene, func(ctx context.Context, w *Scene) error {
				for _, set := range totals {
					if _, err := w.before(ctx, set); err != nil {
						return fmt.Errorf("keypoint set %s: %w", set.Name, err)
					}
				}
				w.putTimes()
				return nil
			})
		}
		if err := s.EachScene(ctx, share, before); err != nil {
			return err
		}
		for _, set := range totals {
			lacks := func(scene string) bool { return units.LacksBefore(set, scene) }
			if err := s.Help(ctx, lacks, before); err != nil {
				return err
			}
		}
		if depth == 1 { // all selections are made from the same data
			units.Forget()
		}
		for _, set := range totals {
			if _, err := s.cut(ctx, set); err != nil {
				return err
			}
		}
	}
}

// Help calls do for the scenes of other shards that lack what this process needs.
// It waits for the scenes that other processes have claimed. Without Options.Wait,
// it does nothing.
func (s *Stage) Help(ctx context.Context, lacks func(scene string) bool, do func(ctx context.Context, scene string) error) error {
	if !s.opt.Wait {
		return nil
	}
	return s.EachScene(ctx, s.Plan.Where(lacks), func(ctx context.Context, scene string) error {
		if !lacks(scene) { // another process has computed it in the meantime
			return nil
		}
		return do(ctx, scene)
	})
}

// NoteUnusable logs an error about a file that is there but must be recomputed. It
// ignores other errors. what names the kind of file.
func (s *Stage) NoteUnusable(what string, err error) {
	if store.Unusable(err) {
		s.opt.Logger().Warn("recomputing a "+what+" that cannot be used", "reason", err)
	}
}

// noteMiss logs why a cache entry cannot be used, unless there is none. It does so
// once, because the reason usually concerns many entries: the cache cannot be
// read, or another version wrote it.
func (s *Stage) noteMiss(err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		s.programs.warn("unusable cache", "recomputing a cache entry that cannot be used, and any others without further notice", "reason", err)
	}
}
