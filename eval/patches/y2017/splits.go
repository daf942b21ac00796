package y2017

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"descbench/eval/patches"
	"descbench/eval/scope"
)

// SplitsFile is the path of the splits in a folder of tasks.
const SplitsFile = "splits/splits.json"

// A Split defines the sequences to test on and, for some splits, the sequences to
// learn from.
type Split struct {
	Name  string   `json:"name"`
	Test  []string `json:"test"`
	Train []string `json:"train,omitempty"`
}

// ReadSplits reads splits.json, an object of splits by name. name is the file name in
// faults.
func ReadSplits(name string, r io.Reader) (map[string]Split, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var splits map[string]Split
	if err := json.Unmarshal(data, &splits); err != nil {
		fault, reason, offset := &patches.Fault{File: name}, err.Error(), int64(0)
		var syntax *json.SyntaxError
		var typ *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			offset = syntax.Offset
			if reason == "unexpected end of JSON input" {
				reason = "the file ends too early"
			}
		case errors.As(err, &typ):
			reason, offset = fmt.Sprintf("%s is a %s", cmp.Or(typ.Field, "a split"), typ.Value), typ.Offset
		}
		fault.Line = 1 + bytes.Count(data[:min(int(offset), len(data))], []byte{'\n'})
		fault.Reason = reason + `; want splits such as {"a": {"name": "a", "test": ["v_wall"], "train": ["i_ski"]}}`
		return nil, fault
	}
	for _, key := range slices.Sorted(maps.Keys(splits)) {
		if reason := splits[key].fault(key); reason != "" {
			return nil, &patches.Fault{File: name, Reason: fmt.Sprintf("split %q %s", key, reason)}
		}
	}
	return splits, nil
}

// fault describes the error in the split with this key, or returns "".
func (s Split) fault(key string) string {
	if s.Name != key {
		return fmt.Sprintf("has the name %q, want the same name as its key", s.Name)
	}
	if len(s.Test) == 0 {
		return "has no test sequences"
	}
	seen := map[string]bool{}
	for _, sequence := range slices.Concat(s.Test, s.Train) {
		if err := scope.CheckSceneName(sequence); err != nil || strings.ContainsAny(sequence, ".,/") {
			return fmt.Sprintf("has a sequence %q, want a name of printable characters other than . , / \\ ; =", sequence)
		}
		if seen[sequence] {
			return fmt.Sprintf("lists the sequence %s twice", sequence)
		}
		seen[sequence] = true
	}
	return ""
}

// WriteSplits writes splits.json.
func WriteSplits(w io.Writer, list []Split) error {
	splits := make(map[string]Split, len(list))
	for _, s := range list {
		if reason := s.fault(s.Name); reason != "" {
			return &patches.OptionError{Reason: fmt.Sprintf("split %q %s", s.Name, reason)}
		}
		splits[s.Name] = s
	}
	text, err := json.MarshalIndent(splits, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
