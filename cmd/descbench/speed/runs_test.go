package speed

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"descbench/eval/must"
)

// usage is what a command cost.
type usage struct {
	cpu, wall float64 // seconds
	resident  int64   // most memory, kB
}

// run runs the program.
func (m *measurement) run(args ...string) usage {
	m.Log("descbench", strings.Join(args, " "))
	cmd := exec.CommandContext(m.Context(), m.program, args...)
	var fault bytes.Buffer
	cmd.Stderr = &fault
	start := time.Now()
	if err := cmd.Run(); err != nil {
		m.Fatalf("descbench %s: %v: %s", args[0], err, bytes.TrimSpace(fault.Bytes()))
	}
	wall, state := time.Since(start), cmd.ProcessState
	resident := state.SysUsage().(*syscall.Rusage).Maxrss // kB on Linux
	return usage{(state.UserTime() + state.SystemTime()).Seconds(), wall.Seconds(), resident}
}

// extract runs the extraction of scenes with a cache.
func (m *measurement) extract(scenes, cache string, args ...string) usage {
	out := m.TempDir()
	defer os.RemoveAll(out)
	return m.run(append([]string{"run", "cmd/descbench/speed/testdata/extraction.yaml", "--quiet",
		"--data", scenes, "--cache", cache, "--out", out}, args...)...)
}

// An extraction holds the seconds of processor time of a cold run on real scenes, of the
// leanest sequence for its rows, and of a warm run, one after the other, and the wall
// time of the first.
type extraction struct{ cold, lean, warm, wall float64 }

func (m *measurement) extractions() []extraction {
	if m.extracted != nil {
		return m.extracted
	}
	scenes := filepath.Join(os.Getenv("DESCBENCH_REAL_DATA"), "hpatches-sequences")
	if found, _ := filepath.Glob(filepath.Join(scenes, "*_*")); len(found) == 0 {
		m.lacks("no real scenes, set DESCBENCH_REAL_DATA to the folder that contains hpatches-sequences")
	}
	var all []extraction
	for range m.times {
		cache := m.TempDir()
		cold := m.extract(scenes, cache)
		lean := m.goTest("./descriptors/extract", "BenchmarkLeanestExtraction", "1x") // a new process too
		warm := m.extract(scenes, cache)
		os.RemoveAll(cache)
		all = append(all, extraction{cold.cpu, lean["cpu-s/op"], warm.cpu, cold.wall})
	}
	m.extracted = all
	return all
}

// median returns the median of a figure of all measurements, the lower one of an even
// number.
func median[M any](all []M, figure func(M) float64) float64 {
	var v []float64
	for _, each := range all {
		v = append(v, figure(each))
	}
	slices.Sort(v)
	return v[(len(v)-1)/2]
}

func coldRun(m *measurement) string {
	all := m.extractions()
	ratio := median(all, func(e extraction) float64 { return e.cold / e.lean })
	cold, lean := median(all, func(e extraction) float64 { return e.cold }), median(all, func(e extraction) float64 { return e.lean })
	wall := median(all, func(e extraction) float64 { return e.wall })
	extracting := median(all, func(e extraction) float64 { return (e.cold - e.warm) / e.lean })
	return fmt.Sprintf("%.2f × CPU (%s and %s), %.2f × without what a warm run does, %s wall", ratio, duration(cold), duration(lean), extracting, duration(wall))
}

func warmRun(m *measurement) string {
	all := m.extractions()
	less, warm := median(all, func(e extraction) float64 { return e.cold / e.warm }), median(all, func(e extraction) float64 { return e.warm })
	return fmt.Sprintf("%.1f × less (%s)", less, duration(warm))
}

