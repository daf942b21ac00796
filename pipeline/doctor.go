package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/eval/nearest"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/features"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A Finding is the result of one check.
type Finding struct {
	Subject string
	OK      bool
	Text    string
}

// Examine checks everything that a run needs: libraries, descriptors, processor,
// data set, cache, output folder and database. It skips data, out and database if they are empty.
func Examine(ctx context.Context, version, data, out, cache, database string) []Finding {
	env := plan.CurrentEnvironment(version)
	findings := []Finding{
		{"descbench", true, fmt.Sprintf("%s, %s, %s", env.Program, env.Go, runtime.GOOS+"/"+env.Architecture)},
		{"OpenCV", true, fmt.Sprintf("%s through gocv %s", env.OpenCV, env.GoCV)},
		{"processor", true, fmt.Sprintf("%s, %d cores; OpenCV's dispatch level: %s", env.CPU, runtime.GOMAXPROCS(0), env.Dispatch)},
		{"kernel", true, fmt.Sprintf("%s (this processor can run: %s)", env.Kernel, strings.Join(nearest.Kernels(), ", "))},
		{"SURF", true, env.SURF},
	}
	var available []string
	for _, k := range descriptors.Kinds() {
		if err := extract.Try(k); err != nil {
			findings = append(findings, Finding{"descriptor " + k.Name, false, "not available: " + err.Error()})
		} else {
			available = append(available, k.Name)
		}
	}
	findings = append(findings, Finding{"descriptors", true, strings.Join(available, ", ")})
	if data != "" {
		findings = append(findings, examineData(data))
	}
	return append(findings, examinePlaces(ctx, out, cache, database)...)
}

// Foresee returns warnings about a planned run: about its config, scenes, folders and
// database, and an error if it cannot write its results.
func Foresee(ctx context.Context, p *plan.Plan, cache string) (warnings []string, err error) {
	out := p.Config.Output
	warnings = append(notes.Strings(notes.Lines(p.Config.Facts())), p.Doubts...)
	for _, f := range examinePlaces(ctx, out.Root, cache, out.Database) {
		if info, absent := os.Stat(cache); f.Subject == "cache" && !f.OK && absent == nil && info.IsDir() {
			warnings = append(warnings, f.Text) // it serves what it has
		} else if !f.OK {
			err = cmp.Or(err, plan.Faultf("%s", f.Text))
		}
	}
	return warnings, err
}

// examinePlaces checks whether files can be written to the folders of a run, and its database.
// It skips out and database if they are empty.
func examinePlaces(ctx context.Context, out, cache, database string) []Finding {
	findings := []Finding{examinePlace("cache", cache)}
	if out != "" {
		findings = append(findings, examinePlace("output", out))
	}
	if database != "" {
		f := Finding{"database", true, database}
		if err := store.CheckShared(ctx, database); err != nil {
			f.OK, f.Text = false, err.Error()
		}
		findings = append(findings, f)
	}
	return findings
}

func examineData(root string) Finding {
	f := Finding{Subject: "data set"}
	scenes, _, err := dataset.Source{Root: root}.Find(nil, "all")
	if err != nil {
		f.Text = err.Error()
		return f
	}
	genuine, broken := 0, 0
	for _, s := range scenes {
		if s.Fault != nil {
			broken++
		}
		if dataset.IsHPatches(s.Name) {
			genuine++
		}
	}
	f.OK = broken == 0
	f.Text = fmt.Sprintf("%s: %d scenes, %d of the %d of HPatches", root, len(scenes), genuine, dataset.HPatchesScenes)
	if broken > 0 {
		f.Text += fmt.Sprintf("; incomplete: %d (see dataset verify)", broken)
	}
	return f
}

// ExamineConfig starts the programs of a config and
// calls each with a small image. Warnings about the config are findings, too.
func ExamineConfig(ctx context.Context, cfg *config.Config) (findings []Finding, err error) {
	trials, err := features.TryPrograms(ctx, cfg)
	for _, t := range trials {
		findings = append(findings, Finding{"program", t.Err == nil, t.Text})
	}
	for _, text := range notes.Strings(notes.Lines(cfg.Facts())) {
		findings = append(findings, Finding{"config", true, "warning: " + text})
	}
	return findings, err
}

// examinePlace checks whether files can be written to a folder. It does not
// create the folder: if it does not exist, it checks the nearest existing parent.
func examinePlace(subject, dir string) Finding {
	f := Finding{Subject: subject, Text: dir}
	at := dir
	info, err := os.Stat(at)
	for err != nil && filepath.Dir(at) != at { // up to one that can be seen
		at = filepath.Dir(at)
		info, err = os.Stat(at)
	}
	if err != nil {
		f.Text = err.Error()
		return f
	} else if !info.IsDir() {
		f.Text = fmt.Sprintf("%s: %s is a file, want a folder", dir, at)
		return f
	}
	probe, err := store.Create(filepath.Join(at, "descbench-probe"))
	if errors.Is(err, fs.ErrPermission) {
		f.Text = fmt.Sprintf("%s: not writable; %s", dir, store.AskOwner)
		return f
	} else if err != nil {
		f.Text = fmt.Sprintf("%s: not writable: %v", dir, err)
		return f
	}
	probe.Abort()
	f.OK = true
	if at != dir {
		f.Text += " (will be created)"
	}
	return f
}
