package table

import (
	"regexp"
	"strings"
)

// spoken is what captions say instead of keys of configs.
var spoken = []struct {
	key *regexp.Regexp
	by  string
}{
	{regexp.MustCompile(`\bties mean\b`), "equal distances at their mean rank"},
	{regexp.MustCompile(`\bties strict\b`), "equal distances at their best rank"},
	{regexp.MustCompile(`, relevance nearest\b`), ", only the keypoint nearest to the projection is correct"},
	{regexp.MustCompile(`, relevance position\b`), ", all keypoints at the position of the nearest one are correct"},
	{regexp.MustCompile(`\bborder 0 px( closed)?`), "no margin at the edges"},
	{regexp.MustCompile(`\bborder (\S+) px( closed| half_open)?`), "a margin of $1 px at the edges"},
	{regexp.MustCompile(`\btop (\d+) (per image|in total) by (\w+)`), "the $1 of highest $3 $2"},
	{regexp.MustCompile(`\brandom (\d+) (per image|in total), seed \d+`), "$1 random ones $2"},
	{regexp.MustCompile(`\broot: l1\b`), "square roots after L1 normalisation"},
	{regexp.MustCompile(`\broot: none\b`), "no square roots"},
	{regexp.MustCompile(`\bnormalize: none\b`), "not normalised"},
	{regexp.MustCompile(`\btype: `), ""},
}

// detector is a built-in detector in a recipe of keypoints; programs follow "detect by".
var detector = regexp.MustCompile(`\bdetect [a-z]+\b`)

// inWords replaces keys of configs in a caption.
func inWords(caption string) string {
	for _, w := range spoken {
		caption = w.key.ReplaceAllString(caption, w.by)
	}
	return detector.ReplaceAllStringFunc(caption, func(s string) string {
		if s == "detect by" {
			return s
		}
		return strings.ToUpper(strings.TrimPrefix(s, "detect ")) + " detector"
	})
}
