package table

import (
	"regexp"
	"strings"
)

// rules is what captions say instead of the rules of a protocol.
var rules = strings.NewReplacer(
	"ties mean", "equal distances at their mean rank", "ties strict", "equal distances at their best rank",
	", relevance nearest", ", only the keypoint nearest to the projection is correct",
	", relevance position", ", all keypoints at the position of the nearest one are correct",
	", relevance identity", ", only the projection of the query itself is correct",
)

// spoken is what captions say instead of keys of configs, the last ones those of any other key.
var spoken = []struct {
	key *regexp.Regexp
	by  string
}{
	{regexp.MustCompile(`^(.*, )?detect ([a-z]+)\b`), "$1\x00$2\x00 detector"},
	{regexp.MustCompile(`\bborder 0 px( closed)?`), "no margin at the edges"},
	{regexp.MustCompile(`\bborder (\S+) px( closed| half_open)?`), "a margin of $1 px at the edges"},
	{regexp.MustCompile(`\btop (\d+) (per image|in total) by (\w+)`), "the $1 of highest $3 $2"},
	{regexp.MustCompile(`\brandom (\d+) (per image|in total), seed \d+`), "$1 random ones $2"},
	{regexp.MustCompile(`^root: l1$`), "square roots after L1 normalisation"},
	{regexp.MustCompile(`^root: none$`), "no square roots"},
	{regexp.MustCompile(`^normalize: none$`), "not normalised"},
	{regexp.MustCompile(`^type: `), ""},
	{regexp.MustCompile(`^pooling\.scales: \[([^],]*)\]$`), "window scaled by $1"},
	{regexp.MustCompile(`^pooling\.scales: \[(.*), (.*)\]$`), "pooled over windows scaled by $1 and $2"},
	{regexp.MustCompile(`(=[^ ,)]+) `), "$1, "},
	{regexp.MustCompile(`\b([a-z]+)[._]([a-z]+)[._]([a-z]+)(?:: |=)`), "$1 $2 $3 "},
	{regexp.MustCompile(`\b([a-z]+)[._]([a-z]+)(?:: |=)`), "$1 $2 "},
	{regexp.MustCompile(`\b([a-z]+)(?:: |=)`), "$1 "},
}

// InWords returns a setting, or a recipe of keypoints, with words in place of keys of configs.
func InWords(text string) string {
	const program = "detect by " // and its arguments
	if strings.Contains(text, program) {
		return strings.Replace(text, program, "detected by ", 1)
	}
	for _, w := range spoken {
		text = w.key.ReplaceAllString(text, w.by)
	}
	if before, rest, detector := strings.Cut(text, "\x00"); detector {
		name, after, _ := strings.Cut(rest, "\x00")
		text = before + strings.ToUpper(name) + after
	}
	return text
}

// keyPart is a dot or an underscore in a key or a value of a config, not in a number or the name of a descriptor.
var keyPart = regexp.MustCompile(`(\[[^]]*\]|[a-z])[._]([a-z])`)

// deviationsInWords returns a note with words in place of the keys in its clauses "key: ours a, published b".
func deviationsInWords(note string) string {
	clauses := strings.Split(note, "; ")
	for i, clause := range clauses {
		if strings.Contains(clause, ": ours ") {
			clauses[i] = strings.NewReplacer("{", "", "}", "").Replace(keyPart.ReplaceAllString(clause, "$1 $2"))
		}
	}
	return strings.Join(clauses, "; ")
}
