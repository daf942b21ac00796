package report

import (
	"slices"
	"testing"
)

func TestWarningsAreToldOnce(t *testing.T) {
	w := func(kind, text, descriptor string) WarningMessage {
		return WarningMessage{Kind: kind, Text: text, Descriptor: descriptor}
	}
	for what, test := range map[string]struct {
		given []WarningMessage
		total int
		want  []string
	}{
		"one each": {[]WarningMessage{w("a", "x", "sift"), w("b", "y", "")}, 3, []string{"sift: x", "y"}},
		"all":      {[]WarningMessage{w("a", "x", "sift"), w("a", "x", "surf")}, 2, []string{"all descriptors: x"}},
		"many":     {[]WarningMessage{w("a", "x", "1"), w("a", "x", "2"), w("a", "x", "3"), w("a", "x", "4")}, 9, []string{"1, 2 and 2 more: x"}},
		"numbers": {
			[]WarningMessage{w("ties", "in 22.2 % of 7 queries", "surf"), w("ties", "in 50.2 % of 7 queries", "orb"), w("ties", "in 9 % of 7 queries", "brisk")}, 9,
			[]string{"surf: in 22.2 % of 7 queries; likewise orb 50.2 %, brisk 9 %"},
		},
		"another kind is another warning": {[]WarningMessage{w("a", "1 x", "sift"), w("b", "2 x", "surf")}, 3, []string{"sift: 1 x", "surf: 2 x"}},
		"numbers in names": {
			[]WarningMessage{w("a", "v_synth_001: 3 of 5", "d"), w("a", "v_synth_002: 3 of 5", "d"), w("a", "mma@3: 1", "d"), w("a", "mma@5: 1", "d")}, 3,
			[]string{"d: v_synth_001: 3 of 5", "d: v_synth_002: 3 of 5", "d: mma@3: 1", "d: mma@5: 1"},
		},
		"about the run": {[]WarningMessage{w("a", "set 1 px", ""), w("a", "set 2 px", "")}, 3, []string{"set 1 px", "set 2 px"}},
		"too many of a kind": {
			[]WarningMessage{w("a", "q: x", ""), w("a", "r: x", ""), w("a", "s: x", ""), w("b", "y", ""), w("a", "t: x", ""), w("a", "u: x", ""), w("a", "v: x", "")}, 1,
			[]string{"q: x", "r: x", "s: x", "y", "t: x", "2 more of the kind a (--json lists all)"},
		},
	} {
		if got := GroupedWarnings(test.given, test.total); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", what, got, test.want)
		}
	}
}
