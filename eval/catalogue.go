package eval

import (
	"slices"
	"strconv"
	"strings"
)

// A Definition says what a metric means.
type Definition struct {
	// Name is that of the Metric; a K in it stands for any number: a whole one
	// in precision_at_K, also one with decimals in mma@K. The standard deviation
	// over the repetitions of a task is under its name with _std behind it. Words
	// in capitals in the names of group "patches" stand for those of patchWords.
	Name   string
	Also   string // names of the same figure elsewhere; "" if there are none
	Group  string // "ranking", "matching", "classification", ...
	What   string // the definition, one line
	Range  string
	Better string // "higher", "lower", or "" where neither is
	Source string
	Use    string // when to use it
	Avoid  string // when not to
}

// Catalogue returns the definitions of all metrics, in the order in which they
// are reported.
func Catalogue() []Definition {
	return slices.Concat(rankingMetrics, matchingMetrics, taskMetrics, classificationMetrics, patchMetrics)
}

// Define returns the definition of the metric of that name, or of that other
// name.
func Define(name string) (Definition, bool) {
	for _, d := range Catalogue() {
		if d.matches(name) {
			return d, true
		}
	}
	return Definition{}, false
}

func (d Definition) matches(name string) bool {
	if name == d.Name || name != "" && slices.Contains(strings.Split(d.Also, ", "), name) {
		return true
	}
	if d.Group == "patches" {
		return matchesPatchName(d.Name, name)
	}
	if d.Group == "tasks" && strings.TrimSuffix(name, "_std") == d.Name {
		return true // its standard deviation over repetitions
	}
	if stem, ok := strings.CutSuffix(d.Name, "@K"); ok {
		number, ok := strings.CutPrefix(name, stem+"@")
		_, err := strconv.ParseFloat(number, 64)
		return ok && err == nil && strings.Trim(number, "0123456789.") == ""
	}
	stem, ok := strings.CutSuffix(d.Name, "_K")
	if !ok {
		return false
	}
	number, ok := strings.CutPrefix(name, stem+"_")
	return ok && number != "" && number[0] != '0' && strings.Trim(number, "0123456789") == ""
}
