package keypoints

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A Column is one keypoint attribute as files store it. Exactly one of Real and Int is
// set.
type Column struct {
	Name string
	Real func(*Keypoint) *float32
	Int  func(*Keypoint) *int32

	// allowed reports which finite values are valid in files of other programs.
	// nil allows all.
	allowed func(v float64) bool
	want    string // the allowed values in words
}

// Columns returns the keypoint attributes in column order, position first. All
// code that reads or writes keypoints uses this list.
func Columns() []Column { return columns }

var columns = []Column{
	{Name: "x", Real: func(k *Keypoint) *float32 { return &k.X }},
	{Name: "y", Real: func(k *Keypoint) *float32 { return &k.Y }},
	{Name: "size", Real: func(k *Keypoint) *float32 { return &k.Size },
		allowed: func(v float64) bool { return v >= 0 }, want: "a diameter of at least 0 px"},
	{Name: "angle", Real: func(k *Keypoint) *float32 { return &k.Angle },
		allowed: func(v float64) bool { return v == -1 || v >= 0 && v <= 360 }, want: "0 to 360 degrees, or -1 for no orientation"},
	{Name: "response", Real: func(k *Keypoint) *float32 { return &k.Response }},
	{Name: "octave", Int: func(k *Keypoint) *int32 { return &k.Octave }},
	{Name: "class_id", Int: func(k *Keypoint) *int32 { return &k.ClassID }},
}

// Set stores a value from another program in the keypoint. It fails if the
// value is not finite in float32, is not a whole number for an integer column,
// or is outside the attribute's range.
func (c Column) Set(k *Keypoint, v float64) error {
	switch {
	case c.Int != nil && (v != math.Trunc(v) || v < math.MinInt32 || v > math.MaxInt32): // also NaN
		return fmt.Errorf("%s is %v, want a 32-bit whole number", c.Name, v)
	case c.Real != nil && (math.IsNaN(v) || math.IsInf(float64(float32(v)), 0)):
		return fmt.Errorf("%s is %v, want a finite number", c.Name, v)
	case c.allowed != nil && !c.allowed(v):
		return fmt.Errorf("%s is %v, want %s", c.Name, v, c.want)
	case c.Int != nil:
		*c.Int(k) = int32(v)
	default:
		*c.Real(k) = float32(v)
	}
	return nil
}

// Bytes returns the bytes that digests of a set are computed from: its length,
// then all columns of each keypoint in turn, little-endian. Source is not
// included.
func (s Set) Bytes() []byte {
	b := make([]byte, 0, 8+4*len(columns)*s.Len())
	b = binary.LittleEndian.AppendUint64(b, uint64(s.Len()))
	for i := range s.Keypoints {
		for _, c := range columns {
			if c.Int != nil {
				b = binary.LittleEndian.AppendUint32(b, uint32(*c.Int(&s.Keypoints[i])))
			} else {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(*c.Real(&s.Keypoints[i])))
			}
		}
	}
	return b
}
