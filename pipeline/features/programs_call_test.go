package features

import (
	"testing"

	"descbench/files/npz"
	"descbench/pipeline/child"
)

// The numbers are those of docs/protocol.md.
func TestAReplyMayHaveWhatItsRequestCanNeed(t *testing.T) {
	image := child.Array{Name: "image0", Array: npz.Of(make([]uint8, 20*30*3), 20, 30, 3)}
	for _, c := range []struct{ n, want int }{{500, 64<<20 + 500*512<<10}, {0, 64<<20 + 2*20*30<<10}} {
		if got := most(c.n, []child.Array{image, image}); got != c.want {
			t.Errorf("%d keypoints: %d bytes, want %d", c.n, got, c.want)
		}
	}
}
