package main

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/mattn/go-runewidth"

	"descbench/pipeline/dataset/fetch"
)

// barInterval is the minimum time between two drawings of a bar that may change
// thousands of times a second.
const barInterval = 100 * time.Millisecond

// A fetchProgress reports the progress of a download on stderr.
type fetchProgress struct {
	*progress
	stage fetch.Stage
	first int64     // bytes that were there when the stage began
	began time.Time // the stage
}

func newFetchProgress(flags *commonFlags) *fetchProgress {
	return &fetchProgress{progress: newProgress(flags)}
}

func (p *fetchProgress) show(stage fetch.Stage, done, total int64) {
	if p.quiet {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	begins := stage != p.stage || done < p.first
	if begins {
		p.stage, p.first, p.began = stage, done, now
	}
	interval := plainInterval
	if p.terminal {
		interval = barInterval
	}
	if !begins && now.Sub(p.last) < interval {
		return
	}
	p.last = now
	text := p.text(done, total, now.Sub(p.began))
	if !p.terminal {
		p.line(text)
		return
	}
	p.drawBar(func(width int) string {
		if total > 0 {
			text = cells(min(1, float64(done)/float64(total))) + " " + text
		}
		return runewidth.Truncate(text, max(0, width), "…")
	})
}

// text says how far a stage is that has run for a while.
func (p *fetchProgress) text(done, total int64, ran time.Duration) string {
	text := string(p.stage)
	switch {
	case p.stage == fetch.Verifying && total > 0:
		return fmt.Sprintf("%s: %d of %d files", text, done, total)
	case p.stage == fetch.Verifying:
		return text
	case total > 0:
		text += fmt.Sprintf(": %s of %s", humanize.Bytes(uint64(done)), humanize.Bytes(uint64(total)))
	default:
		text += ": " + humanize.Bytes(uint64(done))
	}
	rate := float64(done-p.first) / ran.Seconds()
	if ran < time.Second || rate < 1 {
		return text
	}
	text += fmt.Sprintf(", %s/s", humanize.Bytes(uint64(rate)))
	if done < total {
		text += fmt.Sprintf(", about %s left", roundedTime(float64(total-done)/rate))
	}
	return text
}
