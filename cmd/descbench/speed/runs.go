package main

import (
	"bytes"
	"cmp"
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
)

// usage is what a command cost.
type usage struct {
	cpu, wall time.Duration
	resident  int64 // most memory, kB
}

// run runs the program with these arguments several times and returns the median cost.
// before prepares each time.
func (m *measurements) run(times int, before func() error, args ...string) (usage, error) {
	var all []usage
	for range times {
		if err := before(); err != nil {
			return usage{}, err
		}
		u, err := m.once(args...)
		if err != nil {
			return usage{}, err
		}
		all = append(all, u)
	}
	slices.SortFunc(all, func(a, b usage) int { return cmp.Compare(a.cpu, b.cpu) })
	return all[(len(all)-1)/2], nil
}

func (m *measurements) once(args ...string) (usage, error) {
	binary, err := m.binary()
	if err != nil {
		return usage{}, err
	}
	fmt.Fprintln(os.Stderr, "descbench", strings.Join(args, " "))
	cmd := exec.CommandContext(m.ctx, binary, args...)
	var fault bytes.Buffer
	cmd.Stderr = &fault
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("descbench %s: %w: %s", args[0], err, bytes.TrimSpace(fault.Bytes()))
	}
	resident := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss // kB on Linux
	return usage{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), time.Since(start), resident}, nil
}

// binary compiles the program, once.
func (m *measurements) binary() (string, error) {
	path := filepath.Join(m.dir, "descbench")
	if m.dir != "" {
		return path, nil
	}
	dir, err := os.MkdirTemp("", "descbench-speed-*")
	if err != nil {
		return "", err
	}
	m.dir = dir
	path = filepath.Join(dir, "descbench")
	if out, err := exec.CommandContext(m.ctx, "go", "build", "-o", path, "./cmd/descbench").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, bytes.TrimSpace(out))
	}
	return path, nil
}

// An extraction holds the seconds of processor time of a cold run on real scenes, of the
// leanest sequence for its rows, and of a warm run, one after the other, and the wall
// time of the first.
type extraction struct{ cold, lean, warm, wall float64 }

