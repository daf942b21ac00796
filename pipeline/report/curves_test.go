package report

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
)

func TestColumnsOfCurvesAreDescribed(t *testing.T) {
	_, section, _ := strings.Cut(string(must.Get(os.ReadFile("../../docs/columns.md"))(t)), "\n## Curves\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var described []string
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|").FindAllStringSubmatch(section, -1) {
		described = append(described, m[1])
	}
	if !slices.Equal(described, curveHeader) {
		t.Errorf("described are %q, want %q", described, curveHeader)
	}
}
