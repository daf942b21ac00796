package patchnet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"descbench/descriptors/onnx"
	"descbench/keypoints/detect"
)

// OpenCV ends the process, or takes all memory, on many models that are sound
// messages but make no sense, such as a convolution with 0 groups. Therefore
// every model is first loaded and run in a process of its own.

const (
	// trialVariable, in the environment, holds the options of a trial. It makes any
	// program that contains this package try the model on its standard input and
	// do nothing else.
	trialVariable = "DESCBENCH_TRIAL_OF_ONNX_MODEL"
	// trialMemory is the address space of a trial in bytes, apart from the model.
	trialMemory = 16 << 30
	// trialTime is far above what the two batches of a trial take.
	trialTime = 10 * time.Minute
)

func init() {
	text := os.Getenv(trialVariable)
	if text == "" {
		return
	}
	dim, err := runTrial(text)
	out := outcome{Dim: dim}
	if err != nil {
		out.Failure = err.Error()
	}
	_ = json.NewEncoder(os.Stdout).Encode(out) // the other process notices
	os.Exit(0)
}

// An outcome is what a trial writes: the descriptor dimension or an error.
type outcome struct {
	Dim     int
	Failure string
}

func runTrial(text string) (dim int, err error) {
	var o Options
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return 0, err
	}
	model, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 0, err
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		return 0, err
	}
	memory := uint64(trialMemory + 8*len(model))
	limit.Cur, limit.Max = min(limit.Cur, memory), min(limit.Max, memory) // which cannot be raised
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		return 0, err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}); err != nil {
		return 0, err
	}
	detect.UseOneThread()
	m, err := onnx.Read(model)
	if err != nil {
		return 0, fmt.Errorf("load ONNX model: %w", err)
	}
	program, err := m.Cut()
	if err != nil {
		return 0, fmt.Errorf("load ONNX model: %w", err)
	}
	net, err := newNetwork(program)
	if err != nil {
		return 0, fmt.Errorf("load ONNX model: %w", err)
	}
	return o.try(net)
}

// trial loads and runs a model in a process of its own, whose messages nobody sees. It
// returns the descriptor dimension, or the error that the model causes there, or one
// that says how the process ended.
func (o Options) trial(model []byte) (dim int, err error) {
	program, err := os.Executable()
	if err != nil {
		return 0, fmt.Errorf("try the ONNX model: %w", err)
	}
	options, err := json.Marshal(o)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), trialTime)
	defer cancel()
	var stdout, stderr bytes.Buffer
	trial := exec.CommandContext(ctx, program)
	trial.Env = append(os.Environ(), trialVariable+"="+string(options), "GOTRACEBACK=none")
	trial.Stdin, trial.Stdout, trial.Stderr = bytes.NewReader(model), &stdout, &stderr
	// A signal from the terminal is for this process, which then ends the trial.
	trial.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = trial.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, fmt.Errorf("the ONNX model takes more than %v to load and run", trialTime)
	case errors.As(err, &exit):
		return 0, fmt.Errorf("OpenCV crashes on the ONNX model (%s)", reason(stderr.String(), exit))
	case err != nil:
		return 0, fmt.Errorf("try the ONNX model: %w", err)
	}
	var out outcome
	if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
		return 0, fmt.Errorf("try the ONNX model: %w", err)
	}
	if out.Failure != "" {
		return 0, errors.New(out.Failure)
	}
	return out.Dim, nil
}

// reason returns how a process ended: the signal that it reported itself, or its
// status.
func reason(stderr string, exit *exec.ExitError) string {
	for line := range strings.Lines(stderr) {
		if strings.HasPrefix(line, "SIG") {
			return strings.TrimSpace(line)
		}
	}
	return exit.Error()
}
