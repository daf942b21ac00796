package keypointsets

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"descbench/pipeline/config"
)

// setNames matches the names that Sets.recipe gives to sets.
var setNames = regexp.MustCompile(`\bset\d+`)

// derivedRecipe returns the recipe of a set derived from stored sets, given their
// recipes: the same lines that a config with all the steps would give. made is
// step with From, or both sides of Intersect, filled in.
func derivedRecipe(stored [][]string, step config.KeypointSet) (lines []string, made config.KeypointSet) {
	var references []string
	for _, recipe := range stored {
		var reference string
		lines, reference = joinRecipe(lines, recipe)
		references = append(references, reference)
	}
	if step.Intersect != nil {
		step.Intersect = &config.Intersect{A: references[0], B: references[1], TolerancePx: step.Intersect.TolerancePx}
	} else {
		step.From = references[0]
	}
	step.Name = fmt.Sprintf("set%d", len(lines)+1)
	return append(lines, step.Name+": "+step.String()), step
}

// joinRecipe appends the lines of a recipe that are not in lines yet, numbered
// consecutively. It returns the name of the recipe's last set or side.
func joinRecipe(lines, recipe []string) (joined []string, name string) {
	side := ""
	if last := recipe[len(recipe)-1]; !strings.Contains(last, ": ") { // the last line names a side
		recipe, side = recipe[:len(recipe)-1], last[strings.LastIndex(last, "."):]
	}
	there := len(lines)
	renamed := make(map[string]string)
	for _, line := range recipe {
		old, steps, _ := strings.Cut(line, ": ")
		steps = renameSets(steps, renamed)
		at := slices.IndexFunc(lines[:there], func(l string) bool {
			_, s, _ := strings.Cut(l, ": ")
			return s == steps
		})
		if at < 0 {
			at = len(lines)
			lines = append(lines, fmt.Sprintf("set%d: %s", at+1, steps))
		}
		name, _, _ = strings.Cut(lines[at], ": ")
		renamed[old] = name
	}
	return lines, name + side
}

// renameSets renames the sets that a line of steps refers to in its first step.
func renameSets(steps string, renamed map[string]string) string {
	first, rest, more := strings.Cut(steps, "; ")
	if strings.HasPrefix(first, "from ") || strings.HasPrefix(first, "intersect ") {
		first = setNames.ReplaceAllStringFunc(first, func(old string) string { return renamed[old] })
	}
	if more {
		return first + "; " + rest
	}
	return first
}
