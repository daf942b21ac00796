package text

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNumbersInEveryStyleOfPrintfAreReadExactly(t *testing.T) {
	for _, s := range []string{
		"0", "-0", "7", "255", "+3", "12345678901234567890", "0.1", ".5", "5.", "-1.5e3", "1E-7", "1e+06", "7.174843e+00",
		"1.000000000000000000e+00", "-3.141592653589793116e+00", "2.225073858507201136e-308", "4.9e-324", "1e400", "-1e400", "1e-400",
		"9007199254740993", "9007199254740992", "1e22", "1e23", "123456789012345678e-5", "0.000000000000000000000000000001",
		"00000000000000000000000000000000000001", "0.12345678901234567890123456789",
	} {
		want, _ := strconv.ParseFloat(s, 64) // out of range: ±Inf, as here
		got, n := Number([]byte(s + ",9"))
		if math.Float64bits(got) != math.Float64bits(want) || n != len(s) {
			t.Errorf("%s: got %v of %d bytes, want %v of %d", s, got, n, want, len(s))
		}
	}
}

func TestAnyFloatThatIsPrintedIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.Float64().Draw(t, "value")
		style := rapid.SampledFrom([]byte("efg")).Draw(t, "style")
		precision := rapid.IntRange(-1, 20).Draw(t, "precision")
		s := strconv.FormatFloat(want, style, precision, 64)
		want, err := strconv.ParseFloat(s, 64)
		if err != nil && !math.IsInf(want, 0) {
			t.Fatal(err)
		}
		got, ok := Float([]byte(s))
		if !ok || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s: got %v, want %v", s, got, want)
		}
	})
}

func TestWordsForNumbersThatAreNotFinite(t *testing.T) {
	for s, want := range map[string]float64{"inf": math.Inf(1), "-Inf": math.Inf(-1), "+INFINITY": math.Inf(1)} {
		if got, ok := Float([]byte(s)); !ok || got != want {
			t.Errorf("%s: got %v, want %v", s, got, want)
		}
	}
	for _, s := range []string{"nan", "NaN", "-nan"} {
		if got, ok := Float([]byte(s)); !ok || !math.IsNaN(got) {
			t.Errorf("%s: got %v, want NaN", s, got)
		}
	}
}

func TestTextThatIsNoNumberIsRefused(t *testing.T) {
	for _, s := range []string{"", "-", ".", "e5", "1e", "1e+", "abc", "0x10", "1_0", "1,5", "1 2", "--1", "na", "+"} {
		if v, ok := Float([]byte(s)); ok {
			t.Errorf("%q was read as %v", s, v)
		}
	}
}

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

func FuzzNumberAgreesWithStrconv(f *testing.F) {
	for _, s := range []string{"1.5e3", "nan", "1e999", "-.5", "12345678901234567890.5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, n := Number([]byte(s))
		if n == 0 {
			return
		}
		if n > len(s) {
			t.Fatalf("%q: %d bytes of %d", s, n, len(s))
		}
		want, err := strconv.ParseFloat(strings.TrimPrefix(s[:n], "+"), 64)
		if math.IsNaN(got) {
			return
		}
		if err != nil && !math.IsInf(want, 0) {
			t.Fatalf("%q: read as %v, strconv: %v", s[:n], got, err)
		}
		if math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%q: got %v, want %v", s[:n], got, want)
		}
	})
}
