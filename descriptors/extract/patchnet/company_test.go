package patchnet_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"descbench/descriptors/extract/patchnet"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// hardNet is a model of HardNet's architecture (Mishchuk et al., NIPS 2017, figure 3)
// with random weights: six convolutions of 3×3, then one of 8×8 over what is left of
// 32×32 grey pixels. Its batch normalisations are part of the weights.
func hardNet(batch int) []byte {
	r := rand.New(rand.NewPCG(3, 4))
	var g graph
	from := "patches"
	for i, c := range []struct{ in, out, side, stride, pad int }{
		{1, 32, 3, 1, 1}, {32, 32, 3, 1, 1}, {32, 64, 3, 2, 1}, {64, 64, 3, 1, 1},
		{64, 128, 3, 2, 1}, {128, 128, 3, 1, 1}, {128, 128, 8, 1, 0},
	} {
		w, b := make([]float32, c.out*c.in*c.side*c.side), make([]float32, c.out)
		for j := range w {
			w[j] = float32(r.NormFloat64()) / float32(c.side*c.side) / 4
		}
		for j := range b {
			b[j] = float32(r.NormFloat64()) / 8
		}
		weights, bias, to := fmt.Sprint("w", i), fmt.Sprint("b", i), fmt.Sprint("conv", i)
		g.initializers = append(g.initializers, tensor(weights, w, c.out, c.in, c.side, c.side), tensor(bias, b, c.out))
		p, s := int64(c.pad), int64(c.stride)
		g.nodes = append(g.nodes, node("Conv", []string{from, weights, bias}, to,
			intsAttribute("kernel_shape", int64(c.side), int64(c.side)), intsAttribute("strides", s, s), intsAttribute("pads", p, p, p, p)))
		if from = to; c.pad > 0 {
			from = fmt.Sprint("relu", i)
			g.nodes = append(g.nodes, node("Relu", []string{to}, from))
		}
	}
	g.nodes = append(g.nodes, node("Flatten", []string{from}, "rows", intAttribute("axis", 1)))
	g.inputs, g.outputs = []message{value("patches", batch, 1, 32, 32)}, []message{value("rows", batch, 128)}
	return g.model()
}

// Which patches share a batch, and where in it a patch stands, does not change a bit
// of its row.
func TestARowIsTheSameInEveryCompany(t *testing.T) {
	img := detecttest.Textured(160, 120, 1).Image(t)
	kps := scattered(40, 160, 120)
	for name, model := range map[string]func(batch int) []byte{"HardNet": hardNet, "small": newSmall(1, 32, 32, 128).model} {
		for _, declared := range []int{0, 16} {
			o := patchnet.DefaultOptions()
			o.Batch = 16
			n := mustLoad(t, model(declared), o)
			together := mustDescribe(t, n, img, kps...)
			each, err := n.DescribeEach(len(kps), func(int) (detect.Image, error) {
				return detect.Image{BGR: img.BGR.Clone(), Gray: img.Gray.Clone()}, nil
			}, kps)
			if err != nil || !equal(each, together) {
				t.Errorf("%s, batch %d: other rows from 40 images than from one, error %v", name, declared, err)
			}
			backwards := slices.Clone(kps)
			slices.Reverse(backwards)
			reversed := mustDescribe(t, n, img, backwards...)
			for i, k := range kps[:20] {
				if !equal(reversed.Select([]int{len(kps) - 1 - i}), together.Select([]int{i})) {
					t.Errorf("%s, batch %d: keypoint %d has another row in reverse", name, declared, i)
				}
				if alone := mustDescribe(t, n, img, k); !equal(alone, together.Select([]int{i})) {
					t.Errorf("%s, batch %d: keypoint %d has another row alone", name, declared, i)
				}
			}
		}
	}
}
