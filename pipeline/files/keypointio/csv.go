package keypointio

import (
	"encoding/csv"
	"io"
	"strconv"

	"descbench/keypoints"
)

// WriteCSV writes the keypoints with all columns (x,y,size,angle,response,
// octave,class_id). A Table of it has the same bits. Source is not written.
func WriteCSV(w io.Writer, set keypoints.Set) error {
	out := csv.NewWriter(w)
	fields := make([]string, len(keypoints.Columns()))
	for i, c := range keypoints.Columns() {
		fields[i] = c.Name
	}
	_ = out.Write(fields) // Error has the first error
	for _, k := range set.Keypoints {
		for i, c := range keypoints.Columns() {
			if c.Int != nil {
				fields[i] = strconv.Itoa(int(*c.Int(&k)))
			} else {
				fields[i] = strconv.FormatFloat(float64(*c.Real(&k)), 'g', -1, 32)
			}
		}
		_ = out.Write(fields)
	}
	out.Flush()
	return out.Error()
}
