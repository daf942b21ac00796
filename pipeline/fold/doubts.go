package fold

import (
	"fmt"
	"slices"
	"strings"

	"descbench/eval/matching"
	"descbench/eval/record"
	"descbench/eval/scope"
)

// doubts collects, for each scene and k, whether some descriptor matches keypoints at
// the positions that the homography predicts more often than by chance. Pairs that have too few
// keypoints to tell are not in it.
type doubts map[string]map[int32]bool

// note adds the pairs of one scene and descriptor.
func (d doubts) note(pairs []record.Pair) {
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

// warnings returns a warning for each scene with pairs in which no descriptor does
// better than chance, or a single warning if those are all pairs.
func (d doubts) warnings(scenes []string) (warnings []scope.Warning) {
	const kind = "doubtful-homography"
	const advice = "'descbench dataset verify --deep' compares homographies with SIFT matches"
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
		var files, numbers []string
		for _, k := range ks {
			files = append(files, fmt.Sprintf("H_1_%d", k))
			numbers = append(numbers, fmt.Sprint(k))
		}
		warnings = append(warnings, scope.Warning{Kind: kind, Text: fmt.Sprintf(
			"%s: %s (k = %s): with every descriptor, keypoints match at the predicted positions no more often than by chance; either these descriptors fail on the images, or too few SIFT matches exist to tell that the homography is wrong; %s",
			scene, strings.Join(files, ", "), strings.Join(numbers, ", "), advice)})
	}
	if doubtful > 1 && doubtful == judged {
		return []scope.Warning{{Kind: kind, Text: fmt.Sprintf(
			"all %d pairs: with every descriptor, keypoints match at the predicted positions no more often than by chance; the descriptors do not work on these images, or there are too few SIFT matches to tell whether the homographies are wrong; %s", judged, advice)}}
	}
	return warnings
}
