package patches

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"descbench/eval/must"
)

func TestAStripIsAColumnOfPatches(t *testing.T) {
	for _, c := range []struct {
		width, height, want int
		fault               string
	}{
		{65, 65, 1, ""},
		{65, 195, 3, ""},
		{64, 64, 0, "strip.png: 64×64 px, want a width of 65 and a height that is a multiple of it"},
		{65, 100, 0, "strip.png: 65×100 px, want a width of 65 and a height that is a multiple of it"},
	} {
		var b bytes.Buffer
		must.Do(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, c.width, c.height))))
		n, err := StripPatches("strip.png", &b)
		if n != c.want || (err != nil) != (c.fault != "") || err != nil && err.Error() != c.fault {
			t.Errorf("%d×%d: got %d, %v; want %d, %s", c.width, c.height, n, err, c.want, c.fault)
		}
	}
	if _, err := StripPatches("strip.png", strings.NewReader("no image")); err == nil || !strings.HasPrefix(err.Error(), "strip.png: ") {
		t.Errorf("no image: got %v", err)
	}
}
