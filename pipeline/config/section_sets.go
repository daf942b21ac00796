package config

import (
	"math"

	"go.yaml.in/yaml/v3"

	"descbench/eval/spelling"
	"descbench/keypoints"
	"descbench/pipeline/files/importer"
)

// keypointSet lists the steps in the order in which they apply.
func keypointSet(s *KeypointSet) mapping {
	return mapping{
		fields: []field{
			{key: "name", doc: "Name of the set.", value: text{to: &s.Name, rule: nameRule}, required: "want a name"},
			{key: "label", doc: labelDoc, value: text{to: &s.Label, rule: labelRule}, inert: true},
			{key: "detect", doc: "Detect keypoints in every image.", value: maybe(&s.Detect, Detect{}, detect)},
			{key: "from", doc: "Start from a set that stands before this one, or from a side of an intersection: NAME.a or NAME.b.", value: text{to: &s.From, rule: nameRule}},
			{key: "intersect", doc: "Pair mutual nearest neighbours of two sets that stand before this one. NAME.a and NAME.b name its sides, which stay paired row by row: border, size and response limits apply to both sides; random, spatial and top use side a.", value: maybe(&s.Intersect, Intersect{}, intersect)},
			{key: "import", doc: "Read keypoints from one file per image, .npz or CSV.", value: maybe(&s.Import, Import{Origin: importer.Center}, importing)},
			{key: "border", doc: "Drop keypoints close to the image edge; a plain number is px. A set with detect has a border of 40 px unless it says otherwise; 0 is none.", value: maybe(&s.Border, keypoints.Border{}, border)},
			{key: "min_size", doc: "Drop smaller keypoints, px.", value: maybe(&s.MinSize, 0, number{min: 0, max: math.MaxFloat64}.into)},
			{key: "max_size", doc: "Drop larger keypoints, px.", value: maybe(&s.MaxSize, 0, number{min: 0, max: math.MaxFloat64}.into)},
			{key: "min_response", doc: "Drop keypoints with a lower response, in the detector's units.", value: maybe(&s.MinResponse, 0, number{min: -math.MaxFloat64, max: math.MaxFloat64}.into)},
			{key: "random", doc: "Keep a random sample of the keypoints.", value: maybe(&s.Random, Random{Seed: 1}, random)},
			{key: "spatial", doc: "Keep keypoints at a minimum distance from each other, stronger ones first.", value: maybe(&s.Spatial, Spatial{}, spatial)},
			{key: "top", doc: "Keep the keypoints with the highest values of a measure.", value: maybe(&s.Top, Top{}, top)},
			{key: "project", doc: "Project the keypoints of image 1 to the other images by the homographies.", value: maybe(&s.Project, Project{FromImage: 1, Carry: CarryPosition, Bounds: BoundsOwn}, project)},
		},
		exactlyOne: []string{"detect", "from", "intersect", "import"},
	}
}

func detect(d *Detect) mapping {
	params := func() []keypoints.Param {
		known, _ := keypoints.FindDetector(d.Type)
		return known.Params
	}
	names := spelling.Words(keypoints.Detectors(), func(known keypoints.Detector) string { return known.Name })
	return mapping{variants: &variants{
		doc: "The detector.", typ: &d.Type, names: append(names, commandType),
		start: func() {
			if d.Params, d.Command = keypoints.Defaults(params()), nil; d.Type == commandType {
				d.Command = newCommand()
			}
		},
		rest: func() []field {
			if d.Command != nil {
				return detectorFields(d.Command)
			}
			return paramFields(params(), d.Params)
		},
	}}
}

func intersect(i *Intersect) mapping {
	return mapping{fields: []field{
		{key: "a", doc: "A set, or a side of an intersection.", value: text{to: &i.A, rule: nameRule}, required: "want the name of a keypoint set"},
		{key: "b", doc: "The other set, or a side of an intersection.", value: text{to: &i.B, rule: nameRule}, required: "want the name of a keypoint set"},
		{key: "tolerance_px", doc: "Maximum distance between the keypoints of a pair, px.", value: number{min: 0, max: math.MaxFloat64}.into(&i.TolerancePx), required: "want the maximum distance, in px, between the keypoints of a pair"},
	}}
}

func importing(i *Import) mapping {
	return mapping{fields: append(fileFields(&i.Path, &i.Origin), field{
		key: "default_size", doc: "Size of keypoints whose file has none, px. Every descriptor that is computed from the image needs a size.",
		value: sizeBound(&i.DefaultSize),
	})}
}

func sizeBound(to **float64) codec {
	return maybe(to, 0, number{min: 0, max: math.MaxFloat32, above: true}.into)
}

