package matching

import (
	"math"

	"descbench/eval/record"
	"descbench/keypoints"
)

// partnerLimitPx is below which a keypoint can be the partner of another one, and apartLimitPx above
// which it is too far from any.
const (
	partnerLimitPx = 3
	apartLimitPx   = 5
)

// Partner is what Partners returns for a keypoint without one.
const (
	NoPartner      int32 = -1 // no keypoint of the other image is within 5 px of its place
	UnknownPartner int32 = -2 // neither a partner nor none
)

// Partners returns for each keypoint of a in image 1 the row of its partner among b in image K, given
// the places of both in the other image, or NoPartner or UnknownPartner. The distance of two keypoints
// is the larger one of those in image K and in image 1. Two keypoints are partners if each is the
// nearest one of the other, the lower row on ties, and their distance is below 3 px. So does
// gt_matches_from_homography of cvg/glue-factory (commit 103ba71, geometry/gt_generation.py) with
// pos_th 3 and neg_th 5, the limits of its eval/utils.py. Like it, this does not ask whether places
// on a plane are visible, and takes a keypoint whose place is Unknown for neither.
func Partners(a, b []keypoints.Keypoint, there, back []keypoints.Place) []int32 {
	partners := make([]int32, len(a))
	inK := keypoints.IndexOf(b, apartLimitPx)
	rows, errors := make([]int32, len(b)), make([]float64, len(b)) // the nearest keypoint of a of each of b
	for j := range b {
		rows[j], errors[j] = -1, partnerLimitPx
	}
	for i, k := range a {
		partners[i] = NoPartner
		if there[i].State == keypoints.Unknown {
			partners[i] = UnknownPartner
		}
		best := math.Inf(1)
		for _, j := range inK.Within(there[i].X, there[i].Y) {
			if partners[i] == NoPartner {
				partners[i] = UnknownPartner
			}
			px := max(there[i].PixelError(b[j]), back[j].PixelError(k))
			if px < best && px < partnerLimitPx {
				partners[i], best = j, px
			}
			if px < errors[j] {
				rows[j], errors[j] = int32(i), px
			}
		}
	}
	for i, j := range partners {
		if j >= 0 && rows[j] != int32(i) {
			partners[i] = UnknownPartner
		}
	}
	return partners
}

// A partnerCount counts the queries of a pair by their partners.
type partnerCount struct {
	partners int // queries with a partner
	judged   int // matches of queries with a partner or NoPartner
	correct  int // matches with the partner
}

func countPartners(queries []record.Query, matches []int32) (n partnerCount) {
	for i := range queries {
		if queries[i].Partner >= 0 {
			n.partners++
		}
	}
	for _, i := range matches {
		if q := &queries[i]; q.Partner != UnknownPartner {
			n.judged++
			if q.Partner >= 0 && q.Partner == q.Nearest {
				n.correct++
			}
		}
	}
	return n
}
