package extract

import (
	"fmt"
	"time"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// A Request asks for the raw descriptors of keypoints, as Extract does.
type Request struct {
	Kind      string
	Params    keypoints.Params
	Keypoints []keypoints.Keypoint
}

// An Answer holds what Extract returns for a Request, and the time that it took.
// Requests that share a call to OpenCV are each charged its time per keypoint, for
// all of their keypoints. So the time of a request depends little on its company:
// only in what a call costs before it comes to keypoints.
type Answer struct {
	Rows *descriptors.Matrix
	Time time.Duration
	Err  error
}

// All answers requests for one image, bit for bit as Extract answers each of them.
// Requests that need the same scale space of the same plane share it: it is built
// once, and each of their keypoints is described once.
func All(img detect.Image, requests []Request) []Answer {
	var calls []*call
	named := make(map[string]*call)
	answers := make([]Answer, len(requests))
	shares := make([][]share, len(requests)) // of each request, by part
	for i, r := range requests {
		x, ok := extractors[r.Kind]
		if !ok {
			answers[i].Err = fmt.Errorf("unknown descriptor %q", r.Kind)
			continue
		}
		if err := img.Check(); err != nil {
			answers[i].Err = fmt.Errorf("extract %s: %w", r.Kind, err)
			continue
		}
		for _, p := range x.parts {
			name := p.name + " " + r.Params.String()
			if p.company != nil {
				name += " " + p.company(img, r.Keypoints, r.Params)
			}
			if named[name] == nil {
				named[name] = &call{part: p, params: r.Params, rowOf: make(map[keypoints.Keypoint]int)}
				calls = append(calls, named[name])
			}
			shares[i] = append(shares[i], named[name].share(r.Keypoints, x.turned))
		}
	}
	for _, c := range calls {
		c.run(img)
	}
	for i, r := range requests {
		if answers[i].Err == nil {
			answers[i] = r.answer(img, shares[i])
		}
	}
	return answers
}

// A call computes the rows of a part for the keypoints of all its requests.
type call struct {
	part     part
	params   keypoints.Params
	requests int
	kps      []keypoints.Keypoint       // each once
	rowOf    map[keypoints.Keypoint]int // in kps

	rows *descriptors.Matrix
	took time.Duration
	err  error
}

// A share is what one request has of a call.
type share struct {
	*call
	at []int // the rows of the request's keypoints in the call
}

// share adds the keypoints of a request.
func (c *call) share(kps []keypoints.Keypoint, turned func(keypoints.Keypoint) keypoints.Keypoint) share {
	c.requests++
	s := share{c, make([]int, len(kps))}
	for i, k := range kps {
		if turned != nil {
			k = turned(k)
		}
		row, ok := c.rowOf[k]
		if !ok {
			row = len(c.kps)
			c.rowOf[k], c.kps = row, append(c.kps, k)
		}
		s.at[i] = row
	}
	return s
}

func (c *call) run(img detect.Image) {
	start := time.Now()
	c.rows, c.err = c.part.describe(img, c.kps, c.params)
	c.took = time.Since(start)
}

// answer puts the rows of a request together. If a call failed, perhaps because of
// the keypoints of others, it repeats the request alone.
func (r Request) answer(img detect.Image, shares []share) (a Answer) {
	var parts []*descriptors.Matrix
	for _, s := range shares {
		if s.err != nil && s.requests > 1 {
			return All(img, []Request{r})[0]
		}
		if s.err != nil {
			return Answer{Err: fmt.Errorf("extract %s of %d keypoints: %w", r.Kind, len(r.Keypoints), s.err)}
		}
		parts = append(parts, s.rows.Select(s.at))
		if len(s.at) > 0 {
			a.Time += time.Duration(float64(s.took) * float64(len(s.at)) / float64(len(s.kps)))
		}
	}
	x, err := extractors[r.Kind], error(nil)
	if a.Rows = parts[0]; len(parts) > 1 {
		a.Rows, err = descriptors.Fuse(parts, x.join)
	}
	if err == nil && x.check != nil {
		err = x.check(a.Rows, r.Params)
	}
	if err != nil {
		return Answer{Err: fmt.Errorf("extract %s of %d keypoints: %w", r.Kind, len(r.Keypoints), err)}
	}
	a.Rows.MarkEmpty()
	return a
}
