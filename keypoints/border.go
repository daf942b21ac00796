package keypoints

// A BorderRule says whether keypoints exactly on the border line count as
// inside.
type BorderRule uint8

const (
	// Closed keeps b ≤ x ≤ w−b and b ≤ y ≤ h−b.
	Closed BorderRule = iota
	// HalfOpen keeps b ≤ x < w−b and b ≤ y < h−b.
	HalfOpen
)

// String returns the rule's config name.
func (r BorderRule) String() string {
	return [...]string{"closed", "half_open"}[r]
}

// A Border is the image margin where keypoints are not allowed.
type Border struct {
	Px   float64 // width b in pixels
	Rule BorderRule
}

// Contains reports whether (x, y) is inside the border of an image of the given
// size. Non-finite coordinates are never inside.
func (b Border) Contains(x, y float32, width, height int) bool {
	return b.within(float64(x), float64(width)) && b.within(float64(y), float64(height))
}

func (b Border) within(v, size float64) bool {
	if b.Rule == HalfOpen {
		return b.Px <= v && v < size-b.Px
	}
	return b.Px <= v && v <= size-b.Px
}

// RowsInsideBorder returns, in ascending order, the rows of the keypoints
// inside the border of an image of the given size.
func (s Set) RowsInsideBorder(width, height int, border Border) []int {
	return s.rowsWhere(func(k Keypoint) bool { return border.Contains(k.X, k.Y, width, height) })
}
