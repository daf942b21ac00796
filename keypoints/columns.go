package keypoints

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A Column is an attribute of keypoints as files hold it: the units of a run,
// cached detections, keypoint files (there by the tags of Keypoint), CSV and
// NumPy archives. One of Real and Int is set.
type Column struct {
	Name string
	Real func(*Keypoint) *float32
	Int  func(*Keypoint) *int32

	// allowed says which finite numbers a keypoint of another program may have;
	// nil: all.
	allowed func(v float64) bool
	want    string // in words
}

// Columns returns the attributes of a keypoint in the order of columns, position
// first. All that reads or writes keypoints goes by them.
func Columns() []Column { return columns }

var columns = []Column{
	{Name: "x", Real: func(k *Keypoint) *float32 { return &k.X }},
	{Name: "y", Real: func(k *Keypoint) *float32 { return &k.Y }},
	{Name: "size", Real: func(k *Keypoint) *float32 { return &k.Size },
		allowed: func(v float64) bool { return v >= 0 }, want: "no negative number of px"},
	{Name: "angle", Real: func(k *Keypoint) *float32 { return &k.Angle },
		allowed: func(v float64) bool { return v == -1 || v >= 0 && v <= 360 }, want: "0 to 360 degrees, or -1 for none"},
	{Name: "response", Real: func(k *Keypoint) *float32 { return &k.Response }},
	{Name: "octave", Int: func(k *Keypoint) *int32 { return &k.Octave }},
	{Name: "class_id", Int: func(k *Keypoint) *int32 { return &k.ClassID }},
}

// Set stores the value of another program in the keypoint. It fails for numbers
// that are not finite, in float32, not whole, or out of the attribute's range.
func (c Column) Set(k *Keypoint, v float64) error {
	switch {
	case c.Int != nil && (v != math.Trunc(v) || v < math.MinInt32 || v > math.MaxInt32): // also NaN
		return fmt.Errorf("%s is %v, want a whole number of 32 bits", c.Name, v)
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

// Bytes returns what digests of a set are made of: its length, then every column
// of one keypoint after the other, little-endian. Source is not among it.
func (s Set) Bytes() []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(s.Len()))
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
