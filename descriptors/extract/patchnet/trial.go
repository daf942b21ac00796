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
	if err := runTrial(text); err != nil {
		fmt.Print(err)
	}
	os.Exit(0)
}

func runTrial(text string) error {
	var o Options
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	model, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	memory := uint64(trialMemory + 8*len(model))
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: memory, Max: memory}); err != nil {
		return err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}); err != nil {
		return err
	}
	detect.UseOneThread()
	m, err := onnx.Read(model)
	if err != nil {
		return fmt.Errorf("load ONNX model: %w", err)
	}
	program, err := m.Cut()
	if err != nil {
		return fmt.Errorf("load ONNX model: %w", err)
	}
	net, err := newNetwork(program)
	if err != nil {
		return fmt.Errorf("load ONNX model: %w", err)
	}
	_, err = o.try(net)
	return err
}

// survives loads and runs a model in a process of its own. It returns the error
// that the model causes there, or one that says how the process ended.
func (o Options) survives(model []byte) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("try the ONNX model: %w", err)
	}
	options, err := json.Marshal(o)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), trialTime)
	defer cancel()
	var failure, stderr bytes.Buffer
	trial := exec.CommandContext(ctx, program)
	trial.Env = append(os.Environ(), trialVariable+"="+string(options), "GOTRACEBACK=none")
	trial.Stdin, trial.Stdout, trial.Stderr = bytes.NewReader(model), &failure, &stderr
	// A signal from the terminal is for this process, which then ends the trial.
	trial.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = trial.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("the ONNX model takes more than %v to load and run", trialTime)
	case errors.As(err, &exit):
		return fmt.Errorf("OpenCV crashes on the ONNX model (%s)", reason(stderr.String(), exit))
	case err != nil:
		return fmt.Errorf("try the ONNX model: %w", err)
	case failure.Len() > 0:
		return errors.New(failure.String())
	}
	return nil
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
