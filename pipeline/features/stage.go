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

// claimPoll is how often a process looks whether another has finished.
const claimPoll = 2 * time.Second

// A Stage computes keypoint sets and descriptors of the scenes of a plan, as
// units in a folder and as cached features. Close frees it.
type Stage struct {
	Plan   *plan.Plan
	Folder plan.Folder
	// Slots bounds the work on processors, whatever level it comes from:
	// images and tiles of the search take one slot each.
	Slots *semaphore.Weighted

	opt         plan.Options
	environment plan.Environment
	cache       *store.Cache
	nets        *networks
	cuts        map[string]keypoints.Cut // by set; written between stages only

	cachedImages, extractedImages atomic.Int64
}

// New returns a stage whose units lie in the given folder, which may not be
// there yet.
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
	}, nil
}

// Close frees the networks.
func (s *Stage) Close() { s.nets.close() }

// Jobs is how many processor cores the stage may use.
func (s *Stage) Jobs() int { return s.opt.Jobs }

// CountImages adds to what Images returns.
func (s *Stage) CountImages(cached, extracted int) {
	s.cachedImages.Add(int64(cached))
	s.extractedImages.Add(int64(extracted))
}

// Images returns for how many images rows came from the cache, and for how many
// they were extracted.
func (s *Stage) Images() (cached, extracted int) {
	return int(s.cachedImages.Load()), int(s.extractedImages.Load())
}

// LoadNetworks loads the networks of the plan, so that a model that does not fit
// its descriptor is known before anything is written.
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

// TotalCuts computes what the selections over all scenes of the plan choose
// from, one selection after the other, and makes them. each calls its argument
// for every scene of this process's share.
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

// EachScene calls do for every scene, for as many at a time as there are jobs,
// which bounds memory. Scenes that another process has claimed are left for
// the end, and taken over if they are still not released then.
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
