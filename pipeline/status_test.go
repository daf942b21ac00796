package pipeline

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"descbench/eval/must"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/plan"
	"descbench/pipeline/plan/plantest"
)

func TestStatusNamesTheProcessesThatRun(t *testing.T) {
	dir := t.TempDir()
	cfg := configtest.Load(t, dir, fewPoints)
	opt := plantest.Options(dir)
	opt.Shard = plan.Shard{Index: 1, Count: 2}
	outcome := must.Get(Run(context.Background(), cfg, opt))(t)
	f := plan.Folder(outcome.Folder)
	if !plan.Missing(f.Database()) {
		t.Error("a shard wrote results.sqlite, want it from the fold alone")
	}
	status, err := ReadStatus(outcome.Folder)
	if err != nil || status.Running != nil {
		t.Errorf("without processes: got %+v, %v", status, err)
	}
	began := time.Now().Truncate(time.Second)
	release, by, err := f.Take("v_synth_001")
	if by != nil || err != nil {
		t.Fatal(by, err)
	}
	defer release()
	if status, err = ReadStatus(outcome.Folder); err != nil {
		t.Fatal(err)
	}
	host := must.Get(os.Hostname())(t)
	if len(status.Running) != 1 {
		t.Fatalf("got %+v running, want one scene", status.Running)
	}
	got := status.Running[0]
	if want := fmt.Sprintf(" on %s", host); got.Claim != "v_synth_001" || !strings.HasSuffix(got.Process, want) || got.Since.Before(began) {
		t.Errorf("got %+v, want v_synth_001 by %s since %v", got, want, began)
	}
}

func TestStatusNamesScenesWithTheirGroups(t *testing.T) {
	f := plan.Folder(t.TempDir())
	release, _, err := f.Take("hall/1")
	must.Do(t, err)
	defer release()
	holders, err := running(&plan.Plan{Scenes: []string{"hall/1", "hall/2"}}, f)
	if err != nil || len(holders) != 1 || holders[0].Claim != "hall/1" {
		t.Errorf("got %v, %v, want hall/1", holders, err)
	}
}
