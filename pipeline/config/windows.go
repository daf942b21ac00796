package config

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"descbench/descriptors"
	"descbench/eval/fact"
)

// A window is the part of the image from which keypoints of a set are described.
type window struct {
	set  string
	size float64 // its side, in keypoint sizes
}

// Windows returns a fact for each keypoint set whose descriptors describe parts of the image
// that differ in size. That may decide more than the descriptor does.
func Windows(list []Descriptor) (out []fact.Fact) {
	var windows []window
	names := make(map[window][]string)
	for _, d := range list {
		kind, _ := descriptors.FindKind(d.Type)
		size := kind.Window(d.Params)
		switch {
		case d.Command != nil && d.Command.Patches != nil:
			size = d.Command.Patches.Magnification
		case size == 0: // unknown
			continue
		}
		if d.Pooling != nil {
			size *= slices.Max(d.Pooling.Scales)
		}
		w := window{d.Keypoints, math.Round(10*size) / 10}
		if names[w] == nil {
			windows = append(windows, w)
		}
		names[w] = append(names[w], d.Name)
	}
	slices.SortStableFunc(windows, func(a, b window) int {
		return cmp.Or(strings.Compare(a.set, b.set), cmp.Compare(b.size, a.size))
	})
	for len(windows) > 0 {
		set := windows[0].set
		n := 0
		f := fact.New(fact.OtherWindows).Of(set)
		var sizes []string
		for ; n < len(windows) && windows[n].set == set; n++ {
			sizes = append(sizes, fmt.Sprint(windows[n].size))
			f = f.Naming(sizes[n], names[windows[n]]...)
		}
		if n > 1 {
			out = append(out, f.Naming("sizes", sizes...))
		}
		windows = windows[n:]
	}
	return out
}
