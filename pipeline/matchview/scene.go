package matchview

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/jpeg"
	"math"

	"golang.org/x/image/draw"

	"descbench/eval/record"
	"descbench/pipeline/dataset"
	"descbench/pipeline/fold"
)

// A ScenePage is what the page of one scene shows. Positions are whole px of the images
// of the data set.
type ScenePage struct {
	Name        string   `json:"-"`
	TolerancePx float64  `json:"tolerance_px"`
	Images      []Image  `json:"images"` // image k at index k-1; empty if NoImages
	NoImages    string   `json:"-"`      // why there are no images
	Systems     []string `json:"systems"`
	Records     []bool   `json:"records"`  // by system: it has records of the scene
	Matchers    []bool   `json:"matchers"` // by system: its matches are imported or judged by epipolar lines, so that Wrong has all that are wrong
	Epipolar    bool     `json:"epipolar"` // matches are judged by epipolar lines
	Depth       bool     `json:"depth"`    // there are Occluded and Unknown queries
	Pairs       []Pair   `json:"pairs"`
}

// An Image is an image of a scene, reduced.
type Image struct {
	Width  int    `json:"width"` // of the original, px
	Height int    `json:"height"`
	URI    string `json:"uri"` // a JPEG as a data URI
}

// A Pair is the pair of image 1 and image K.
type Pair struct {
	K       int     `json:"k"`
	Systems []Shown `json:"systems"` // by system
}

// Shown is what is shown of the matches of one system.
type Shown struct {
	Count   []int    `json:"count"`   // of queries by class: correct, missed, wrong, unmatched, occluded, unknown; empty without records
	AP      *float64 `json:"ap"`      // mean average precision of the pair's processed queries; null without any
	Hit     *float64 `json:"hit"`     // share of the processed queries whose ground truth has rank 1; null without any
	Correct []int    `json:"correct"` // x, y of a query, x, y of its match, and so on
	Missed  []int    `json:"missed"`  // x, y of a query, of its match, and of its ground truth, and so on
	Wrong   []int    `json:"wrong"`   // as Correct
	Lines   []int    `json:"lines"`   // x, y of both ends of the epipolar lines of Wrong in image K; empty if others judge

	Occluded []int `json:"occluded"` // as Correct
	Unknown  []int `json:"unknown"`  // as Correct
}

// Limits of a scene's page, which keep it below about 1.5 MB.
const (
	imageWidth    = 640    // px, at most
	imageQuality  = 75     // of JPEG
	matchesInList = 200    // of a system, pair and class
	matchesInPage = 24_000 // of all systems, pairs and classes
)

// Scene returns what the page of a scene shows. The scenes are in the folder data, with "" where
// the run had them. Systems without records of the scene
// are empty.
func Scene(ctx context.Context, systems []*fold.System, data, name string) (*ScenePage, error) {
	out := &ScenePage{Name: name, Images: []Image{}, TolerancePx: systems[0].Rules.TolerancePx}
	records := make([][]record.Records, len(systems))
	var from *fold.System // one with records
	for i, s := range systems {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.Systems = append(out.Systems, s.Name)
		list, err := s.Records(name)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			records[i] = list
			if from == nil {
				from = s
			}
		}
		out.Records = append(out.Records, len(list) > 0)
		out.Epipolar = out.Epipolar || len(list) > 0 && list[0].Pair.Placeless()
		out.Matchers = append(out.Matchers, len(list) > 0 && (list[0].Pair.Imported != "" || list[0].Pair.Placeless()))
	}
	images := 0
	for _, list := range records {
		for _, r := range list {
			images = max(images, int(r.Pair.K))
		}
	}
	limit := min(matchesInList, max(1, matchesInPage/(3*max(1, images-1)*len(systems))))
	for k := 2; k <= images; k++ {
		p := Pair{K: k}
		for i, s := range systems {
			matches := Shown{}
			for j := range records[i] {
				if r := &records[i][j]; int(r.Pair.K) == k {
					matches = shown(s, *r, limit)
				}
			}
			if n := matches.Count; n != nil {
				out.Depth = out.Depth || n[Occluded]+n[Unknown] > 0
			}
			p.Systems = append(p.Systems, matches)
		}
		out.Pairs = append(out.Pairs, p)
	}
	if from == nil {
		out.NoImages = "no descriptor has records of this scene: all failed, or the run was shared without units"
		return out, nil
	}
	if err := out.addImages(ctx, from, data); err != nil {
		return nil, err
	}
	return out, nil
}

