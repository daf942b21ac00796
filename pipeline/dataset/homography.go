package dataset

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"descbench/keypoints"
)

// maxHomographyFile is the maximum size of a homography file, in bytes.
const maxHomographyFile = 1 << 16

func homographyFile(k int) string { return fmt.Sprintf("H_1_%d", k) }

// parseHomography parses a homography in the format of HPatches: three lines of
// three decimal numbers. It accepts blanks around numbers, CRLF line ends and empty
// lines at the end. It normalises the result, because scale and sign are arbitrary in
// the files of other data sets.
func parseHomography(text []byte) (keypoints.Homography, error) {
	var h keypoints.Homography
	lines := strings.Split(string(bytes.TrimRight(text, " \t\r\n")), "\n")
	for i, line := range lines {
		fields := strings.Fields(line)
		if i >= 3 {
			return h, fmt.Errorf("line %d: found %q, want three lines", i+1, shortened(line))
		}
		if len(fields) != 3 {
			return h, fmt.Errorf("line %d: want 3 numbers, found %d", i+1, len(fields))
		}
		for j, field := range fields {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
				return h, fmt.Errorf("line %d: number %d is %q, want a finite number", i+1, j+1, shortened(field))
			}
			if !decimal.MatchString(field) {
				return h, fmt.Errorf("line %d: number %d is %q, want a decimal number", i+1, j+1, shortened(field))
			}
			h[3*i+j] = v
		}
	}
	if len(lines) < 3 {
		return h, fmt.Errorf("want 3 lines of 3 numbers, found %d", len(lines))
	}
	return h.Normalized()
}

// decimal is the notation of numbers. ParseFloat also accepts hexadecimal numbers
// and, with a base prefix, underscores, which other programs read differently.
var decimal = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

// shortened shortens a string to keep an error message on one readable line.
func shortened(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return s
}
