package fold

import (
	"fmt"
	"slices"
	"strings"

	"descbench/eval"
	"descbench/eval/matching"
)

// doubts collects, for each scene and k, whether some descriptor matches more
// keypoints where the homography puts them than chance does. Pairs that have too few
// keypoints to tell are not in it.
type doubts map[string]map[int32]bool

// note adds the pairs of one scene and descriptor.
func (d doubts) note(pairs []eval.Pair) {
	for i := range pairs {
		p := &pairs[i]
		byChance, judged := matching.ByChance(p)
		if !judged {
			continue
		}
		if d[p.Scene] == nil {
			d[p.Scene] = make(map[int32]bool)
		}
		d[p.Scene][p.K] = d[p.Scene][p.K] || !byChance
	}
}

// warnings returns a warning for each of the scenes with pairs in which every
// descriptor matches like chance, or a single one if those are all pairs.
func (d doubts) warnings(scenes []string) (warnings []eval.Warning) {
	const kind = "doubtful-homography"
	const advice = "check it with 'descbench dataset verify --deep'"
	judged, doubtful := 0, 0
	for _, scene := range scenes {
		var ks []int32
		for k, good := range d[scene] {
			judged++
			if !good {
				ks = append(ks, k)
			}
		}
		if len(ks) == 0 {
			continue
		}
		doubtful += len(ks)
		slices.Sort(ks)
		var files []string
		for _, k := range ks {
			files = append(files, fmt.Sprintf("H_1_%d", k))
		}
		warnings = append(warnings, eval.Warning{Kind: kind, Text: fmt.Sprintf(
			"%s: no descriptor matches more keypoints where %s puts them than chance does (k = %s): a wrong homography or a pair that is too hard; %s",
			scene, strings.Join(files, ", "), strings.Trim(fmt.Sprint(ks), "[]"), advice)})
	}
	if doubtful > 1 && doubtful == judged {
		return []eval.Warning{{Kind: kind, Text: fmt.Sprintf(
			"in all %d pairs, no descriptor matches more keypoints where the homography puts them than chance does: descriptors that do not work or wrong homographies; %s", judged, advice)}}
	}
	return warnings
}
