package main

import (
	"testing"
	"time"
)

func TestADownloadTellsTheTimeLeftByWhatThisProcessDid(t *testing.T) {
	for _, c := range []struct {
		first, done, all int
		ran              time.Duration
		want             string
	}{
		{0, 0, 1300, 0, "0 of 1300 MB"},
		{0, 130, 1300, 10 * time.Second, "130 of 1300 MB, about 2 min left"},
		// What an earlier process downloaded does not count.
		{600, 700, 1300, 10 * time.Second, "700 of 1300 MB, about 60 s left"},
		{0, 20, 0, 10 * time.Second, "20 MB"},
		{0, 50, 50, 5 * time.Second, "50 of 50 MB"},
	} {
		if got := itemsText("MB", c.first, c.done, c.all, c.ran); got != c.want {
			t.Errorf("found %q, want %q", got, c.want)
		}
	}
}
