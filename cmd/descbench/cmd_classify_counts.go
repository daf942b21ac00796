package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
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

// parseCounts parses tp:N,fp:N,fn:N,tn:N in any order. Numbers without names are refused: papers
// and programs print them in different orders.
func parseCounts(list string) (binary.Confusion, error) {
	c := binary.Confusion{Threshold: math.NaN()}
	missing := map[string]*int64{"tp": &c.TP, "fp": &c.FP, "fn": &c.FN, "tn": &c.TN}
	for field := range strings.SplitSeq(list, ",") {
		name, number, _ := strings.Cut(strings.ToLower(strings.TrimSpace(field)), ":")
		to := missing[name]
		if to == nil {
			return c, fmt.Errorf("found %q, want tp:N,fp:N,fn:N,tn:N in any order, each once", field)
		}
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err != nil || n < 0 || n > 1<<53 {
			return c, fmt.Errorf("found %q, want a count: a whole number from 0 to 2^53", field)
		}
		*to = n
		delete(missing, name)
	}
	if len(missing) > 0 {
		return c, fmt.Errorf("no %s, want tp:N,fp:N,fn:N,tn:N", strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
	}
	if c.Total() == 0 {
		return c, errors.New("found no samples, want at least one count above 0")
	}
	return c, nil
}
