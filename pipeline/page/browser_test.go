package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"descbench/eval/catalogue"
	"descbench/eval/must"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/store"
)

// chromium is a headless browser, shared by all tests, and what ends it. It is nil
// where Chromium is not installed.
var chromium = sync.OnceValues(func() (context.Context, context.CancelFunc) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			return chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(chromedp.ExecPath(found), chromedp.NoSandbox))
		}
	}
	return nil, func() {}
})

// A browser is a tab of Chromium.
type browser struct {
	*testing.T
	ctx context.Context
}

// newBrowser opens a page. The test fails if the page writes to the console, throws,
// or loads anything other than files.
func newBrowser(t *testing.T, path string) *browser {
	t.Helper()
	program, _ := chromium()
	if program == nil {
		t.Skip("chromium not found: pages are not tested in a browser; apt-get install chromium")
	}
	if err := chromedp.Do(program); err != nil { // starts it
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(program)
	t.Cleanup(cancel)
	b := &browser{t, ctx}
	must.Do(t, chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			t.Errorf("the page wrote to the console: %s", e.Type)
		case *runtime.EventExceptionThrown:
			t.Errorf("the page threw: %+v", e.ExceptionDetails)
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; !strings.HasPrefix(u, "file:") && !strings.HasPrefix(u, "data:") {
				t.Errorf("the page loads %s", u)
			}
		}
	}))
	must.Get(chromedp.Call(ctx, network.Enable, network.EnableParams{}))(t)
	b.do(chromedp.Navigate((&url.URL{Scheme: "file", Path: path}).String()))
	return b
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	must.Do(b, chromedp.Do(b.ctx, steps...))
}

