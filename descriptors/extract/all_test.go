package extract_test

import (
	"testing"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/keypoints"
)

// Rows do not depend on what else is asked for: of several requests at once, each
// gets what it gets alone. Sets overlap, repeat keypoints, and with `pyramid:
// opencv` have octaves by which OpenCV builds other pyramids.
func TestRequestsThatShareGetWhatTheyGetAlone(t *testing.T) {
	img := cornered(320, 240, 5).Image(t)
	var requests []extract.Request
	for _, k := range descriptors.Kinds() {
		all := own(t, img, k.Name)
		var high []keypoints.Keypoint // not of the doubled image
		for _, k := range all {
			if int8(k.Octave) >= 0 {
				high = append(high, k)
			}
		}
		variants := []keypoints.Params{params(t, k.Name, "")}
		if _, ok := variants[0]["pyramid"]; ok {
			variants = append(variants, params(t, k.Name, "pyramid=opencv"), params(t, k.Name, "sigma=1.2"))
		}
		for _, p := range variants {
			for _, kps := range [][]keypoints.Keypoint{
				all, all[:len(all)/2], append(all[len(all)/3:], all[3], all[3], keypoints.Keypoint{X: -9}), high, nil,
			} {
				requests = append(requests, extract.Request{Kind: k.Name, Params: p, Keypoints: kps})
			}
		}
	}
	for i, got := range extract.All(img, requests) {
		r := requests[i]
		want, err := extract.Extract(img, r.Keypoints, r.Kind, r.Params)
		if err != nil || got.Err != nil {
			t.Fatalf("%s: error %v, alone %v", r.Kind, got.Err, err)
		}
		if !equal(got.Rows, want) {
			t.Errorf("%s (%v), %d keypoints: other rows than alone", r.Kind, r.Params, len(r.Keypoints))
		}
		if (got.Time > 0) != (len(r.Keypoints) > 0) {
			t.Errorf("%s, %d keypoints: took %v", r.Kind, len(r.Keypoints), got.Time)
		}
	}
}

// A request that cannot be answered fails alone, even if it shares a call.
func TestAFailureStaysThatOfItsRequest(t *testing.T) {
	img := cornered(320, 240, 5).Image(t)
	kps := own(t, img, "kaze")
	p := params(t, "kaze", "gradients=detector")
	moved := append([]keypoints.Keypoint{}, kps...)
	for i := range moved {
		moved[i].X += 0.37
	}
	answers := extract.All(img, []extract.Request{
		{Kind: "kaze", Params: p, Keypoints: moved}, {Kind: "kaze", Params: p, Keypoints: kps}, {Kind: "nothing"},
	})
	if answers[0].Err == nil || answers[1].Err != nil || answers[2].Err == nil {
		t.Errorf("errors %v, %v, %v, want the second to be nil alone", answers[0].Err, answers[1].Err, answers[2].Err)
	}
}
