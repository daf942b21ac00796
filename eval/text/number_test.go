package text

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestIndexesAreDigitsAlone(t *testing.T) {
	if n, ok := Index([]byte("0012")); !ok || n != 12 {
		t.Errorf("0012: got %d, %t", n, ok)
	}
	if n, ok := Index([]byte("2147483647")); !ok || n != math.MaxInt32 {
		t.Errorf("2147483647: got %d, %t", n, ok)
	}
	for _, s := range []string{"", "-1", "+1", "1.0", " 1", "2147483648", "99999999999", "x"} {
		if n, ok := Index([]byte(s)); ok {
			t.Errorf("%q was read as %d", s, n)
		}
	}
}

// decimal is the form of a finite number.
var decimal = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

func TestNumbersHaveTheFormsOfPrintf(t *testing.T) {
	check := func(t rapid.TB, s string) {
		want, _ := strconv.ParseFloat(s, 64) // out of range: ±Inf, as here
		got, ok := Number(s, 64)
		if ok != decimal.MatchString(s) || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%q: got %v, %v, want %v", s, got, ok, want)
		}
	}
	for _, s := range []string{
		"0", "-0", "+3", "00255", ".5", "5.", "7.174843e+00", "4.9e-324", "1e400", "-1e400", "0e999999999999999999999",
		"", "-", "+", ".", "e5", "1e", "1e+", "abc", "0x10", "0X1p-2", "-0x1p3", "0b1", "0o7", "1_0", "1,5", "1 2", " 1", "--1", "na", "i", "infi",
	} {
		check(t, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "value")
		form := rapid.SampledFrom([]byte("efgEG")).Draw(t, "form")
		check(t, strconv.FormatFloat(v, form, rapid.IntRange(-1, 25).Draw(t, "digits"), 64))
		check(t, rapid.StringMatching(`[+-]?[0-9]{0,25}[._x]?[0-9]{0,25}([eE][+-]?[0-9]{0,3})?`).Draw(t, "text"))
	})
}

func TestWordsForNumbersThatAreNotFinite(t *testing.T) {
	for s, want := range map[string]float64{"inf": math.Inf(1), "-Inf": math.Inf(-1), "+INFINITY": math.Inf(1)} {
		if got, ok := Number(s, 64); !ok || got != want {
			t.Errorf("%s: got %v, want %v", s, got, want)
		}
	}
	for _, s := range []string{"nan", "NaN", "-nan", "+NAN"} {
		if got, ok := Number(s, 64); !ok || !math.IsNaN(got) {
			t.Errorf("%s: got %v, want NaN", s, got)
		}
	}
}
