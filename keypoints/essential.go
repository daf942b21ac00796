package keypoints

// An Essential is the essential matrix of a pose, by row: qᵀ·E·p is 0 if the rays p of the first
// camera and q of the other meet (Hartley, Zisserman: Multiple View Geometry, 2nd edition, section
// 9.6).
type Essential [9]float64

// Essential returns [t]×·R.
func (p Pose) Essential() (e Essential) {
	for c := range 3 {
		for r := range 3 {
			a, b := (r+1)%3, (r+2)%3
			e[3*r+c] = float64(p.T[a]*p.R[3*b+c]) - float64(p.T[b]*p.R[3*a+c])
		}
	}
	return e
}

// Lines returns qᵀ·E·p of the rays p and q with z = 1, and the first two elements of the epipolar
// lines E·p and Eᵀ·q: |qᵀ·E·p| by the length of one is the distance of the ray there from the line.
func (e Essential) Lines(p, q [2]float64) (algebraic float64, ofP, ofQ [2]float64) {
	row := func(at int) float64 {
		return float64(e[at]*p[0]) + float64(e[at+1]*p[1]) + e[at+2]
	}
	column := func(at int) float64 {
		return float64(e[at]*q[0]) + float64(e[at+3]*q[1]) + e[at+6]
	}
	ofP, ofQ = [2]float64{row(0), row(3)}, [2]float64{column(0), column(1)}
	return float64(q[0]*ofP[0]) + float64(q[1]*ofP[1]) + row(6), ofP, ofQ
}
