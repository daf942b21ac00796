package features

import (
	"fmt"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline/child"
	"descbench/pipeline/files/npz"
)

// Two keypoints at one position differ in their angles only, as SIFT's do.
func TestKeypointsInAReplyThatAreNotThoseSentAreRefused(t *testing.T) {
	sent := keypointsArray("keypoints", []keypoints.Keypoint{{X: 4000.1, Y: 20, Size: 5, Angle: 10}, {X: 4000.1, Y: 20, Size: 5, Angle: 300}, {X: 7, Y: 8, Size: 3, Angle: 0}})
	pixels := child.Array{Name: "image", Array: npz.Of(make([]uint8, 12), 2, 2, 3)}
	const cure = "; want the keypoints that were sent, in their order, or no array keypoints"
	for name, c := range map[string]struct {
		reply npz.Array
		want  string
	}{
		"as sent":            {sent.Array, ""},
		"rounded, positions": {npz.Of([]float32{4000.1005, 20, 4000.1, 20, 7, 8.0005}, 3, 2), ""},
		"of a batch":         {npz.Of([]float32{4000.1, 20, 4000.1, 20, 7, 8}, 1, 3, 2), ""},
		"another order":      {npz.Of([]float32{7, 8, 4000.1, 20, 4000.1, 20}, 3, 2), "keypoints: row 0: x is 7, but 4000.1 was sent" + cure},
		"another orientation": {npz.Of([]float32{4000.1, 20, 5, 300, 4000.1, 20, 5, 10, 7, 8, 3, 0}, 3, 4),
			"keypoints: row 0: angle is 300, but 10 was sent" + cure},
		"fewer": {npz.Of([]float32{4000.1, 20}, 1, 2), "keypoints: shape (1, 2), but (3, 4) was sent" + cure},
	} {
		archive := must.Get(npz.FromArrays(c.reply.Member("keypoints"), pixels.Member("image")))(t)
		if got := strings.TrimPrefix(fmt.Sprint(repeats(archive, []child.Array{pixels, sent})), "<nil>"); got != c.want {
			t.Errorf("%s: got %s\nwant %s", name, got, c.want)
		}
	}
}

// The numbers are those of docs/protocol.md.
func TestAReplyMayHaveWhatItsRequestCanNeed(t *testing.T) {
	image := child.Array{Name: "image0", Array: npz.Of(make([]uint8, 20*30*3), 20, 30, 3)}
	for _, c := range []struct{ n, want int }{{500, 64<<20 + 500*512<<10}, {0, 64<<20 + 2*20*30<<10}} {
		if got := most(c.n, []child.Array{image, image}); got != c.want {
			t.Errorf("%d keypoints: %d bytes, want %d", c.n, got, c.want)
		}
	}
}
