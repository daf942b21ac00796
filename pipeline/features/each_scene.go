package features

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"descbench/pipeline/store"
)

// A process that waits for others checks their claims after firstPoll, then after
// twice as long, and so on up to lastPoll.
const (
	firstPoll = 20 * time.Millisecond
	lastPoll  = 2 * time.Second
)

// EachScene calls do for every scene, for at most Jobs scenes at a time, which
// limits memory use. It postpones scenes that another process has claimed, and
// takes them over once they are released or their claims expire. It logs for which
// processes it waits.
func (s *Stage) EachScene(ctx context.Context, scenes []string, do func(ctx context.Context, scene string) error) error {
	known := make(map[string]bool) // processes already logged
	for poll := firstPoll; len(scenes) > 0; {
		busy, err := s.tryEach(ctx, scenes, do)
		if err != nil {
			return err
		}
		if len(busy) < len(scenes) {
			poll = firstPoll
		} else {
			for _, scene := range slices.Sorted(maps.Keys(busy)) {
				by := busy[scene]
				if known[by.Process] {
					continue
				}
				known[by.Process] = true
				s.opt.Logger().Info("waiting for another process", "scene", scene, "holder", by.Process,
					"since", by.Since.Format(time.DateTime), "expires", by.Until.Format(time.DateTime)+" unless the holder renews it")
			}
			select {
			case <-time.After(poll):
			case <-ctx.Done():
			}
			poll = min(2*poll, lastPoll)
		}
		scenes = slices.Sorted(maps.Keys(busy))
	}
	return ctx.Err()
}

// tryEach calls do for the scenes that no other process has claimed, and returns
// the holders of the others by scene.
func (s *Stage) tryEach(ctx context.Context, scenes []string, do func(ctx context.Context, scene string) error) (map[string]*store.Holder, error) {
	var mu sync.Mutex
	busy := make(map[string]*store.Holder)
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
			release, by, err := s.Folder.Take(scene)
			if err != nil {
				return err
			}
			if by != nil {
				mu.Lock()
				defer mu.Unlock()
				busy[scene] = by
				return nil
			}
			defer release()
			return do(ctx, scene)
		})
	}
	err := g.Wait() // before busy is read
	return busy, err
}
