package config

import (
	"testing"

	"descbench/descriptors"
	"descbench/eval/fact"
)

// The mean and deviation of ImageNet, as torchvision has them and in units of pixels.
func TestAStdOfPixelsFromZeroToOneIsAWarning(t *testing.T) {
	for _, c := range []struct {
		mean, std []float64
		warned    bool
	}{
		{[]float64{0.485, 0.456, 0.406}, []float64{0.229, 0.224, 0.225}, true},
		{[]float64{123.675, 116.28, 103.53}, []float64{58.395, 57.12, 57.375}, false},
		{[]float64{0.5}, []float64{1}, true},
		{[]float64{0}, []float64{1}, false}, // pixels as they are
		{[]float64{0}, []float64{2}, false},
	} {
		d := Descriptor{Name: "net", Command: &Command{Patches: &descriptors.PatchCut{Mean: c.mean, Std: c.std}}}
		warned := (&Config{Descriptors: []Descriptor{d}}).Facts()
		if (len(warned) == 1 && warned[0].Kind == fact.UnitPixels && warned[0].Descriptor == "net") != c.warned {
			t.Errorf("mean %v, std %v: %v", c.mean, c.std, warned)
		}
		if d.Command.Patches.Standardize = true; d.UnitPixels() != nil {
			t.Error("a warning about standardised patches")
		}
	}
}