// fileFields are the keys that locate files with keypoints or descriptors.
func fileFields(path *string, origin *importer.Origin) []field {
	return []field{
		{key: "path", doc: "Path of an image's file; relative to the config file. {root} stands for dataset.root, {scene} for the scene's name, {image} for the name of the image file, with or without its extension (1 and 2 for the images of a pair with the same name).", value: template{path}, required: "want the path of an image's file, with {scene} and {image} in it"},
		{key: "origin", doc: "Part of the first pixel that has the coordinates 0, 0 in the file.", value: oneWord(origin, importer.Center, importer.Corner)},
	}
}

func border(b *keypoints.Border) mapping {
	return mapping{short: "px", fields: []field{
		{key: "px", doc: "Width of the border, px.", value: number{min: 0, max: math.MaxFloat64}.into(&b.Px), required: "want the width of the border in px"},
		{key: "rule", doc: "closed keeps px ≤ x ≤ width - px, half_open keeps px ≤ x < width - px; the same for y.", value: oneWord(&b.Rule, keypoints.Closed, keypoints.HalfOpen)},
	}}
}

func random(r *Random) mapping {
	return mapping{fields: []field{
		{key: "per_image", doc: "Number of keypoints to keep per image.", value: integer{min: 1, max: math.MaxInt32}.into(&r.PerImage), required: "want the number of keypoints to keep per image"},
		{key: "seed", doc: "Seed of the random sample.", value: seed(&r.Seed)},
	}}
}

func spatial(s *Spatial) mapping {
	return mapping{fields: []field{
		{key: "min_distance_px", doc: "Minimum distance between two kept keypoints, px.", value: number{min: 0, max: math.MaxFloat64, above: true}.into(&s.MinDistancePx), required: "want the minimum distance, in px, between two kept keypoints"},
	}}
}

func top(t *Top) mapping {
	return mapping{
		fields: []field{
			{key: "by", doc: "The measure; octave: the octave without the layer.", value: oneWord(&t.By, keypoints.ByResponse, keypoints.BySize, keypoints.ByOctave)},
			{key: "per_image", doc: "Number of keypoints to keep per image.", value: integer{min: 1, max: math.MaxInt32}.into(&t.PerImage)},
			{key: "total", doc: "Number of keypoints to keep in the whole data set.", value: integer{min: 1, max: math.MaxInt32}.into(&t.Total)},
		},
		exactlyOne: []string{"per_image", "total"},
	}
}

func project(p *Project) mapping {
	return mapping{fields: []field{
		{key: "from_image", doc: "The image whose keypoints to project.", value: integer{min: 1, max: 1}.into(&p.FromImage)},
		{key: "carry", doc: "position: keep size, angle and octave; geometry: transform them with the position.", value: oneWord(&p.Carry, CarryPosition, CarryGeometry)},
		{key: "bounds", doc: "Image whose size defines the border of the projected keypoints: own, the target image; image1, the source image. The border itself is that of the set that projects; without one it is the edge of the image, even if the set named in from has a border.", value: oneWord(&p.Bounds, BoundsOwn, BoundsImage1)},
	}}
}

// paramFields returns the fields of a detector's or descriptor's parameters,
// bound to their values in p.
func paramFields(specs []keypoints.Param, p keypoints.Params) []field {
	fields := make([]field, len(specs))
	for i, s := range specs {
		fields[i] = field{key: s.Name, doc: s.Doc}
		switch value := &fields[i].value; s.Kind {
		case keypoints.Int:
			*value = param[int64]{p, s.Name, func(to *int64) codec { return ranged(number{min: s.Min, max: s.Max, whole: true, odd: s.Odd}, to) }}
		case keypoints.Float:
			*value = param[float64]{p, s.Name, number{min: s.Min, max: s.Max}.into}
		case keypoints.Bool:
			*value = param[bool]{p, s.Name, boolean}
		default:
			*value = param[string]{p, s.Name, func(to *string) codec { return oneWord(to, s.Choices...) }}
		}
	}
	return fields
}

// param is a codec for one parameter.
type param[T any] struct {
	in   keypoints.Params
	name string
	item func(*T) codec
}

func (p param[T]) decode(d *decoder, key string, n *yaml.Node) {
	var v T
	before := len(d.faults)
	if p.item(&v).decode(d, key, n); len(d.faults) == before {
		p.in[p.name] = v
	}
}

func (p param[T]) encode(v view) *yaml.Node {
	now, ok := p.in[p.name].(T)
	if !ok {
		return nil
	}
	return p.item(&now).encode(v)
}

func (p param[T]) schema() object { return p.item(new(T)).schema() }
