package features

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// claimPoll is the interval at which a process checks whether others have
// finished their scenes.
const claimPoll = 2 * time.Second

// A Stage computes the keypoint sets of a plan's scenes as units in a folder, and
// their descriptors as cached features. Close frees its networks.
type Stage struct {
	Plan   *plan.Plan
	Folder plan.Folder
	// Slots limits the number of processor cores in use at all levels: each
	// image and each tile of the search takes one slot.
	Slots *semaphore.Weighted

	opt         plan.Options
	environment plan.Environment
	cache       *store.Cache
	nets        *networks
	cuts        map[string]keypoints.Cut // by set; written only between stages
	units       func() (plan.Units, error)
	digests     sync.Map  // of the scenes that this process has opened, by name
	missed      sync.Once // guards the warning about unusable cache entries

	cachedImages, extractedImages atomic.Int64
}

// New returns a Stage that keeps its units in the given folder, which need not
// exist yet.
func New(p *plan.Plan, f plan.Folder, opt plan.Options) (*Stage, error) {
	detect.UseOneThread()
	cache, err := store.OpenCache(opt.CacheDir)
	if err != nil {
		return nil, plan.Fault(err)
	}
	return &Stage{
		Plan: p, Folder: f, Slots: semaphore.NewWeighted(int64(opt.Jobs)), opt: opt,
		environment: plan.CurrentEnvironment(opt.Version), cache: cache, nets: newNetworks(),
		cuts: make(map[string]keypoints.Cut),
		units: sync.OnceValues(func() (plan.Units, error) {
			e, err := plan.EnvironmentOf(p, opt.Version)
			return plan.UnitsOf(f, p, e), err
		}),
	}, nil
}

// Close frees the networks. Further calls do nothing.
func (s *Stage) Close() { s.nets.close() }

// Jobs returns the number of processor cores that the stage may use.
func (s *Stage) Jobs() int { return s.opt.Jobs }

// CountImages adds to the counts that Images returns.
func (s *Stage) CountImages(cached, extracted int) {
	s.cachedImages.Add(int64(cached))
	s.extractedImages.Add(int64(extracted))
}

// Images returns the number of images whose rows came from the cache, and the
// number of images whose rows were extracted.
func (s *Stage) Images() (cached, extracted int) {
	return int(s.cachedImages.Load()), int(s.extractedImages.Load())
}

// LoadNetworks loads the networks of the plan, so that a model that does not fit
// its descriptor is reported before anything is written.
func (s *Stage) LoadNetworks() error {
	for _, d := range s.Plan.Config.Descriptors {
		if d.ONNX == nil {
			continue
		}
		if _, err := s.nets.get(*d.ONNX); err != nil {
			return fmt.Errorf("descriptor %s: %w", d.Name, err)
		}
	}
	return nil
}

// TotalCuts makes the plan's selections over all scenes, one depth after the
// other: it computes the keypoints to choose from and then selects. each must
// call its argument for every scene of this process's share.
func (s *Stage) TotalCuts(ctx context.Context, each func(do func(context.Context, *Scene) error) error) error {
	for depth := 1; ; depth++ {
		totals := s.Plan.Totals(depth)
		if len(totals) == 0 {
			return nil
		}
		if err := each(func(ctx context.Context, w *Scene) error { return w.beforeAll(ctx, totals) }); err != nil {
			return err
		}
		for _, set := range totals {
			if err := s.cut(ctx, set); err != nil {
				return err
			}
		}
	}
}

// EachScene calls do for every scene, for at most Jobs scenes at a time, which
// limits memory use. It postpones scenes that another process has claimed, and
// takes them over once they are released or their claims expire.
func (s *Stage) EachScene(ctx context.Context, scenes []string, do func(ctx context.Context, scene string) error) error {
	for len(scenes) > 0 {
		var mu sync.Mutex
		var busy []string
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(s.opt.Jobs)
		for _, scene := range scenes {
			if ctx.Err() != nil {
				break
			}
			g.Go(func() error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				release, ok, err := store.Claim(s.Folder.Claim(scene), plan.ClaimLife)
				if err != nil {
					return plan.Fault(err)
				}
				if !ok {
					mu.Lock()
					busy = append(busy, scene)
					mu.Unlock()
					return nil
				}
				defer release()
				return do(ctx, scene)
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		if len(busy) == len(scenes) {
			select {
			case <-time.After(claimPoll):
			case <-ctx.Done():
			}
		}
		scenes = busy
	}
	return ctx.Err()
}