// twoWorkers compares runs on scenes of growing size, which two workers cannot share
// out evenly by number.
func twoWorkers(m *measurement) string {
	scenes, n := m.TempDir(), 8
	if m.small {
		n = 2
	}
	for i := range n {
		dir := m.TempDir()
		size := fmt.Sprintf("%dx%d", 320+80*i, 240+60*i)
		m.run("dataset", "synth", "--quiet", "--scenes", "1", "--size", size, "--seed", strconv.Itoa(i+1), "--out", dir)
		made, _ := filepath.Glob(filepath.Join(dir, "v_*"))
		if len(made) != 1 {
			m.Fatalf("dataset synth made %d scenes, want 1", len(made))
		}
		must.Do(m, os.Rename(made[0], filepath.Join(scenes, fmt.Sprintf("v_%d", i))))
	}
	var all [][2]float64 // wall time of one and of two workers, one after the other
	for range m.times {
		var wall [2]float64
		for i := range wall {
			cache := m.TempDir()
			wall[i] = m.extract(scenes, cache, "--jobs", strconv.Itoa(i+1)).wall
			os.RemoveAll(cache)
		}
		all = append(all, wall)
	}
	faster := median(all, func(wall [2]float64) float64 { return wall[0] / wall[1] })
	one, two := median(all, func(wall [2]float64) float64 { return wall[0] }), median(all, func(wall [2]float64) float64 { return wall[1] })
	return fmt.Sprintf("%.2f × (%s and %s wall)", faster, duration(one), duration(two))
}

// flat measures the memory of runs on 5, 50 and 500 scenes, once. The 500 are links to
// the 50, whose rendering and extraction would take most of the time.
func flat(m *measurement) string {
	rendered, counts, size := m.TempDir(), []int{5, 50, 500}, "640x480"
	if m.small {
		counts, size = []int{1, 2, 4}, "320x240"
	}
	m.run("dataset", "synth", "--quiet", "--scenes", fmt.Sprint(counts[1]), "--size", size, "--out", rendered)
	scenes, err := filepath.Glob(filepath.Join(rendered, "*_synth_*"))
	if err != nil || len(scenes) != counts[1] {
		m.Fatalf("dataset synth made %d scenes, want %d", len(scenes), counts[1])
	}
	var sizes []string
	for _, n := range counts {
		some := m.TempDir()
		for i := range n {
			scene := scenes[i%len(scenes)]
			link(m, scene, filepath.Join(some, fmt.Sprintf("%s_%d", filepath.Base(scene), i)), float64(i)*1e-6)
		}
		u := m.run("run", "configs/sift_baseline.yaml", "--quiet", "--data", some, "--cache", m.TempDir(), "--out", m.TempDir())
		sizes = append(sizes, fmt.Sprintf("%.0f", float64(u.resident)/1e3))
	}
	return strings.Join(sizes, ", ") + " MB"
}

// link makes a folder of links to the files of a scene. A run refuses copies, so image 6 is
// shifted by px.
func link(m *measurement, scene, to string, px float64) {
	files, _ := filepath.Glob(filepath.Join(scene, "*"))
	text, err := os.ReadFile(filepath.Join(scene, "H_1_6"))
	err = errors.Join(err, os.Mkdir(to, 0o777))
	for _, file := range files {
		if name := filepath.Base(file); name != "H_1_6" {
			err = errors.Join(err, os.Symlink(file, filepath.Join(to, name)))
		}
	}
	numbers := strings.Fields(string(text))
	shift, parsing := strconv.ParseFloat(numbers[2], 64)
	numbers[2] = strconv.FormatFloat(shift+px, 'g', -1, 64)
	err = errors.Join(err, parsing, os.WriteFile(filepath.Join(to, "H_1_6"), []byte(strings.Join(numbers, " ")), 0o666))
	if err != nil {
		m.Fatal(err)
	}
}

// start measures the time until the program has read its config and data set.
func start(m *measurement) string {
	var all []usage
	for range m.times {
		all = append(all, m.run("plan", "configs/demo.yaml", "--quiet"))
	}
	return duration(median(all, func(u usage) float64 { return u.wall }))
}
