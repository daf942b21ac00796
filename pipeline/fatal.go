package pipeline

import (
	"context"
	"errors"
	"slices"
	"syscall"

	"descbench/pipeline/plan"
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
