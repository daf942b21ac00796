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
	"time"
)

// usage is what a command cost.
type usage struct{ cpu, wall time.Duration }

// run runs the program with these arguments, several times unless once is set, and
// returns the median cost. before prepares each time.
func (m *measurements) run(times int, before func() error, args ...string) (usage, error) {
	key := strings.Join(args, " ")
	if u, ok := m.runs[key]; ok {
		return u, nil
	}
	binary, err := m.binary()
	if err != nil {
		return usage{}, err
	}
	var all []usage
	for range times {
		if err := before(); err != nil {
			return usage{}, err
		}
		fmt.Fprintln(os.Stderr, "descbench", key)
		cmd := exec.CommandContext(m.ctx, binary, args...)
		var fault bytes.Buffer
		cmd.Stderr = &fault
		start := time.Now()
		if err := cmd.Run(); err != nil {
			return usage{}, fmt.Errorf("descbench %s: %w: %s", args[0], err, bytes.TrimSpace(fault.Bytes()))
		}
		all = append(all, usage{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), time.Since(start)})
	}
	slices.SortFunc(all, func(a, b usage) int { return cmp.Compare(a.cpu, b.cpu) })
	m.runs[key] = all[(len(all)-1)/2]
	return m.runs[key], nil
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

// extraction runs the config of the cold run on real scenes, from an empty cache or
// with what the cold run left there.
func (m *measurements) extraction(cold bool) (usage, error) {
	scenes := filepath.Join(os.Getenv("DESCBENCH_REAL_DATA"), "hpatches-sequences")
	if found, _ := filepath.Glob(filepath.Join(scenes, "*_*")); len(found) == 0 {
		return usage{}, errors.New("no real scenes, set DESCBENCH_REAL_DATA to the folder that contains hpatches-sequences")
	}
	if _, err := m.binary(); err != nil {
		return usage{}, err
	}
	cache, out, name := filepath.Join(m.dir, "cache"), filepath.Join(m.dir, "runs"), "warm"
	if cold {
		name = "cold"
	}
	before := func() error {
		if cold {
			return errors.Join(os.RemoveAll(cache), os.RemoveAll(out))
		}
		return os.RemoveAll(out)
	}
	return m.run(m.times, before, "run", "cmd/descbench/speed/testdata/extraction.yaml", "--quiet",
		"--data", scenes, "--cache", cache, "--out", filepath.Join(out, name))
}

func coldRun(m *measurements) (string, error) {
	u, err := m.extraction(true)
	if err != nil {
		return "", err
	}
	lean, err := m.benchmark("./descriptors/extract", "BenchmarkLeanestExtraction")
	if err != nil {
		return "", fmt.Errorf("%s CPU; its peer: %w", duration(u.cpu.Seconds()), err)
	}
	peer := lean["cpu-s/op"]
	return fmt.Sprintf("%.2f × CPU (%s and %s), %s wall", u.cpu.Seconds()/peer, duration(u.cpu.Seconds()), duration(peer), duration(u.wall.Seconds())), nil
}

func warmRun(m *measurements) (string, error) {
	cold, err := m.extraction(true)
	if err != nil {
		return "", err
	}
	warm, err := m.extraction(false)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%.1f × less (%s)", cold.cpu.Seconds()/warm.cpu.Seconds(), duration(warm.cpu.Seconds())), nil
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
		_, err := m.run(1, func() error { return nil }, "dataset", "synth", "--quiet", "--scenes", "1", "--size", size, "--seed", strconv.Itoa(i+1), "--out", filepath.Join(scenes, strconv.Itoa(i)))
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
	var took [2]usage
	for i := range took {
		var err error
		jobs := strconv.Itoa(i + 1)
		took[i], err = m.run(m.times, func() error { return errors.Join(os.RemoveAll(cache), os.RemoveAll(out)) }, "run", "cmd/descbench/speed/testdata/extraction.yaml",
			"--quiet", "--data", filepath.Join(scenes, "all"), "--cache", cache, "--out", filepath.Join(out, jobs), "--jobs", jobs)
		if err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%.2f × (%s and %s wall)", took[0].wall.Seconds()/took[1].wall.Seconds(), duration(took[0].wall.Seconds()), duration(took[1].wall.Seconds())), nil
}

// start measures the time until the program has read its config and data set.
func start(m *measurements) (string, error) {
	u, err := m.run(m.times, func() error { return nil }, "plan", "configs/demo.yaml", "--quiet")
	return duration(u.wall.Seconds()), err
}
