package dataset

import (
	"errors"
	"math"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/keypoints"
)

func TestHomographiesAreReadHoweverTheyAreSpacedAndScaled(t *testing.T) {
	// H_1_2 of HPatches' v_churchill, divided by its last element by hand.
	want := keypoints.Homography{
		2.3594 / 1.0004, 0.0026252 / 1.0004, -116.05 / 1.0004,
		0.5085 / 1.0004, 2.302 / 1.0004, -550.96 / 1.0004,
		0.0013826 / 1.0004, 0.0001837 / 1.0004, 1,
	}
	for name, text := range map[string]string{
		"as in HPatches":     "2.3594 0.0026252 -116.05\n0.5085 2.302 -550.96\n0.0013826 0.0001837 1.0004\n",
		"CRLF":               "2.3594 0.0026252 -116.05\r\n0.5085 2.302 -550.96\r\n0.0013826 0.0001837 1.0004\r\n",
		"blanks and tabs":    "  2.3594\t0.0026252   -116.05 \n\t0.5085 2.302 -550.96\t\n 0.0013826 0.0001837 1.0004  \n",
		"exponents":          "23.594e-1 2.6252E-3 -1.1605e+2\n5.085e-1 2.302 -550.96\n1.3826e-3 1.837e-4 1.0004\n",
		"one line":           "2.3594 0.0026252 -116.05 0.5085 2.302 -550.96 0.0013826 0.0001837 1.0004",
		"commas":             "2.3594,0.0026252,-116.05\n0.5085,2.302,-550.96\n0.0013826,0.0001837,1.0004\n",
		"commas and blanks":  "2.3594, 0.0026252 ,-116.05,\n0.5085, 2.302\t, -550.96\n, 0.0013826 0.0001837,1.0004\n",
		"negated and scaled": "-4.7188 -0.0052504 232.1\n-1.017 -4.604 1101.92\n-0.0027652 -0.0003674 -2.0008\n",
	} {
		got, err := parseHomography([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-12*math.Abs(want[i]) {
				t.Errorf("%s: element %d is %v, want %v", name, i+1, got[i], want[i])
			}
		}
	}
}

func TestFaultyHomographiesAreRefusedWithTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "the file is empty, want 9 numbers",
		"\r\n\n":                            "the file is empty, want 9 numbers",
		"1 0 0\n0 1 0\n":                    "line 2: ends after 6 numbers, want 9",
		"1 0 0\n0 1 0\n0 0 1\n0 0 0\n":      `line 4: number 1 is "0", want no more than 9 numbers in the file`,
		"1 0 0\n0 1 0\n0 0 1\n\nend\n":      `line 5: number 1 is "end", want a finite decimal number`,
		"1 0 0\n0 1 0\n0 nan 1\n":           `line 3: number 2 is "nan", want a finite decimal number`,
		"1 0 0\n0 1 0\n0 -Inf 1\n":          `line 3: number 2 is "-Inf", want a finite decimal number`,
		"1 0 0\n0 1e999 0\n0 0 1\n":         `line 2: number 2 is "1e999", want a finite decimal number`,
		"1 0 0\n0 0x1p-2 0\n0 0 1\n":        `line 2: number 2 is "0x1p-2", want a finite decimal number`,
		"1,0 0,0 0,0\n0 1 0\n0 0 1\n":       `line 3: more than 9 numbers, want 9 with decimal points; a comma separates numbers`,
		"1,,0\n0,1,0\n0,0,1\n":              "line 1: no number before a comma",
		",1,0,0\n0,1,0\n0,0,1\n":            "line 1: no number before a comma",
		"1,0,0,\n,0,1,0\n0,0,1\n":           "line 2: no number before a comma",
		"1,0,0\n0,1,0\n0,0,1,\n":            "ends with a comma, want 9 numbers",
		"1 0 " + strings.Repeat("x", 90000): `line 1: number 3 is "` + strings.Repeat("x", 40) + `…", want a finite decimal number`,
	} {
		_, err := parseHomography([]byte(text))
		must.Fail(t, err, want)
	}
	for _, text := range []string{"0 0 0\n0 0 0\n0 0 0\n", "1 2 3\n2 4 6\n0 0 1\n"} {
		if _, err := parseHomography([]byte(text)); !errors.Is(err, keypoints.ErrSingular) {
			t.Errorf("%q: error is %v, want that it is singular", text, err)
		}
	}
}

func FuzzParseHomography(f *testing.F) {
	f.Add([]byte("1 0 0\n0 1 0\n0 0 1\n"))
	f.Add([]byte("0x1p-2 1_0 0\r\n0 1 0\n0 0 -1e-300\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		h, err := parseHomography(text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("the message is not one line: %q", err)
			}
			return
		}
		for _, v := range h {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%q gives %v", text, h)
			}
		}
	})
}
