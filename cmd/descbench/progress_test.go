package main

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"

	"descbench/pipeline/plan"
)

// widthOf counts the cells that the texts of these tests take: two for each CJK
// character, one for all others.
func widthOf(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r >= 0x1100 {
			if r != '█' && r != '░' && r != '…' {
				n++
			}
		}
	}
	return n
}

func TestTheBarShowsRateTimeLeftAndMAPWithinTheTerminal(t *testing.T) {
	e := plan.Event{Scene: "v_graffiti", Done: 12, Total: 30, Scenes: 2, Running: []plan.RunningMAP{
		{Descriptor: "sift", MAP: 0.5768}, {Descriptor: "rootsift", MAP: 0.6437}, {Descriptor: "none", MAP: math.NaN()},
		{Descriptor: "실험", MAP: 0.3219}, {Descriptor: "\x1b[31m", MAP: 0.1}, {Descriptor: strings.Repeat("long", 20), MAP: 0.2},
	}}
	runewidth.DefaultCondition.EastAsianWidth = false // whatever the locale of the tests
	p := &progress{computed: 12, done: 12, total: 30, started: time.Now().Add(-2 * time.Minute)}
	for width := 1; width < 300; width++ {
		if text := bar(e.Done, e.Total, p.text(e)+"; "+e.Scene, width); widthOf(text) > width || strings.ContainsAny(text, "\x1b\n") {
			t.Errorf("width %d: %q takes %d cells", width, text, widthOf(text))
		}
	}
	const whole = "████░░░░░░ 12 of 30 units, 6 units/min, about 3 min left; mAP (%) of 2 new scenes:  sift 57.68  rootsift 64.37  실험 32.19 … (2 more); v_graffiti"
	for width, want := range map[int]string{20: "████░░░░░░ 12 of 30…", 250: whole} {
		if got := bar(e.Done, e.Total, p.text(e)+"; "+e.Scene, width); got != want {
			t.Errorf("width %d:\ngot  %s (%d)\nwant %s (%d)", width, got, widthOf(got), want, widthOf(want))
		}
	}
	if got, want := bar(30, 30, "30 of 30 units", 80), fmt.Sprintf("%s 30 of 30", strings.Repeat("█", 10)); !strings.HasPrefix(got, want) {
		t.Errorf("got %s", got)
	}
}