// shown returns what is shown of the system's matches of a pair.
func shown(s *fold.System, r record.Records, limit int) Shown {
	m := byClass(s, r, limit)
	out := Shown{}
	_, out.AP, out.Hit = rates(s, r)
	to := [classes]*[]int{Correct: &out.Correct, Missed: &out.Missed, Wrong: &out.Wrong, Unmatched: new([]int), Occluded: &out.Occluded, Unknown: &out.Unknown}
	cameras, epipolar := camerasOf(&r.Pair)
	for class, sample := range m {
		out.Count = append(out.Count, sample.count)
		for _, q := range sample.queries {
			*to[class] = append(*to[class], px(q.X), px(q.Y), px(q.NearestX), px(q.NearestY))
			if Class(class) == Missed {
				*to[class] = append(*to[class], px(q.TruthX), px(q.TruthY))
			}
			if epipolar && Class(class) == Wrong {
				line, _ := epipolarLine(cameras, float64(q.X), float64(q.Y), r.Pair.WidthK, r.Pair.HeightK)
				for _, end := range line { // of one outside, the same twice
					out.Lines = append(out.Lines, px(float32(end.X)), px(float32(end.Y)))
				}
			}
		}
	}
	return out
}

// rates returns the number of the pair's processed queries, their mean average precision and
// the share whose ground truth has rank 1, nil without any.
func rates(s *fold.System, r record.Records) (n int, ap, hit *float64) {
	sum, first := 0.0, 0.0
	for i := range r.Queries {
		if q := &r.Queries[i]; s.Rules.Processes(q, &r.Pair) {
			rank := rank(s, q)
			n++
			sum += 1 / rank
			if rank <= 1 {
				first++
			}
		}
	}
	if n == 0 {
		return 0, nil, nil
	}
	return n, new(sum / float64(n)), new(first / float64(n))
}

func px(v float32) int { return int(math.Round(float64(v))) }

// addImages adds the images of the scene, or the reason why they cannot be shown.
func (s *ScenePage) addImages(ctx context.Context, from *fold.System, data string) error {
	scene, err := openScene(ctx, from, data, s.Name)
	if err != nil {
		return s.withoutImages(ctx, err)
	}
	for i := range scene.Images {
		if err := ctx.Err(); err != nil {
			return err
		}
		uri, err := reduced(scene, i)
		if err != nil {
			return s.withoutImages(ctx, err)
		}
		s.Images = append(s.Images, Image{scene.Images[i].Width, scene.Images[i].Height, uri})
	}
	return nil
}

// withoutImages leaves out the images because of an error.
func (s *ScenePage) withoutImages(ctx context.Context, err error) error {
	s.Images, s.NoImages = []Image{}, err.Error()
	return ctx.Err()
}

// reduced returns image i of a scene as a data URI, reduced to imageWidth.
func reduced(scene *dataset.Scene, i int) (string, error) {
	picture, err := scene.Picture(i)
	if err != nil {
		return "", err
	}
	var small image.Image = picture
	if size := picture.Bounds().Size(); size.X > imageWidth {
		to := image.NewRGBA(image.Rect(0, 0, imageWidth, max(1, size.Y*imageWidth/size.X)))
		draw.BiLinear.Scale(to, to.Bounds(), picture, picture.Bounds(), draw.Src, nil)
		small = to
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, small, &jpeg.Options{Quality: imageQuality}); err != nil {
		return "", fmt.Errorf("%s, image %d: %w", scene.Name, i+1, err)
	}
	return "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
