package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"descbench/eval/binary"
	"descbench/eval/scope"
)

// byHand returns the decisions of --counts.
func (o *classifyOptions) byHand(args []string) ([]binary.Decision, error) {
	if len(args) > 0 {
		return nil, usageError{fmt.Errorf("found --counts and %s, want one of the two", args[0])}
	}
	var all []binary.Decision
	names := make(map[string]bool)
	for i, text := range o.counts {
		name, list, named := strings.Cut(text, "=")
		if !named {
			name, list = fmt.Sprintf("system %d", i+1), text
		}
		c, err := parseCounts(list)
		switch {
		case err != nil:
			return nil, usageError{fmt.Errorf("--counts %s: %w", text, err)}
		case name == "":
			return nil, usageError{fmt.Errorf("--counts %s: found an empty name", text)}
		case names[name]:
			return nil, usageError{fmt.Errorf("--counts: found two systems named %s, want different names", name)}
		}
		names[name] = true
		all = append(all, binary.NewDecision(name, i, "as given", scope.All, c))
	}
	return all, nil
}

// parseCounts parses TP,FP,TN,FN.
func parseCounts(list string) (binary.Confusion, error) {
	c := binary.Confusion{Threshold: math.NaN()}
	fields := strings.Split(list, ",")
	if len(fields) != 4 {
		return c, fmt.Errorf("found %d numbers, want 4: TP,FP,TN,FN", len(fields))
	}
	for i, to := range []*int64{&c.TP, &c.FP, &c.TN, &c.FN} {
		n, err := strconv.ParseInt(strings.TrimSpace(fields[i]), 10, 64)
		if err != nil || n < 0 || n > 1<<53 {
			return c, fmt.Errorf("found %q, want a count: a whole number from 0 to 2^53", fields[i])
		}
		*to = n
	}
	if c.Total() == 0 {
		return c, errors.New("found no samples, want at least one count above 0")
	}
	return c, nil
}
