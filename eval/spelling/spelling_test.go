package spelling

import (
	"os/exec"
	"strings"
	"testing"
)

func TestTheNearestWordIsSuggested(t *testing.T) {
	words := []string{"sift", "rgbsift", "half_open", "l2", "l1", "viewpoint"}
	for word, want := range map[string]string{
		"sfit": "sift", "SIFT": "sift", "shift": "sift", "rgb-sift": "rgbsift", "rootsift": "rgbsift", "half-open": "half_open", "Half Open": "half_open",
		"l3": "l2", "view": "", "viewpont": "viewpoint", "": "", "illumination": "", strings.Repeat("sift", 100): "",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func TestAWordIsThatOfOtherCapitalLettersIfThereIsOnlyOne(t *testing.T) {
	for word, want := range map[string]string{"SIFT": "sift", "Surf": "SURF", "Orb": "Orb", "orb": "orb", "brisk": "brisk"} {
		if got := As(word, []string{"sift", "SURF", "sift", "orb", "ORB"}); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

// The distances are the textbook examples of Levenshtein's.
func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"kitten", "sitting", 3}, {"saturday", "sunday", 3}, {"flaw", "lawn", 2}, {"", "abc", 3}, {"abc", "abc", 0}, {"", "", 0}} {
		if got, back := distance(c.a, c.b), distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%q, %q: got %d and %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestFewListsAllOrTheFirstAndTheNumberOfTheOthers(t *testing.T) {
	for most, want := range map[int]string{2: "a and 3 more", 3: "a, b and 2 more", 4: "a, b, c, d", 9: "a, b, c, d"} {
		if got := Few([]string{"a", "b", "c", "d"}, most); got != want {
			t.Errorf("at most %d: %q, want %q", most, got, want)
		}
	}
	if got := Few(nil, 3); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

func TestNumbersOfThingsAreASpan(t *testing.T) {
	for want, numbers := range map[string][]int{"1 pair": {1, 1}, "3 to 7 pairs": {5, 3, 7}, "0 to 1 pairs": {1, 0}, "0 pairs": nil} {
		if got := Counts(numbers, "pair"); got != want {
			t.Errorf("%v: %q, want %q", numbers, got, want)
		}
	}
}

func TestOnlyASingleSlipIsOne(t *testing.T) {
	known := []string{"x", "size", "angle", "response", "score"}
	for word, want := range map[string]string{
		"respons": "response", "responses": "response", "angel": "angle", "sise": "size", "scores": "score",
		"scene": "", "y": "", "d0": "", "": "", "nagel": "", "angle": "", "siz": "size", "resp": "",
	} {
		if got := Slip(word, known); got != want {
			t.Errorf("%q: found %q, want %q", word, got, want)
		}
	}
}

func TestAPatternMeansTheNamesItMatches(t *testing.T) {
	names := []string{"sift", "rootsift", "sift-8k", "a/sift", "s*", "net[1]"}
	for word, want := range map[string]string{
		"sift": "sift", "sift*": "sift sift-8k", "*sift": "sift rootsift a/sift", "s*": "s*", "s*t": "sift", "?ift": "sift",
		"net[1]": "net[1]", "[rs]*t": "sift rootsift", "surf*": "", "[": "", "": "",
	} {
		if got := strings.Join(Matching(word, names), " "); got != want {
			t.Errorf("%q means %q, want %q", word, got, want)
		}
	}
}

func TestAWordOfTheShellIsOneLineThatTheShellReadsAsTheText(t *testing.T) {
	for _, text := range []string{"sift", "two words", "it's", "import sys\n\tprint('a\\b', \"$c\")\r", "é\n\x01"} {
		word := Shell(text)
		if got, err := exec.Command("bash", "-c", "printf %s "+word).Output(); err != nil || string(got) != text || strings.ContainsAny(word, "\n\r") {
			t.Errorf("%q: word %q, read as %q, error %v", text, word, got, err)
		}
	}
}
