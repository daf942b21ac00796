package main

import (
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-runewidth"
	"golang.org/x/term"

	"descbench/eval/spelling"
	"descbench/pipeline/dataset/fetch"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
)

// The minimum time between two lines of progress, and between two drawings of a bar on a
// terminal, which may change thousands of times a second.
const (
	plainInterval = 5 * time.Second
	barInterval   = 100 * time.Millisecond
)

// A progress reports the progress of a run on stderr: as a bar on a terminal, as
// plain lines elsewhere. With --quiet it reports failures only.
type progress struct {
	quiet       bool
	log         *slog.Logger
	terminal    bool
	mu          sync.Mutex // guards the fields below and the terminal
	drawn       bool       // a bar is on the terminal's last line
	out         io.Writer
	started     time.Time
	last        time.Time
	told        []string // descriptors of which a failure was told
	failed      int
	computed    int    // units computed in this process, to estimate the time left
	then        string // what follows the last unit
	done, total int
}

func newProgress(flags *commonFlags) *progress {
	return &progress{
		quiet:    flags.quiet,
		log:      flags.logger(),
		terminal: flags.logFormat == "text" && term.IsTerminal(int(os.Stderr.Fd())),
		out:      os.Stderr,
		started:  time.Now(),
	}
}

func (p *progress) show(e plan.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = e.Done, e.Total
	if !e.Resumed {
		p.computed++
	}
	told := e.Failed != "" && p.fail(e)
	if p.quiet {
		return
	}
	if e.Scene == "" {
		p.line(fmt.Sprintf("%d of %s already done; %d to compute", e.Done, spelling.Count(e.Total, "unit"), e.Total-e.Done))
	} else if p.terminal || !e.Resumed {
		p.draw(e.Done, e.Total, p.text(e), "; "+e.Scene, e.Done == e.Total || told)
	}
}

// fail says why a unit failed, once for each descriptor, and for each scene that failed for all. A program
// fails in most scenes alike, and the results name them all. It reports whether it said something.
func (p *progress) fail(e plan.Event) bool {
	p.failed++
	what := "failed: "
	if e.Descriptor != "" {
		what += e.Descriptor + ": "
		if slices.Contains(p.told, e.Descriptor) {
			return false
		}
		p.told = append(p.told, e.Descriptor)
	}
	p.line(what + report.Reason(e.Scene, e.Failed))
	return true
}

// items returns a function that shows how many items, such as strips, are done, and the time left.
func (p *progress) items(about, what string) func(done, all int) {
	began, first := time.Now(), -1 // done before
	p.last = began
	return func(done, all int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.quiet {
			return
		}
		if first < 0 {
			first = done
		}
		p.draw(done, all, about+itemsText(what, first, done, all, time.Since(began)), "", all > 0 && done == all)
	}
}

// itemsText says how many items are done, the first of them before the time that ran, and of how many if
// that is known.
func itemsText(what string, first, done, all int, ran time.Duration) string {
	if all == 0 {
		return fmt.Sprintf("%d %s", done, what)
	}
	return fmt.Sprintf("%d of %d %s%s", done, all, what, timeLeft(ran, done-first, all-done))
}

// fetching returns a function that shows the progress of a download, in bytes or files.
func (p *progress) fetching() func(stage fetch.Stage, done, total int64) {
	var now fetch.Stage
	var show func(done, all int)
	return func(stage fetch.Stage, done, total int64) {
		size, unit := int64(1e6), "MB"
		if stage == fetch.Verifying {
			size, unit = 1, "files"
		}
		if stage != now {
			now, show = stage, p.items(string(stage)+": ", unit)
			p.last = time.Time{} // a stage is shown from its beginning
		}
		show(int(done/size), int((total+size-1)/size))
	}
}

// draw shows how much is done: on a terminal as a bar, with a further text, elsewhere as a line. It does so
// only from time to time, unless it must.
func (p *progress) draw(done, total int, text, further string, must bool) {
	interval := plainInterval
	if p.terminal {
		interval = barInterval
	}
	if !must && time.Since(p.last) < interval {
		return
	}
	p.last = time.Now()
	if !p.terminal {
		p.line(text)
		return
	}
	width, _, err := term.GetSize(int(os.Stderr.Fd()))
	if err != nil || width < 1 {
		width = 80
	}
	// The last cell stays free, because some terminals start a new line after it.
	fmt.Fprint(p.out, clearLine+bar(done, total, text+further, width-1))
	p.drawn = true
}

// Write prints a message of the run's log in place of the bar.
func (p *progress) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	return p.out.Write(b)
}

// line prints one line and removes the bar, if there is one.
func (p *progress) line(text string) {
	p.clear()
	p.log.Info(text)
}

// clearLine moves to the start of the terminal's line and clears it.
const clearLine = "\r\x1b[K"

// text says how far the run is.
func (p *progress) text(e plan.Event) string {
	failed := ""
	if p.failed > 0 {
		failed = ", " + spelling.Count(p.failed, "failure")
	}
	return fmt.Sprintf("%d of %s%s%s%s%s", e.Done, spelling.Count(e.Total, "unit"), failed, p.rate(), p.left(), running(e))
}

// bar returns one line of at most width cells: a bar, if the total is known, and a text.
func bar(done, total int, text string, width int) string {
	const n = 10
	if total > 0 {
		full := min(n, n*done/total)
		text = strings.Repeat("█", full) + strings.Repeat("░", n-full) + " " + text
	}
	return runewidth.Truncate(printable(text), max(0, width), "…")
}

// rate formats the number of units computed per minute.
func (p *progress) rate() string {
	if p.computed < 2 {
		return ""
	}
	return fmt.Sprintf(", %.0f units/min", float64(p.computed)/time.Since(p.started).Minutes())
}

// left estimates the time left from the units computed so far, or says what follows.
func (p *progress) left() string {
	if p.done == p.total {
		return p.then
	}
	return timeLeft(time.Since(p.started), p.computed, p.total-p.done)
}

// timeLeft estimates the time that open items take from the number done in a time. The first takes the longest.
func timeLeft(ran time.Duration, done, open int) string {
	if done < 2 || open <= 0 {
		return ""
	}
	return fmt.Sprintf(", about %s left", roundedTime(ran.Seconds()/float64(done)*float64(open)))
}

// running lists the micro mAP over the scenes that this process has computed, and shortens long lists.
func running(e plan.Event) string {
	var b strings.Builder
	for i, m := range e.Running {
		if math.IsNaN(m.MAP) {
			continue
		}
		if i == 4 && len(e.Running) > 5 {
			fmt.Fprintf(&b, " … (%d more)", len(e.Running)-i)
			break
		}
		fmt.Fprintf(&b, "  %s %.2f", m.Descriptor, 100*m.MAP)
	}
	if b.Len() == 0 {
		return ""
	}
	return "; mAP (%) of " + spelling.Count(e.Scenes, "new scene") + ":" + b.String()
}

// end removes the bar.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.out, clearLine)
		p.drawn = false
	}
}
