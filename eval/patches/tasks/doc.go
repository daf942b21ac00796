// Package tasks evaluates descriptors on the three tasks of the HPatches patch
// benchmark of 2017: patch verification, image matching, patch retrieval.
//
// The benchmark exists in several versions whose numbers differ: its Python
// code, its MATLAB code, and its first edition of 2016 take averages and treat
// ties in different ways. A Protocol names whose definitions apply; figures of
// different protocols must not be compared.
package tasks

import (
	"fmt"
	"slices"
	"strings"

	"descbench/eval/patches"
)

// A Protocol is a set of definitions.
//
//	              verification: ties       average precision        matching: divided by
//	P17           against the descriptor   trapezoids               patches
//	M17           for the descriptor       step                     patches
//	HB2016        for the descriptor       step                     right matches
//	Grouped       half; grouped            step, ties at once       patches
//
// In retrieval HB2016 and M17 agree: every counterpart is retrieved, since whole
// pools are ranked. P17 compares pairs of verification in float32. In matching, P17, M17 and
// HB2016 leave equal distances in the order of the patches, in retrieval they
// put the counterparts of the query first; Grouped takes equals at once there
// too, so that its figures depend on no order.
type Protocol string

// The protocols: the benchmark's Python code, its MATLAB code, the evaluation
// of its first edition, and this program's own.
const (
	P17     Protocol = "p17"
	M17     Protocol = "m17"
	HB2016  Protocol = "hb2016"
	Grouped Protocol = "grouped"
)

// Protocols returns all of them.
func Protocols() []Protocol { return []Protocol{P17, M17, HB2016, Grouped} }

// A Task is one of the benchmark's.
type Task string

// The tasks.
const (
	Verification Task = "verification"
	Matching     Task = "matching"
	Retrieval    Task = "retrieval"
)

// Tasks returns all of them.
func Tasks() []Task { return []Task{Verification, Matching, Retrieval} }

// Noises are the levels of jitter of the patches: easy, hard, tough. They are
// the first letter of an image's name.
func Noises() []string { return []string{"e", "h", "t"} }

// imagesPerNoise counts the images of a sequence besides the reference.
const imagesPerNoise = 5

func oneOf[T ~string](what string, v T, all []T) error {
	if slices.Contains(all, v) {
		return nil
	}
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = string(a)
	}
	return &patches.OptionError{Reason: fmt.Sprintf("%s %q, want one of %s", what, v, strings.Join(names, ", "))}
}
