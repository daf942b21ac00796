package decimal

import (
	"math"
	"math/rand/v2"
	"regexp"
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
		got, n := Number([]byte(s))
		if n != len(s) || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s: got %v, want %v", s, got, want)
		}
	})
}

func TestASingleIsTheNumberRoundedToFloat32(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 50_000 {
		v := float32(math.Ldexp(r.Float64()-0.5, r.IntN(8)-4))
		near := float64(v)
		if r.IntN(3) > 0 { // near the middle between two float32, where rounding turns
			near = (near + float64(math.Nextafter32(v, 1))) / 2
		}
		near = math.Float64frombits(math.Float64bits(near) + uint64(r.IntN(13)) - 6)
		s := strconv.FormatFloat(near, "ef"[r.IntN(2)], 15+r.IntN(5), 64)
		want, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got, n := Single([]byte(s)); n != len(s) || got != float32(want) {
			t.Fatalf("%s: got %v, want %v", s, got, float32(want))
		}
	}
	for _, s := range []string{"1.000000000000000000e-40", "3.402823669209384634e+38", "9.999999999999999999e+99", "-1234567890123456789e-60", "nan", "-inf"} {
		want, _ := strconv.ParseFloat(s, 64)
		if got, n := Single([]byte(s)); n != len(s) || got != float32(want) && !math.IsNaN(want) {
			t.Errorf("%s: got %v, want %v", s, got, float32(want))
		}
	}
}

func TestWordsForNumbersThatAreNotFinite(t *testing.T) {
	for s, want := range map[string]float64{"inf": math.Inf(1), "-Inf": math.Inf(-1), "+INFINITY": math.Inf(1)} {
		if got, n := Number([]byte(s)); n != len(s) || got != want {
			t.Errorf("%s: got %v, want %v", s, got, want)
		}
	}
	for _, s := range []string{"nan", "NaN", "-nan"} {
		if got, n := Number([]byte(s)); n != len(s) || !math.IsNaN(got) {
			t.Errorf("%s: got %v, want NaN", s, got)
		}
	}
}

func TestTextThatIsNoNumberIsRefused(t *testing.T) {
	for _, s := range []string{"", "-", ".", "e5", "1e", "1e+", "abc", "0x10", "1_0", "1,5", "1 2", "--1", "na", "+"} {
		if v, n := Number([]byte(s)); n > 0 && n == len(s) {
			t.Errorf("%q was read as %v", s, v)
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

// finite is the form that Finite accepts.
var finite = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// slowParse is Finite by a regular expression and strconv.
func slowParse(text string) (float64, bool) {
	if !finite.MatchString(text) {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

func agree(t rapid.TB, text string) {
	want, wantOK := slowParse(text)
	got, ok := Finite([]byte(text))
	if ok != wantOK || ok && math.Float64bits(got) != math.Float64bits(want) {
		t.Fatalf("%q: got %v, %v, want %v, %v", text, got, ok, want, wantOK)
	}
}

func TestNumbersAreRoundedCorrectlyInEveryForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "value")
		form := rapid.SampledFrom([]byte("efgEG")).Draw(t, "form")
		agree(t, strconv.FormatFloat(v, form, rapid.IntRange(-1, 25).Draw(t, "digits"), rapid.SampledFrom([]int{32, 64}).Draw(t, "bits")))
	})
	rapid.Check(t, func(t *rapid.T) {
		agree(t, rapid.StringMatching(`[+-]?[0-9]{0,25}\.?[0-9]{0,25}([eE][+-]?[0-9]{0,3})?`).Draw(t, "text"))
	})
	for _, text := range []string{
		"9007199254740992", "9007199254740993", "9007199254740993e22", "1e22", "1e23", "123456789012345678", "18446744073709551616",
		"36893488147419103232", // 2⁶⁵, which overflows to 0
		"0.1", "1e-22", "1e-23", "5e-324", "2e-324", "1.7976931348623157e308", "1.7976931348623159e308", "0e999999999999999999999",
		"0." + strings.Repeat("0", 400) + "1e401", "0." + strings.Repeat("0", 32761) + "1e99999", strings.Repeat("1", 400), "-0",
	} {
		agree(t, text)
	}
}
