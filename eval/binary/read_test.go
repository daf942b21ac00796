package binary

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"descbench/eval/must"
)

// distances returns the distances of both classes in the order of the file.
func distances(s *Samples) (positives, negatives []float64) {
	for _, k := range s.positives {
		positives = append(positives, k.Value())
	}
	for _, k := range s.negatives {
		negatives = append(negatives, k.Value())
	}
	return positives, negatives
}

func TestLinesAreReadWithBlanksAndEitherLineEnd(t *testing.T) {
	const text = "1,1\r\n2.5, 0\n +3e-1 ,\t1 \n-0.5,0\n.25,0\n4.,1\n\n \r\n"
	for what, r := range map[string]io.Reader{
		"whole": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text)),
		"without the last line end": strings.NewReader(strings.TrimSpace(text)), "end with the last bytes": iotest.DataErrReader(strings.NewReader(text)),
	} {
		s, err := Read("f", r)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		positives, negatives := distances(s)
		if got := fmt.Sprint(positives, negatives); got != "[1 0.3 4] [2.5 -0.5 0.25]" {
			t.Errorf("%s: got %s", what, got)
		}
	}
}

func TestFaultyLinesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "no lines, want distance,label",
		"\n\n":                               "no lines, want distance,label",
		"1,1\n2\n":                           `line 2: found "2", want distance,label`,
		"1 1\n":                              `line 1: found "1 1", want distance,label`,
		"1,1,0\n":                            `line 1: found "1,1,0", want distance,label`,
		"1,,0\n":                             `line 1: found "1,,0", want distance,label`,
		"1;1\n":                              `line 1: found "1;1", want distance,label`,
		"1,1\n2,2\n":                         `line 2: label "2", want 0 or 1`,
		"1,\n":                               `line 1: label "", want 0 or 1`,
		"1,1.0\n":                            `line 1: label "1.0", want 0 or 1`,
		"1,01\n":                             `line 1: label "01", want 0 or 1`,
		",1\n":                               `line 1: distance "", want a finite number`,
		"distance,label\n":                   "line 1: found a header, want lines of numbers only; remove it",
		"1,1\nnan,0\n":                       `line 2: distance "nan", want a finite number`,
		"1,1\n1,0\n-Inf,0\n":                 `line 3: distance "-Inf", want a finite number`,
		"1e999,0\n":                          `line 1: distance "1e999", want a finite number`,
		"0x1p3,0\n":                          `line 1: distance "0x1p3", want a finite number`,
		"1_0,0\n":                            `line 1: distance "1_0", want a finite number`,
		"1.2.3,0\n":                          `line 1: distance "1.2.3", want a finite number`,
		"1 2,0\n":                            `line 1: distance "1 2", want a finite number`,
		"1e,0\n":                             `line 1: distance "1e", want a finite number`,
		"1e+,0\n":                            `line 1: distance "1e+", want a finite number`,
		".,0\n":                              `line 1: distance ".", want a finite number`,
		"1,1\n\n\n2,0\n":                     "line 2: empty line",
		"\n1,1\n":                            "line 1: empty line",
		"1,1\n\n2\n":                         "line 2: empty line",
		"1,1\n\x00\xff,0\n":                  "line 2: byte 0xff, want ASCII",
		strings.Repeat("x", 50) + ",0\n":     `line 1: distance "` + strings.Repeat("x", 40) + `"..., want a finite number`,
		"1,1\n" + strings.Repeat("1", 1<<26): "line 2: more than 67108864 bytes, want shorter lines",
	} {
		_, err := Read("f", strings.NewReader(text))
		must.Fail(t, err, "f: "+want)
	}
}

func TestLinesWithoutLabelsAreReadToo(t *testing.T) {
	var got []Line
	for line, err := range Lines("f", strings.NewReader("5\n7,1\n\n"), false) {
		must.Do(t, err)
		got = append(got, line)
	}
	if want := []Line{{1, 5, NoLabel}, {2, 7, 1}}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

func TestAFailureOfTheReaderIsPassedOn(t *testing.T) {
	broken := errors.New("broken")
	_, err := Read("f", io.MultiReader(strings.NewReader("1,1\n2,"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || err.Error() != "f: broken" {
		t.Errorf("got %v", err)
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"1,1\n2, 0\r\n\n", "1e5,1\n-.5,0", "nan,1\n", "1,2\n", "\n\n1,1", "0.1234567890123456789,1\n", "1,1,1\n", "1e400,0\n", "+1.e-3 ,\t1\r\n \n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s *Samples
		var err error
		must.BoundMemory(t, len(text), 100, func() { s, err = Read("f", strings.NewReader(text)) })
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f: line ") && !strings.HasPrefix(err.Error(), "f: no lines") || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: error %q", text, err)
			}
			return
		}
		positives, negatives := distances(s)
		if n := strings.Count(strings.TrimSpace(text), "\n") + 1; len(positives)+len(negatives) != n {
			t.Fatalf("%q: %d and %d samples of %d lines", text, len(positives), len(negatives), n)
		}
	})
}