func (m *measurements) extractions() ([]extraction, error) {
	if m.extracted != nil {
		return m.extracted, nil
	}
	scenes := filepath.Join(os.Getenv("DESCBENCH_REAL_DATA"), "hpatches-sequences")
	if found, _ := filepath.Glob(filepath.Join(scenes, "*_*")); len(found) == 0 {
		return nil, errors.New("no real scenes, set DESCBENCH_REAL_DATA to the folder that contains hpatches-sequences")
	}
	if _, err := m.binary(); err != nil {
		return nil, err
	}
	cache, out := filepath.Join(m.dir, "cache"), filepath.Join(m.dir, "runs")
	extract := func() (usage, error) {
		if err := os.RemoveAll(out); err != nil {
			return usage{}, err
		}
		return m.once("run", "cmd/descbench/speed/testdata/extraction.yaml", "--quiet", "--data", scenes, "--cache", cache, "--out", out)
	}
	var all []extraction
	for range m.times {
		if err := os.RemoveAll(cache); err != nil {
			return nil, err
		}
		cold, err := extract()
		if err != nil {
			return nil, err
		}
		lean, err := m.goTest("./descriptors/extract", "BenchmarkLeanestExtraction", "1x") // a new process too
		if err != nil {
			return nil, err
		}
		warm, err := extract()
		if err != nil {
			return nil, err
		}
		all = append(all, extraction{cold.cpu.Seconds(), lean["cpu-s/op"], warm.cpu.Seconds(), cold.wall.Seconds()})
	}
	m.extracted = all
	return all, nil
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

func coldRun(m *measurements) (string, error) {
	all, err := m.extractions()
	if err != nil {
		return "", err
	}
	ratio := median(all, func(e extraction) float64 { return e.cold / e.lean })
	cold, lean := median(all, func(e extraction) float64 { return e.cold }), median(all, func(e extraction) float64 { return e.lean })
	wall := median(all, func(e extraction) float64 { return e.wall })
	extracting := median(all, func(e extraction) float64 { return (e.cold - e.warm) / e.lean })
	return fmt.Sprintf("%.2f × CPU (%s and %s), %.2f × without what a warm run does, %s wall", ratio, duration(cold), duration(lean), extracting, duration(wall)), nil
}

func warmRun(m *measurements) (string, error) {
	all, err := m.extractions()
	if err != nil {
		return "", err
	}
	less, warm := median(all, func(e extraction) float64 { return e.cold / e.warm }), median(all, func(e extraction) float64 { return e.warm })
	return fmt.Sprintf("%.1f × less (%s)", less, duration(warm)), nil
}

// twoWorkers compares runs on scenes of growing size, which two workers cannot share
// out evenly by number.
func twoWorkers(m *measurements) (string, error) {
	if _, err := m.binary(); err != nil {
		return "", err
	}
	scenes := filepath.Join(m.dir, "scenes")
	for i := range 8 {
		size := fmt.Sprintf("%dx%d", 320+80*i, 240+60*i)
		_, err := m.once("dataset", "synth", "--quiet", "--scenes", "1", "--size", size, "--seed", strconv.Itoa(i+1), "--out", filepath.Join(scenes, strconv.Itoa(i)))
		if err != nil {
			return "", err
		}
		made, _ := filepath.Glob(filepath.Join(scenes, strconv.Itoa(i), "v_*"))
		if len(made) != 1 {
			return "", fmt.Errorf("dataset synth made %d scenes, want 1", len(made))
		}
		target := filepath.Join(scenes, "all", fmt.Sprintf("v_%d", i))
		if err := errors.Join(os.MkdirAll(filepath.Dir(target), 0o777), os.Rename(made[0], target)); err != nil {
			return "", err
		}
	}
	cache, out := filepath.Join(m.dir, "cache"), filepath.Join(m.dir, "runs")
	var all [][2]float64 // wall time of one and of two workers, one after the other
	for range m.times {
		var wall [2]float64
		for i := range wall {
			if err := errors.Join(os.RemoveAll(cache), os.RemoveAll(out)); err != nil {
				return "", err
			}
			u, err := m.once("run", "cmd/descbench/speed/testdata/extraction.yaml", "--quiet",
				"--data", filepath.Join(scenes, "all"), "--cache", cache, "--out", out, "--jobs", strconv.Itoa(i+1))
			if err != nil {
				return "", err
			}
			wall[i] = u.wall.Seconds()
		}
		all = append(all, wall)
	}
	faster := median(all, func(wall [2]float64) float64 { return wall[0] / wall[1] })
	one, two := median(all, func(wall [2]float64) float64 { return wall[0] }), median(all, func(wall [2]float64) float64 { return wall[1] })
	return fmt.Sprintf("%.2f × (%s and %s wall)", faster, duration(one), duration(two)), nil
}

// flat measures the memory of runs on 5, 50 and 500 scenes, once. The 500 are links to
// the 50, whose rendering and extraction would take most of the time.
func flat(m *measurements) (string, error) {
	if _, err := m.binary(); err != nil {
		return "", err
	}
	dir := filepath.Join(m.dir, "flat")
	rendered := filepath.Join(dir, "rendered")
	if _, err := m.once("dataset", "synth", "--quiet", "--scenes", "50", "--out", rendered); err != nil {
		return "", err
	}
	scenes, err := filepath.Glob(filepath.Join(rendered, "*_synth_*"))
	if err != nil || len(scenes) != 50 {
		return "", fmt.Errorf("dataset synth made %d scenes, want 50", len(scenes))
	}
	var sizes []string
	for _, n := range []int{5, 50, 500} {
		some := filepath.Join(dir, strconv.Itoa(n))
		if err := os.Mkdir(some, 0o777); err != nil {
			return "", err
		}
		for i := range n {
			scene := scenes[i%len(scenes)]
			if err := os.Symlink(scene, filepath.Join(some, fmt.Sprintf("%s_%d", filepath.Base(scene), i))); err != nil {
				return "", err
			}
		}
		u, err := m.once("run", "configs/sift_baseline.yaml", "--quiet", "--data", some, "--cache", some+"-cache", "--out", some+"-runs")
		if err != nil {
			return "", err
		}
		sizes = append(sizes, fmt.Sprintf("%.0f", float64(u.resident)/1e3))
	}
	return strings.Join(sizes, ", ") + " MB", nil
}

// start measures the time until the program has read its config and data set.
func start(m *measurements) (string, error) {
	u, err := m.run(m.times, func() error { return nil }, "plan", "configs/demo.yaml", "--quiet")
	return duration(u.wall.Seconds()), err
}
