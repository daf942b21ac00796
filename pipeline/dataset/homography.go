package dataset

import (
	"errors"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"strings"

	"descbench/eval/text"
	"descbench/keypoints"
	"descbench/pipeline/files"
	"descbench/pipeline/store"
)

// maxHomographyFile is the maximum size of a homography file, in bytes.
const maxHomographyFile = 1 << 16

// parseHomography parses nine decimal numbers, row by row, on any lines, separated by
// blanks or by commas: the format of HPatches, of the Oxford scenes and of what numpy
// and MATLAB write. It normalises the result, because scale and sign are arbitrary in
// the files of other data sets.
func parseHomography(content []byte) (h keypoints.Homography, err error) {
	n, last, comma := 0, 0, 0
	for i, line := range strings.Split(string(content), "\n") {
		inLine := 0
		for _, field := range strings.Fields(strings.ReplaceAll(line, ",", " , ")) {
			if field == "," {
				if comma++; comma > 1 || n == 0 {
					return h, fmt.Errorf("line %d: no number before a comma", i+1)
				}
				continue
			}
			inLine, last, comma = inLine+1, i+1, 0
			v, ok := text.Number(field, 64)
			switch {
			case !ok || math.IsInf(v, 0) || math.IsNaN(v):
				return h, fmt.Errorf("line %d: number %d is %q, want a finite decimal number", i+1, inLine, shortened(field))
			case n == len(h) && strings.Contains(string(content), ",") && !strings.Contains(string(content), "."):
				return h, fmt.Errorf("line %d: more than 9 numbers, want 9 with decimal points; a comma separates numbers", i+1)
			case n == len(h):
				return h, fmt.Errorf("line %d: number %d is %q, want no more than 9 numbers in the file", i+1, inLine, shortened(field))
			}
			h[n] = v
			n++
		}
	}
	switch {
	case n == 0:
		return h, errors.New("the file is empty, want 9 numbers")
	case n < len(h):
		return h, fmt.Errorf("line %d: ends after %d numbers, want 9", last, n)
	case comma > 0:
		return h, errors.New("ends with a comma, want 9 numbers")
	}
	return h.Normalized()
}

// CheckHomographies returns a *store.Fault if the scene has a homography file that cannot be used.
func (r Ref) CheckHomographies() error {
	for _, file := range r.Homographies {
		if file == "" {
			continue
		}
		text, err := files.Read(filepath.Join(r.Dir, file), maxHomographyFile)
		if err == nil {
			_, err = parseHomography(text)
		}
		if err != nil {
			return &store.Fault{Where: path.Join(r.Name, file), Err: files.Reason(err)}
		}
	}
	return nil
}

// shortened shortens a string to keep an error message on one readable line.
func shortened(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return s
}
