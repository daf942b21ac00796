package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Annotations of flags with the names of others. Relations are declared where flags
// are registered, and checked once, before any command runs.
const (
	neededFlags   = "needs"    // one of them must be given, too
	excludedFlags = "excludes" // none of them may be given
)

// needs declares that flags have no effect without at least one of the others.
func needs(fs *pflag.FlagSet, flags []string, others ...string) {
	for _, name := range flags {
		relate(fs, name, neededFlags, others)
	}
}

// excludes declares that a flag cannot be combined with any of the others.
func excludes(fs *pflag.FlagSet, flag string, others ...string) {
	relate(fs, flag, excludedFlags, others)
}

func relate(fs *pflag.FlagSet, flag, relation string, others []string) {
	f := fs.Lookup(flag)
	if f.Annotations == nil {
		f.Annotations = make(map[string][]string)
	}
	f.Annotations[relation] = append(f.Annotations[relation], others...)
}

// checkRelations returns an error if the flags that the user gave contradict a
// declared relation.
func checkRelations(fs *pflag.FlagSet) error {
	var wrong []string
	fs.Visit(func(f *pflag.Flag) {
		if needed := f.Annotations[neededFlags]; needed != nil && !slices.ContainsFunc(needed, fs.Changed) {
			wrong = append(wrong, fmt.Sprintf("--%s needs --%s", f.Name, strings.Join(needed, " or --")))
		}
		for _, other := range f.Annotations[excludedFlags] {
			if fs.Changed(other) {
				wrong = append(wrong, fmt.Sprintf("found --%s and --%s, want one of the two", f.Name, other))
			}
		}
	})
	if wrong == nil {
		return nil
	}
	return usageError{errors.New(wrong[0])}
}
