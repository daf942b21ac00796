package main

import (
	"testing"
	"time"

	"descbench/pipeline/dataset/fetch"
)

func TestADownloadTellsRateAndTimeLeftOfThisProcess(t *testing.T) {
	for _, c := range []struct {
		stage              fetch.Stage
		first, done, total int64
		ran                time.Duration
		want               string
	}{
		{fetch.Downloading, 0, 0, 1_300_000_000, 0, "downloading: 0 B of 1.3 GB"},
		{fetch.Downloading, 0, 130_000_000, 1_300_000_000, 10 * time.Second, "downloading: 130 MB of 1.3 GB, 13 MB/s, about 2 min left"},
		// What an earlier process downloaded does not count.
		{fetch.Downloading, 600_000_000, 700_000_000, 1_300_000_000, 10 * time.Second, "downloading: 700 MB of 1.3 GB, 10 MB/s, about 60 s left"},
		{fetch.Downloading, 0, 20_000_000, 0, 10 * time.Second, "downloading: 20 MB, 2.0 MB/s"},
		{fetch.Unpacking, 0, 50_000_000, 50_000_000, 5 * time.Second, "unpacking: 50 MB of 50 MB, 10 MB/s"},
		{fetch.Verifying, 0, 12, 1276, time.Minute, "verifying: 12 of 1276 files"},
		{fetch.Verifying, 0, 0, 0, 0, "verifying"},
	} {
		p := &fetchProgress{stage: c.stage, first: c.first}
		if got := p.text(c.done, c.total, c.ran); got != c.want {
			t.Errorf("found %q, want %q", got, c.want)
		}
	}
}
