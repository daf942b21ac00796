package keypoints

// Intersect pairs the keypoints of two sets of the same image that are mutual
// nearest neighbours in position and at most tolerancePx apart. Of equally near
// keypoints the lowest row counts. It returns the rows in a and in b, pair by
// pair, in a's order: a.Select(rowsA) and b.Select(rowsB) hold the same points
// row by row, each with its own attributes.
//
// Distances are Euclidean and computed in float64 from the stored positions. A
// keypoint whose position is not finite has no partner.
func Intersect(a, b Set, tolerancePx float64) (rowsA, rowsB []int) {
	indexA, indexB := IndexOf(a.Keypoints, tolerancePx), IndexOf(b.Keypoints, tolerancePx)
	for rowA, k := range a.Keypoints {
		rowB, _ := indexB.Nearest(float64(k.X), float64(k.Y))
		if rowB < 0 {
			continue
		}
		partner := b.Keypoints[rowB]
		if back, _ := indexA.Nearest(float64(partner.X), float64(partner.Y)); int(back) == rowA {
			rowsA, rowsB = append(rowsA, rowA), append(rowsB, int(rowB))
		}
	}
	return rowsA, rowsB
}
