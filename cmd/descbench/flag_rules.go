package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Annotations of flags. Rules are declared where flags are registered, and checked
// once, before any command runs.
const (
	requiredFlags = "requires" // names of flags that must be given
	neededFlags   = "needs"    // names of flags: one of them must be given, too
	excludedFlags = "excludes" // names of flags: none of them may be given
	allowedWords  = "words"    // the values that the flag, or an item of its list, may have
	allowedRange  = "range"    // the least number, and the largest
	settingOf     = "setting"  // the setting that the flag gives
)

// requires declares flags without which a command cannot run.
func requires(fs *pflag.FlagSet, flags ...string) { relate(fs, flags[0], requiredFlags, flags) }

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

// allows declares the values of a flag, or of the items of its list. They complete it
// in the shell, too.
func allows(fs *pflag.FlagSet, flag string, words ...string) { relate(fs, flag, allowedWords, words) }

// limits declares the range of a number; a most of 0 is no limit.
func limits(fs *pflag.FlagSet, flag string, least, most float64) {
	if most == 0 {
		most = math.MaxFloat64
	}
	relate(fs, flag, allowedRange, []string{fmt.Sprint(least), fmt.Sprint(most)})
}

func relate(fs *pflag.FlagSet, flag, relation string, values []string) {
	f := fs.Lookup(flag)
	if f.Annotations == nil {
		f.Annotations = make(map[string][]string)
	}
	f.Annotations[relation] = append(f.Annotations[relation], values...)
}

// checkRules returns an error if the flags that the user gave contradict a declared
// rule.
func checkRules(fs *pflag.FlagSet) error {
	wrong := repeated(fs, os.Args[1:])
	fs.Visit(func(f *pflag.Flag) {
		if needed := f.Annotations[neededFlags]; needed != nil && !slices.ContainsFunc(needed, fs.Changed) {
			wrong = append(wrong, fmt.Sprintf("--%s needs --%s", f.Name, strings.Join(needed, " or --")))
		}
		for _, other := range f.Annotations[excludedFlags] {
			if fs.Changed(other) {
				wrong = append(wrong, fmt.Sprintf("found --%s and --%s, want one of the two", f.Name, other))
			}
		}
		if text := misfit(f); text != "" {
			wrong = append(wrong, "--"+f.Name+": "+text)
		}
	})
	if wrong == nil {
		return nil
	}
	return usageError{errors.New(wrong[0])}
}

// checkRequired returns an error about the first declared flag that is missing.
func checkRequired(fs *pflag.FlagSet) (err error) {
	fs.VisitAll(func(f *pflag.Flag) {
		for _, name := range f.Annotations[requiredFlags] {
			if err == nil && !fs.Changed(name) {
				err = usageError{fmt.Errorf("--%s is missing: %s", name, fs.Lookup(name).Usage)}
			}
		}
	})
	return err
}

// repeated says which flags with a single value the arguments of the program give twice.
func repeated(fs *pflag.FlagSet, args []string) (wrong []string) {
	values := make(map[string]string)
	_ = fs.ParseAll(args, func(f *pflag.Flag, value string) error { // parsed before
		first, twice := values[f.Name]
		if _, list := f.Value.(pflag.SliceValue); twice && !list {
			wrong = append(wrong, fmt.Sprintf("--%s: given twice (%s, %s), want it once", f.Name, first, value))
		}
		values[f.Name] = value
		return nil
	})
	return wrong
}

const emptyValue = "found nothing, want a value; if it comes from a variable of the shell, that is not set"

// misfit says why the value of a flag is not among those that are declared, or returns
// "".
func misfit(f *pflag.Flag) string {
	values := []string{f.Value.String()}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		values = list.GetSlice()
		for i := range values { // as in "map, macro"
			values[i] = strings.TrimSpace(values[i])
		}
		_ = list.Replace(values) // of texts, which fit
	}
	switch text := strings.Join(values, ","); {
	case text == "":
		return emptyValue
	case strings.HasSuffix(text, ","):
		return fmt.Sprintf("found %q, want no comma at the end; a list with spaces needs quotes: --%s '...'", text, f.Name)
	case strings.Count(text, "{") > strings.Count(text, "}"):
		return fmt.Sprintf("found %q, want a whole value; one with spaces needs quotes: --%s '...'", text, f.Name)
	}
	if words := f.Annotations[allowedWords]; words != nil {
		for _, v := range values {
			if !slices.Contains(words, v) {
				last := len(words) - 1
				return fmt.Sprintf("found %q, want %s or %s", v, strings.Join(words[:last], ", "), words[last])
			}
		}
	}
	if bounds := f.Annotations[allowedRange]; bounds != nil {
		var numbers [3]float64 // parsed before
		for i, text := range []string{values[0], bounds[0], bounds[1]} {
			numbers[i], _ = strconv.ParseFloat(text, 64)
		}
		switch n, least, most := numbers[0], numbers[1], numbers[2]; {
		case !(n >= least): // also not a number
			return fmt.Sprintf("found %s, want at least %s", values[0], bounds[0])
		case n > most:
			return fmt.Sprintf("found %s, want at most %s", values[0], bounds[1])
		}
	}
	return ""
}
