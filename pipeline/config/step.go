package config

import (
	"fmt"
	"strings"
)

// A Step is a step of a recipe of keypoints, or a setting of a descriptor, in words.
type Step struct {
	Short string // for terminals: with the keys and values of the config
	Paper string // for papers
}

// same returns a step with the same words everywhere.
func same(format string, args ...any) Step {
	text := fmt.Sprintf(format, args...)
	return Step{text, text}
}

// Shorts returns the words of steps for terminals.
func Shorts(steps []Step) (texts []string) {
	for _, s := range steps {
		texts = append(texts, s.Short)
	}
	return texts
}

// Papers returns the words of steps for papers.
func Papers(steps []Step) (texts []string) {
	for _, s := range steps {
		texts = append(texts, s.Paper)
	}
	return texts
}

// keyWords returns the words of a key.
var keyWords = strings.NewReplacer(".", " ", "_", " ")

// setting returns the step of a setting of a descriptor.
func (d Descriptor) setting(key, value string) Step {
	s := Step{key + ": " + value, keyWords.Replace(key) + " " + value}
	switch key {
	case "root":
		switch value {
		case "l1":
			s.Paper = "square roots after L1 normalisation"
		case "none":
			s.Paper = "no square roots"
		}
	case "type":
		s.Paper = value
	case "normalize":
		if value == "none" {
			s.Paper = "not normalised"
		}
	case "pooling.scales":
		scales := strings.Fields(strings.Trim(fmt.Sprint(d.Pooling.Scales), "[]"))
		if last := len(scales) - 1; last > 0 {
			s.Paper = "pooled over windows scaled by " + strings.Join(scales[:last], ", ") + " and " + scales[last]
		} else {
			s.Paper = "window scaled by " + scales[0]
		}
	}
	return s
}
