//go:build matprofile

// gocv counts its matrices only when it is compiled with the tag matprofile:
//
//	GOFLAGS="$GOFLAGS,matprofile" go test -run LeftBehind ./pipeline/estimate

package estimate_test

import (
	"bytes"
	"testing"

	"gocv.io/x/gocv"
)

func TestNoMatrixOfOpenCVIsLeftBehind(t *testing.T) {
	good, moved := matches(truths["tilt"], 50, 0.5, 0.7, 1)
	line, mappedLine := mapped(truths["tilt"], 50, func(i int) (x, y float32) { return float32(i), float32(i) })
	for _, estimator := range names() {
		for name, run := range map[string]func() (ok bool, err error){
			"found": func() (bool, error) { _, ok, err := homography(good, moved, estimator); return ok, err },
			"none there": func() (bool, error) {
				_, ok, err := homography(line, mappedLine, estimator)
				return !ok, err
			},
			"too few": func() (bool, error) {
				_, ok, err := homography(good[:3], moved[:3], estimator)
				return !ok, err
			},
			"wrong input": func() (bool, error) {
				_, _, err := homography(good[:3], moved, estimator)
				return err != nil, nil
			},
		} {
			before := gocv.MatProfile.Count()
			if asExpected, err := run(); !asExpected || err != nil {
				t.Errorf("%s, %s: ended otherwise, error %v", estimator, name, err)
			}
			if left := gocv.MatProfile.Count() - before; left != 0 {
				var where bytes.Buffer
				gocv.MatProfile.WriteTo(&where, 1)
				t.Errorf("%s, %s: %d matrices are left, of these:\n%s", estimator, name, left, &where)
			}
		}
	}
}
