package page

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"descbench/eval/must"
	"descbench/eval/scope"
	"descbench/pipeline"
	"descbench/pipeline/config"
	"descbench/pipeline/plan/plantest"
	"descbench/pipeline/store"
)

// openScene opens the page of a scene.
func openScene(t *testing.T, run, scene string) *browser {
	t.Helper()
	b := newBrowser(t, written(t, run))
	here := evaluate[string](b, "location.href")
	b.do(chromedp.Navigate(strings.TrimSuffix(here, extension) + "/" + url.PathEscape(scene) + extension))
	return b
}

func TestAScenesPageShowsTheFiguresOfItsPairs(t *testing.T) {
	run := testRun(t, "small")
	want := make(map[string]float64) // by scope and descriptor
	err := store.ReadMetricsCSV(filepath.Join(run, "metrics.csv"), func(descriptor string, m scope.Metric) {
		if m.Name == "true_map_micro" || m.Name == "precision_at_1" {
			want[m.Name+" "+m.Scope+" "+descriptor] = m.Value
		}
	})
	must.Do(t, err)
	const scene = "v_synth_001"
	b := openScene(t, run, scene)
	for k := 2; k <= 6; k++ {
		shown := evaluate[map[string]string](b, fmt.Sprintf(`(() => {
			const select = document.getElementById("pair"); select.value = %d; select.dispatchEvent(new Event("change"));
			return Object.fromEntries([...document.querySelectorAll("#descriptors tbody:not([hidden]) tr")].map(tr => [tr.cells[0].textContent, tr.cells[1].textContent + " " + tr.cells[2].textContent]))})()`, k))
		if len(shown) != 3 {
			t.Fatalf("pair %d: shown are %v, want three descriptors", k, shown)
		}
		for name, text := range shown {
			expected := "– –"
			of := fmt.Sprintf(" pair:%s/1_%d %s", scene, k, name)
			if value, defined := want["true_map_micro"+of]; defined && !math.IsNaN(value) {
				expected = fmt.Sprintf("%.2f %.2f", 100*value, 100*want["precision_at_1"+of])
			}
			if text != expected {
				t.Errorf("pair %d, %s: mAP and hit@1 %s, want %s", k, name, text, expected)
			}
		}
	}
}

// lines returns how many lines of a class the page shows.
func lines(b *browser, class string) int {
	b.Helper()
	return evaluate[int](b, fmt.Sprintf(`[...document.querySelectorAll("#stage svg:not([hidden]) g:not([hidden]) .%s.line:not([hidden])")].map(e => e.getAttribute("d").split("M").length - 1).reduce((a, b) => a + b, 0)`, class))
}

func TestMatchesAreSwitchedByClass(t *testing.T) {
	b := openScene(t, testRun(t, "small"), "v_synth_001")
	count := evaluate[int](b, `+document.querySelector("#descriptors tbody tr").cells[3].textContent`)
	if got := lines(b, "correct"); got != count || count == 0 {
		t.Errorf("%d lines of correct matches, want %d", got, count)
	}
	b.click(`#classes input`)
	if got := lines(b, "correct"); got != 0 {
		t.Errorf("switched off, %d lines are left", got)
	}
	if got := evaluate[int](b, `document.querySelectorAll("#stage svg:not([hidden]) use").length`); got != 2 {
		t.Errorf("%d images, want 2", got)
	}
}

// The numbers are those of NumPy; see matches.txtar. Of 261 matches, 40 are drawn, correct and wrong ones by their shares.
func TestWrongMatchesOfAMatcherAreDrawn(t *testing.T) {
	dir := t.TempDir()
	cfg, err := config.Load("../../configs/modern_matchers.yaml", config.Overrides{Set: []string{"output.root=" + dir, "dataset.scenes=v_synth_001"}})
	must.Do(t, err)
	must.Get(pipeline.Run(context.Background(), cfg, plantest.Options(filepath.Join(dir, "cache"))))(t)
	b := openScene(t, filepath.Join(dir, cfg.Experiment.Name), "v_synth_001")
	evaluate[bool](b, `(() => { const set = (id, v) => { const e = document.getElementById(id); e.value = v; e.dispatchEvent(new Event("change")); };
		set("pair", 4); set("system", 3); return true })()`)
	const row = `[...document.querySelectorAll("#descriptors tbody:not([hidden]) tr")[%d].cells].map(c => c.textContent).join(" ")`
	if got := evaluate[string](b, fmt.Sprintf(row, 3)); !strings.HasSuffix(got, " – – 234 27 wrong 239") {
		t.Errorf("the row of the table is %s", got)
	}
	if correct, wrong := lines(b, "correct"), lines(b, "missed"); correct != 36 || wrong != 5 { // rounded up
		t.Errorf("%d lines of correct and %d of wrong matches, want 36 and 5", correct, wrong)
	}
	if got := evaluate[string](b, fmt.Sprintf(row, 4)); got != "flow – – 8 64 wrong 0" {
		t.Errorf("the last row of the table is %s", got)
	}
}

func TestTheAddressHasPairAndDescriptors(t *testing.T) {
	b := openScene(t, testRun(t, "small"), "v_synth_001")
	address := evaluate[string](b, "location.href.split('#')[0]") + "#pair=1_4&descriptor=a%2Fb-c.d"
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address)) // another fragment alone would not load the page again
	const chosen = `["pair", "system"].map(id => document.getElementById(id)).map(e => e.selectedOptions?.[0].text ?? e.value).join(" ")`
	if got := evaluate[string](b, chosen); got != "4 a/b-c.d" {
		t.Errorf("chosen are %s", got)
	}
	b.do(chromedp.Navigate(evaluate[string](b, `document.querySelector(".neighbours a").href`)))
	if got := evaluate[string](b, chosen); got != "4 a/b-c.d" {
		t.Errorf("chosen on the next page are %s", got)
	}
}

func TestAScenesPageFitsAPhone(t *testing.T) {
	b := openScene(t, testRun(t, "small"), hostileScene)
	b.do(chromedp.EmulateViewport(360, 740), chromedp.Reload())
	if got := evaluate[int](b, "document.documentElement.scrollWidth"); got != 360 {
		t.Errorf("the page is %d px wide on a screen of 360", got)
	}
	if evaluate[bool](b, "window.hacked === 1") {
		t.Error("a name ran as a script")
	}
}

func TestAScenesPageSaysWhyItHasNoImages(t *testing.T) {
	run := testRun(t, "other")
	scenes := filepath.Join(filepath.Dir(filepath.Dir(run)), "scenes")
	must.Do(t, os.Rename(scenes, scenes+".moved"))
	defer func() { _ = os.Rename(scenes+".moved", scenes) }()
	b := openScene(t, run, "v_synth_001")
	if got := evaluate[string](b, `document.getElementById("no-images").textContent`); !strings.Contains(got, "No images: v_synth_001: ") {
		t.Errorf("the page says %q", got)
	}
	if got := evaluate[int](b, `document.querySelectorAll("#descriptors tbody:not([hidden]) tr").length`); got != 3 {
		t.Errorf("the table has %d rows, want 3", got)
	}
}
