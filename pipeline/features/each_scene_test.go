package features

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"descbench/eval/must"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/plan"
)

// onWrite is a writer that passes on what is written to it.
type onWrite func(text string)

func (f onWrite) Write(b []byte) (int, error) {
	f(string(b))
	return len(b), nil
}

func stageWith(t *testing.T, log *slog.Logger, scenes ...string) *Stage {
	t.Helper()
	dir := t.TempDir()
	text := `
experiment: {name: x}
dataset: {root: .}
keypoint_sets: [{name: all, detect: {type: sift}, border: 0}]
descriptors: [{name: sift, type: sift, keypoints: all}]
`
	p := must.Get(plan.New(configtest.Load(t, dir, text), scenes))(t)
	s := must.Get(New(p, p.Folder(), plan.Options{Jobs: 1, CacheDir: dir, Log: log}))(t)
	t.Cleanup(func() { s.Close() })
	return s
}

func TestASceneOfAnotherProcessIsWaitedForAndTheUserIsTold(t *testing.T) {
	var told []string
	var claim string
	s := stageWith(t, slog.New(slog.NewTextHandler(onWrite(func(line string) {
		told = append(told, line)
		if err := os.Remove(claim); err != nil { // the other process ends
			t.Error(err)
		}
	}), nil)), "v_a", "room/v_b", "v_c")
	claim = s.Folder.Claim("room/v_b")
	must.Do(t, os.MkdirAll(filepath.Dir(claim), 0o777))
	since := time.Now().Add(-time.Minute).Truncate(time.Second)
	must.Do(t, os.WriteFile(claim, fmt.Appendf(nil, "node3/BOOT/PIDS 4711 17 %d RANDOM\n", since.Unix()), 0o666))
	var done []string
	err := s.EachScene(context.Background(), s.Plan.Scenes, func(_ context.Context, scene string) error {
		done = append(done, scene)
		return nil
	})
	if want := []string{"v_a", "v_c", "room/v_b"}; err != nil || !slices.Equal(done, want) {
		t.Errorf("got %q, %v; want %q", done, err, want)
	}
	if len(told) != 1 {
		t.Fatalf("found %q, want one line", told)
	}
	for _, want := range []string{"scene=room/v_b", `holder="process 4711 of `, ` on node3"`, `since="` + since.Format(time.DateTime), `expires="`} {
		if !strings.Contains(told[0], want) {
			t.Errorf("found %q, want it to contain %q", told[0], want)
		}
	}
}

func TestWaitingEndsWhenItIsInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(context.Background())
	s := stageWith(t, slog.New(slog.NewTextHandler(onWrite(func(string) { interrupt() }), nil)), "v_a")
	claim := s.Folder.Claim("v_a")
	must.Do(t, os.MkdirAll(filepath.Dir(claim), 0o777))
	must.Do(t, os.WriteFile(claim, []byte("node3/BOOT/PIDS 4711 17 1700000000 RANDOM\n"), 0o666))
	err := s.EachScene(ctx, s.Plan.Scenes, func(context.Context, string) error {
		t.Error("the scene of another process was computed")
		return nil
	})
	if err != context.Canceled {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