// evaluate returns the value of an expression in the page.
func evaluate[T any](b *browser, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// click clicks on what a selector finds.
func (b *browser) click(selector string) {
	b.Helper()
	evaluate[bool](b, fmt.Sprintf("(document.querySelector(%s).click(), true)", quote(selector)))
}

func quote(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// A shownCell is one number as the ranking shows it.
type shownCell struct{ System, Scope, Metric, Value, Text string }

// cells returns the numbers of the visible ranking.
func (b *browser) cells() []shownCell {
	return evaluate[[]shownCell](b, `[...document.querySelectorAll(".ranking tbody:not([hidden]) td[data-metric]")].map(td => ({
		System: td.closest("tr").querySelector("th").dataset.value, Scope: td.closest("tbody").dataset.scope, Metric: td.dataset.metric,
		Value: td.dataset.value ?? "", Text: td.querySelector(".value")?.textContent ?? ""}))`)
}

// order returns the systems of the visible ranking from top to bottom.
func (b *browser) order() []string {
	return evaluate[[]string](b, `[...document.querySelectorAll(".ranking tbody:not([hidden]) th")].map(th => th.dataset.value)`)
}

func TestRankingInABrowserHasTheNumbersOfTheSummary(t *testing.T) {
	run := testRun(t, "small")
	outcome := must.Get(fold.Open([]string{run}, nil))(t).Runs[0]
	b := newBrowser(t, written(t, run))
	// The summary has means over categories as metrics of their own.
	of := map[string]map[string]string{
		"all":          {catalogue.MAP: catalogue.MAP, "true_map_micro": "true_map_micro", "mma@3": "mma@3", "precision_at_1": "precision_at_1", "coverage": "coverage"},
		"viewpoint":    {catalogue.MAP: "viewpoint_map", "true_map_micro": "viewpoint_map_micro"},
		"illumination": {catalogue.MAP: "illumination_map", "true_map_micro": "illumination_map_micro"},
	}
	for _, scope := range []string{"viewpoint", "all", "illumination"} {
		b.click(`#ranking [data-scope="` + scope + `"]`)
		checked := 0
		for _, c := range b.cells() {
			if c.Scope != scope {
				t.Fatalf("scope %s is shown, want %s", c.Scope, scope)
			}
			name, known := of[scope][c.Metric]
			if !known {
				continue
			}
			i := slices.IndexFunc(outcome.Summary.Descriptors, func(d store.SummaryDescriptor) bool { return d.Name == c.System })
			want, defined := outcome.Summary.Descriptors[i].Metrics.Get(name)
			if !defined {
				continue
			}
			checked++
			text := fmt.Sprintf("%.1f", 100*want) // over all scenes, there are intervals
			if c.Value != fmt.Sprint(want) || c.Text != text {
				t.Errorf("%s, %s of %s: shown %s (%s), want %s (%v)", scope, c.Metric, c.System, c.Text, c.Value, text, want)
			}
		}
		if want := len(outcome.Summary.Descriptors) * len(of[scope]); checked != want {
			t.Errorf("%s: %d numbers compared, want %d", scope, checked, want)
		}
	}
	if evaluate[bool](b, "window.hacked === 1") {
		t.Error("a name ran as a script")
	}
}

func TestRankingIsSortedByMouseAndKeyboard(t *testing.T) {
	b := newBrowser(t, written(t, testRun(t, "small")))
	byName := []string{"a/b-c.d", "rootsift", "sift"}
	b.click(".ranking thead th:first-child button")
	if got := b.order(); !slices.Equal(got, byName) {
		t.Errorf("sorted by name: %q", got)
	}
	b.do(chromedp.Focus(".ranking thead th:first-child button"), chromedp.KeyEvent("\r"))
	slices.Reverse(byName)
	if got := b.order(); !slices.Equal(got, byName) {
		t.Errorf("sorted by name in reverse: %q", got)
	}
	if got := evaluate[string](b, `document.querySelector(".ranking th[aria-sort]").getAttribute("aria-sort")`); got != "descending" {
		t.Errorf("aria-sort is %q", got)
	}
	b.click(`.ranking thead th:nth-child(2) button`)
	values := evaluate[[]float64](b, `[...document.querySelectorAll(".ranking tbody:not([hidden]) tr")].map(tr => +tr.children[1].dataset.value)`)
	if values[0] < values[1] || b.order()[2] != "a/b-c.d" { // on keypoints of its own
		t.Errorf("sorted by mAP: %v of %q", values, b.order())
	}
	const intervals = `document.querySelector("#ranking .note").innerText.includes("with 95 % intervals")`
	if b.click("#ranking .switch button:nth-child(1)"); !evaluate[bool](b, intervals) {
		t.Error("nothing is said of the intervals over five scenes")
	}
	if b.click("#ranking .switch button:nth-child(2)"); evaluate[bool](b, intervals) {
		t.Error("intervals are told of three scenes")
	}
}

func TestDifferencesAreThoseOfTheComparisonWithTheBaseline(t *testing.T) {
	run, path := testRun(t, "small"), filepath.Join(t.TempDir(), "report.html")
	must.Get(Write(context.Background(), path, []string{run}, Options{Baseline: "rootsift"}))(t)
	b := newBrowser(t, path)
	want := must.Get(compare.Runs(context.Background(), []string{run}, compare.Options{Baseline: "rootsift"}))(t)
	shown := evaluate[map[string]string](b, `Object.fromEntries([...document.querySelectorAll('.ranking td.difference')].map(td =>
		[td.closest("tbody").dataset.scope + " " + td.closest("tr").querySelector("th").dataset.value, td.dataset.value + " " + td.textContent]))`)
	for _, row := range want.Rows {
		difference, i := float64(row.Difference), row.Interval
		text := fmt.Sprintf("%+.2f", 100*difference)
		if i.High > i.Low {
			text += fmt.Sprintf(" ± %.2f", 100*max(i.High-difference, difference-i.Low))
		}
		want := fmt.Sprint(difference) + " " + strings.ReplaceAll(text, "-", "−")
		if row.Descriptor == "a/b-c.d" {
			want = "undefined –" // alone on its keypoints
		}
		if got := shown[row.Scope+" "+row.Descriptor]; got != want {
			t.Errorf("%s, %s: shown %s, want %s", row.Scope, row.Descriptor, got, want)
		}
	}
	if got := evaluate[string](b, `[...document.querySelectorAll(".difference .mark")].map(m => m.textContent).join("")`); got != "" {
		t.Errorf("differences over five scenes, which cannot be tested, have the marks %q", got)
	}
}

func TestADescriptorIsSwitchedOffInAllCharts(t *testing.T) {
	b := newBrowser(t, written(t, testRun(t, "small")))
	const drawn = `[...document.querySelectorAll("figure")].filter(f => f.querySelector('.plot [data-system="1"]:not(.off)')).length`
	if evaluate[int](b, drawn) < 8 {
		t.Fatalf("%d charts show rootsift", evaluate[int](b, drawn))
	}
	b.click(`.chip input[value="1"]`)
	if evaluate[int](b, drawn) != 0 {
		t.Errorf("switched off, %d charts show rootsift", evaluate[int](b, drawn))
	}
	b.click(`[data-choose="none"]`)
	b.click(`.chip input[value="1"]`) // not the first on its keypoints
	// The bars of mAP: the name of the keypoint set and rootsift in its first two rows, above the axis.
	if top := evaluate[[]float64](b, `[...document.querySelectorAll("#map .row:not(.off), #map svg > text")].map(e => Math.round(e.getBoundingClientRect().top))`); len(top) < 3 || top[1]-top[0] > 20 || top[2]-top[1] > 40 {
		t.Errorf("rows and axis of one bar begin at %v px", top)
	}
	b.click(`[data-choose="all"]`)
	if evaluate[int](b, drawn) < 8 {
		t.Error("switched on again, rootsift is missing")
	}
}

// The pointer is on the first mark of sift in the chart of MMA; its values are those of the summary.
func TestThePointerShowsTheValuesOfACurve(t *testing.T) {
	run := testRun(t, "small")
	b := newBrowser(t, written(t, run))
	outcome := must.Get(fold.Open([]string{run}, nil))(t).Runs[0]
	i := slices.IndexFunc(outcome.Summary.Descriptors, func(d store.SummaryDescriptor) bool { return d.Name == "sift" })
	want, _ := outcome.Summary.Descriptors[i].Metrics.Get("mma@1")
	tip := evaluate[string](b, `(() => {
		const g = document.querySelector('#mma [data-system="0"][data-values]'), [x, y] = g.dataset.values.split(";")[0].split(" ");
		const at = new DOMPoint(x, y).matrixTransform(g.getScreenCTM());
		g.dispatchEvent(new PointerEvent("pointermove", {clientX: at.x, clientY: at.y, bubbles: true}));
		return document.getElementById("tip").innerText;
	})()`)
	if !strings.HasPrefix(tip, "sift\nthreshold (px): 1\nMMA (%): "+fmt.Sprintf("%.1f [", 100*want)) {
		t.Errorf("the tip is %q, want %.3f", tip, want)
	}
}

func TestLinksToScenesOpen(t *testing.T) {
	b := newBrowser(t, written(t, testRun(t, "small")))
	links := evaluate[[]string](b, `[...document.querySelectorAll("#scenes a")].map(a => a.href)`)
	if len(links) != 5 {
		t.Fatalf("%d links to scenes, want 5", len(links))
	}
	for _, link := range links {
		b.do(chromedp.Navigate(link))
		scene := must.Get(url.PathUnescape(link[strings.LastIndex(link, "/")+1 : len(link)-len(extension)]))(t)
		if got := evaluate[string](b, "document.title"); !strings.Contains(got, scene) {
			t.Errorf("%s: title is %q, want one with %q", link, got, scene)
		}
	}
}

// Chromium counts the pages before it prints, and cuts off what grows then.
func TestThePrintedReportIsComplete(t *testing.T) {
	b := newBrowser(t, written(t, testRun(t, "small")))
	evaluate[bool](b, `(() => { document.body.append(element("a", {href: "#end"}, "to the end"), element("p", {id: "end"}, "end")); return true })()`)
	printed := must.Get(chromedp.Call(b.ctx, page.PrintToPDF, page.PrintToPDFParams{}))(t)
	if !bytes.Contains(printed.Data, []byte("/end [")) { // the place that the link leads to
		t.Errorf("the end is missing in %d pages", bytes.Count(printed.Data, []byte("/Type /Page\n")))
	}
}

// The drawings of a row begin at one height, and no row has a single one.
func TestChartsThatBelongTogetherStandInOneRow(t *testing.T) {
	b := newBrowser(t, written(t, testRun(t, "small")))
	b.do(chromedp.EmulateViewport(1220, 900), chromedp.Reload())
	rows := evaluate[map[string][]string](b, `Object.groupBy([...document.querySelectorAll("figure:not(#by_scene)")].map(f => f.id), id => Math.round(document.querySelector("#" + id + " svg").getBoundingClientRect().top))`)
	found := false
	for at, ids := range rows {
		found = found || slices.Equal(ids, []string{"mma", "mma_viewpoint", "mma_illumination"})
		if len(ids) == 1 {
			t.Errorf("%s stands alone at %s", ids[0], at)
		}
	}
	if !found {
		t.Errorf("rows %v", rows)
	}
}

func TestPageFitsAPhone(t *testing.T) {
	b := newBrowser(t, written(t, testRun(t, "small")))
	b.do(chromedp.EmulateViewport(360, 740), chromedp.Reload())
	if got := evaluate[int](b, "document.documentElement.scrollWidth"); got != 360 {
		t.Errorf("the page is %d px wide on a screen of 360", got)
	}
}
