package soak

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
)

// A reading is a kind of file of a finished run, and a command that reads it.
type reading struct {
	name    string
	files   string // patterns
	before  string // shell script that removes what would spare the command reading them
	command string
	writes  bool // the command computes again: its files are compared, not what it prints
}

const (
	withoutRecords = "rm runs/soak/*.parquet runs/soak/summary.json"
	withoutEval    = withoutRecords + "; rm -r runs/soak/units/[2-9]*" // what comes after the keypoints of a selection
)

var allReadings = []reading{
	{name: "units, fold", files: "runs/soak/units/*/*.zip", command: "fold runs/soak --quiet", writes: true},
	{name: "units, run", files: "runs/soak/units/*/*.zip", before: withoutRecords, command: "run soak.yaml --quiet", writes: true},
	{name: "list of scenes", files: "runs/soak/units/scenes.json", command: "fold runs/soak --quiet", writes: true},
	{name: "config of a run", files: "runs/soak/config.yaml", command: "fold runs/soak --quiet", writes: true},
	{name: "keypoints before a selection", files: "runs/soak/units/1/*.zip", before: withoutEval, command: "run soak.yaml --quiet", writes: true},
	{name: "environment of a run", files: "runs/soak/environment.json", before: withoutEval, command: "run soak.yaml --quiet", writes: true},
	{name: "computation times", files: "runs/soak/times/*.json", command: "fold runs/soak --quiet", writes: true},
	{name: "cached rows and detections", files: "cache/[df]*/*/*.npz", before: "rm -r runs", command: "run soak.yaml --quiet", writes: true},
	{name: "image, run", files: "scenes/*/*.png", before: "rm -r runs", command: "run soak.yaml --quiet", writes: true},
	{name: "summary.json, results", files: "runs/soak/summary.json runs/soak/SHA256SUMS", command: "results runs/soak"},
	{name: "summary.json, compare", files: "runs/soak/summary.json", command: "compare runs/soak --baseline sift"},
	{name: "metrics.csv, results", files: "runs/soak/metrics.csv", command: "results runs/soak --table gallery"},
	{name: "metrics.csv, compare", files: "runs/soak/metrics.csv", command: "compare runs/soak --baseline sift"},
	{name: "results.sqlite", files: "runs/soak/results.sqlite", command: "run soak.yaml --quiet", writes: true},
	{name: "records, eval", files: "runs/soak/*.parquet", command: "eval runs/soak --set evaluation.tolerance_px=2"},
	{name: "records, compare", files: "runs/soak/*.parquet", command: "compare runs/soak --baseline sift --metric mma@3"},
	{name: "strips", files: "strips/*/*.png", command: "patches describe --strips strips --type sift --out again --quiet"},
}

func TestFlippedByteIsNoticedOrChangesNothing(t *testing.T) {
	dir := workFolder(t)
	makeScenes(t, dir, 2)
	shell(t, dir, `
		descbench run soak.yaml --quiet
		descbench patches extract --keypoints soak.yaml#best --limit 20 --out strips --quiet
		descbench patches tasks --strips strips --out tasks --pairs 100
		descbench patches describe --strips strips --type sift --out described --quiet
		descbench patches describe --strips strips --type sift --name rootsift --set root=l1 --out described --quiet
		descbench patches evaluate --descriptors described/sift --descriptors described/rootsift --tasks-dir tasks --split full`)
	var sum outcomes
	for i, r := range allReadings {
		t.Run(strings.ReplaceAll(r.name, " ", "_"), func(t *testing.T) {
			w := &bench{reading: r, whole: dir, random: rand.New(rand.NewPCG(*seed, uint64(i)))}
			w.setUp(t)
			for range (*allFlips + i) / len(allReadings) {
				w.flip(t)
			}
			sum.named, sum.harmless = sum.named+w.named, sum.harmless+w.harmless
			sum.unnamed, sum.others = sum.unnamed+w.unnamed, sum.others+w.others
		})
	}
	survived.add("flipped bytes", "%d in %d kinds of files: %d named in an error, %d mended or without effect, %d in an error without the file's name, %d other results",
		sum.named+sum.harmless+sum.unnamed+sum.others, len(allReadings), sum.named, sum.harmless, sum.unnamed, sum.others)
}

// A bench tries flipped bytes for one reading, in place: paths are absolute in
// some files.
type bench struct {
	reading
	outcomes
	whole   string // the folder of the finished run
	random  *rand.Rand
	kept    string // a copy of it, without what the reading removes first
	want    string // a copy of it, after the command
	told    string // what the command prints about the whole files
	targets []string
}

// outcomes counts flips by what the command did afterwards. The last two are faults.
type outcomes struct {
	named    int // an error with the name of the file
	harmless int // the same as before
	unnamed  int // an error without the name, or that of a bug
	others   int // other results
}

func (b *bench) setUp(t *testing.T) {
	t.Helper()
	before := filepath.Join(workFolder(t), "before")
	replace(t, b.whole, before)
	t.Cleanup(func() { replace(t, before, b.whole) })
	if b.before != "" {
		shell(t, b.whole, b.before)
	}
	b.kept = filepath.Join(filepath.Dir(before), "kept")
	replace(t, b.whole, b.kept)
	b.told = mustRun(t, b.whole, b.command)
	b.want = filepath.Join(filepath.Dir(before), "want")
	replace(t, b.whole, b.want)
	for _, pattern := range strings.Fields(b.files) {
		found := must.Get(filepath.Glob(filepath.Join(b.kept, pattern)))(t)
		b.targets = append(b.targets, found...)
	}
	if len(b.targets) == 0 {
		t.Fatalf("no file matches %s", b.files)
	}
}

func (b *bench) flip(t *testing.T) {
	t.Helper()
	replace(t, b.kept, b.whole)
	target := b.targets[b.random.IntN(len(b.targets))]
	content := must.Get(os.ReadFile(target))(t)
	at, mask := b.random.IntN(len(content)), byte(1+b.random.IntN(255))
	content[at] ^= mask
	relative := must.Get(filepath.Rel(b.kept, target))(t)
	must.Do(t, os.WriteFile(filepath.Join(b.whole, relative), content, 0o666))
	what := fmt.Sprintf("%s with byte %d changed from %#02x to %#02x: descbench %s", relative, at, content[at]^mask, content[at], b.command)
	stdout, stderr, status := finish(t, command(b.whole, b.command))
	switch {
	case status == 2 || status == 3 || status == 4:
		if !strings.Contains(stderr, filepath.Base(relative)) {
			b.unnamed++
			t.Errorf("%s does not name the file:\n%s", what, stderr)
			return
		}
		b.named++
	case status != 0:
		b.unnamed++
		t.Errorf("%s ends with status %d:\n%s", what, status, stderr)
	case b.writes:
		found := differences(t, b.want, b.whole, false)
		found = slices.DeleteFunc(found, func(f string) bool {
			changed, differs := strings.CutSuffix(f, ": differs")
			return differs && changed == relative // a file that was not needed is not mended
		})
		if len(found) > 0 {
			b.others++
			t.Errorf("%s gives other files:\n%s", what, strings.Join(found, "\n"))
			return
		}
		b.harmless++
	case stdout != b.told:
		b.others++
		t.Errorf("%s prints other results:\n%s\nwant\n%s", what, stdout, b.told)
	default:
		b.harmless++
	}
}
