//go:build matprofile

// gocv counts its matrices only when it is compiled with the tag matprofile:
//
//	GOFLAGS="$GOFLAGS,matprofile" go test -run Matrix ./pipeline/dataset

package dataset

import (
	"testing"

	"gocv.io/x/gocv"
)

func TestNoMatrixOfOpenCVIsLeftBehind(t *testing.T) {
	root := t.TempDir()
	putScene(t, root, "v_x")
	whole := pngOf(picture(31, 20))
	for name, run := range map[string]func() error{
		"verify": func() error { _, _, err := Verify(t.Context(), root, "v_x", maxMegapixels); return err },
		"not an image": func() error {
			if _, err := decode([]byte("garbage"), 700); err == nil {
				t.Error("garbage decodes")
			}
			return nil
		},
		"too large": func() error {
			if _, err := decode(whole, 600); err == nil {
				t.Error("31x20 px pass for 600")
			}
			return nil
		},
	} {
		before := gocv.MatProfile.Count()
		if err := run(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if left := gocv.MatProfile.Count() - before; left != 0 {
			t.Errorf("%s: %d matrices are left", name, left)
		}
	}
}
