package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// placeErrors are the system's errors that say nothing about a scene: the disk,
// the network share or a limit of the machine is at fault.
var placeErrors = []syscall.Errno{
	syscall.EIO, syscall.ESTALE, syscall.ENODEV, syscall.ENXIO, syscall.ENOTCONN, syscall.EHOSTDOWN, syscall.ETIMEDOUT,
	syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS,
}

// fatal returns the error that stops the run if err, which occurred in a scene,
// concerns the whole run, and nil if it concerns only that scene.
func (r *runner) fatal(ctx context.Context, scene string, err error) error {
	if ctx.Err() != nil || errors.As(err, new(*plan.DataError)) {
		return err
	}
	if gone := plan.Source(r.Plan.Config.Dataset).Gone(scene); gone != nil {
		err = gone
	} else if !slices.ContainsFunc(placeErrors, func(e syscall.Errno) bool { return errors.Is(err, e) }) {
		return nil
	}
	return plan.Faultf("%w; the run has stopped, and finished scenes are saved: rerun the same command once the cause is removed", err)
}

// mostAlike is the number of scenes in which a program or imported matches may fail alike before there is any result.
const mostAlike = 3

// failsAlike returns the error that stops the run if a descriptor's programs, or its matches in files, failed in the
// first scenes with errors that differ in numbers and in the scene's name at most, so that they would fail in all: a
// mistake in the program, not in a scene.
func (r *runner) failsAlike(d config.Descriptor, scene string, err error) error {
	commands := r.Plan.Config.Commands()
	program := slices.ContainsFunc(r.Plan.Config.ProgramsOf(d.Name), func(key string) bool { return commands[key] != nil })
	program = program || d.Matches != nil && !errors.Is(err, fs.ErrNotExist)
	if !program || errors.As(err, new(*store.Fault)) || len(r.Plan.Scenes) <= mostAlike {
		return nil
	}
	_, text := store.Failure{Reason: err.Error()}.Of(scene)
	kind := [2]string{d.Name, strings.Map(func(c rune) rune {
		if unicode.IsDigit(c) {
			return -1
		}
		return c
	}, strings.ReplaceAll(text, scene, ""))}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.alike[kind]++; r.good[d.Name] || r.alike[kind] < mostAlike {
		return nil
	}
	return plan.Faultf("%s: %w; %d scenes failed alike, and none has a result: the run has stopped; rerun it once the program is corrected", d.Name, err, mostAlike)
}
