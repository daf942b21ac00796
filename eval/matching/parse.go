package matching

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseMatcher parses tests joined by +:
//
//	nearest       every query with its nearest neighbour
//	mutual        mutual nearest neighbours only
//	ratio=0.8     a distance ratio of at most 0.8 (0 < ratio ≤ 1)
//	distance=0.5  a descriptor distance of at most 0.5
//	similarity=0.5  a cosine of at least 0.5 (0 < similarity ≤ 1), for rows of length 1
//	top=500       the 500 matches of the smallest distances of each image pair
func ParseMatcher(text string) (Matcher, error) {
	var m Matcher
	for _, test := range strings.Split(text, "+") {
		name, number, given := strings.Cut(test, "=")
		v, err := strconv.ParseFloat(number, 64)
		ok := given && err == nil && v > 0 && !math.IsInf(v, 0)
		switch {
		case name == "nearest" && !given:
		case name == "mutual" && !given:
			m.CrossCheck = true
		case name == "ratio" && ok && v <= 1:
			m.Ratio = v
		case name == "distance" && ok:
			m.MaxDistance = v
		case name == "similarity" && ok && v <= 1:
			m.MinSimilarity = v
		case name == "top" && ok && v == math.Trunc(v) && v <= math.MaxInt32:
			m.TopK = int(v)
		default:
			return Matcher{}, fmt.Errorf("found %q, want nearest, mutual, ratio=R (above 0, at most 1), distance=D, similarity=S (above 0, at most 1), top=N, or several joined by +", text)
		}
	}
	return m, nil
}
