package truth

import (
	"math"
	"slices"

	"descbench/keypoints"
)

// Residuals gathers by how much the matches of an image pair are off.
type Residuals struct {
	h          keypoints.Homography
	maxErrorPx float64
	medians    [4][]float64 // of the fields of Residual
}

// NewResiduals returns the residuals of no matches. Those that differ from h by more than
// maxErrorPx are left out.
func NewResiduals(h keypoints.Homography, maxErrorPx float64) *Residuals {
	return &Residuals{h: h, maxErrorPx: maxErrorPx}
}

// Add adds the match of a position in image 1 with one in the other image.
func (r *Residuals) Add(x, y, otherX, otherY float32) {
	u, v := r.h.Apply(float64(x), float64(y))
	u, v = float64(otherX)-u, float64(otherY)-v
	if !(math.Hypot(u, v) <= r.maxErrorPx) {
		return
	}
	a := r.h.LocalAffine(float64(x), float64(y))
	for i, value := range [4]float64{u, v, 1 - a[0][0] - a[0][1], 1 - a[1][0] - a[1][1]} {
		r.medians[i] = append(r.medians[i], value)
	}
}

// A Residual is by how much the matches of an image pair are off: the medians, in px, of the
// matched position minus the projected one.
type Residual struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	// ShareX and ShareY are the medians of (I − A)·(1, 1), where A is the LocalAffine of the
	// homography: if all positions are off by (c, c), matches are off by c times these.
	ShareX float64 `json:"-"`
	ShareY float64 `json:"-"`
}

// leastResiduals is the number of matches from which the median says something: some of them
// agree with the homography by chance.
const leastResiduals = 20

// Median returns the residual; ok is false if too few matches agree with the homography.
func (r *Residuals) Median() (median Residual, ok bool) {
	for i, to := range [4]*float64{&median.X, &median.Y, &median.ShareX, &median.ShareY} {
		if len(r.medians[i]) < leastResiduals {
			return Residual{}, false
		}
		slices.Sort(r.medians[i])
		*to = r.medians[i][len(r.medians[i])/2]
	}
	return median, true
}

// Shift returns the constant in px by which all positions are off in x and in y, estimated by
// least squares from the residuals of pairs, by scene: positive if positions are too far right
// and down. Where no pair scales or turns, a shift changes nothing. ok says that the
// estimate is 3.5 standard errors from 0, and that most scenes that tell, and at least two,
// agree with half of it.
func Shift(scenes [][]Residual) (px float64, ok bool) {
	px, deviation, _ := shift(slices.Concat(scenes...))
	telling, agreeing := 0, 0
	for _, scene := range scenes {
		if own, _, weight := shift(scene); weight >= 0.1 {
			telling++
			if own/px >= 0.5 {
				agreeing++
			}
		}
	}
	return px, math.Abs(px) >= 3.5*deviation && agreeing >= 2 && 2*agreeing > telling
}

// shift returns the estimate with its standard error, and how much the pairs tell.
func shift(pairs []Residual) (px, deviation, weight float64) {
	sum := 0.
	for _, p := range pairs {
		sum += p.X*p.ShareX + p.Y*p.ShareY
		weight += p.ShareX*p.ShareX + p.ShareY*p.ShareY
	}
	px = sum / weight
	for _, p := range pairs {
		x, y := p.X-px*p.ShareX, p.Y-px*p.ShareY
		deviation += x*x + y*y
	}
	return px, math.Sqrt(deviation / (float64(2*len(pairs)-1) * weight)), weight
}
