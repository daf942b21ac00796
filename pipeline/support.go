package pipeline

import (
	"descbench/pipeline/config"
)

// unsupported returns an error for what a config may say but a run cannot
// compute, so that nothing asked for is silently left out.
func unsupported(cfg *config.Config) error {
	refuse := func(key, found string) error {
		return &config.Error{File: cfg.Experiment.Name, Key: key, Msg: found + " is not computed by this version"}
	}
	for _, d := range cfg.Descriptors {
		if d.ONNX != nil && (len(d.ONNX.Mean) > 1 || len(d.ONNX.Std) > 1) {
			return refuse("descriptors["+d.Name+"].mean", "a mean for each channel")
		}
	}
	return nil
}
