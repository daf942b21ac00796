package config

import (
	"math"

	"descbench/descriptors/importer"
	"descbench/keypoints"
)

// keypointSet lists the steps in the order in which they apply.
func (v vocabulary) keypointSet(s *KeypointSet) mapping {
	return mapping{
		fields: []field{
			{key: "name", doc: "Name of the set.", value: text{to: &s.Name, rule: nameRule}, required: "want a name"},
			{key: "detect", doc: "Detect keypoints in every image.", value: optional[Detect]{to: &s.Detect, fresh: zero[Detect], item: v.detect}},
			{key: "from", doc: "Start from another set, or from a side of an intersection, NAME.a or NAME.b.", value: text{to: &s.From, rule: nameRule}},
			{key: "intersect", doc: "Pair the keypoints of two sets that are each other's nearest. Others refer to its sides, NAME.a and NAME.b, which stay paired row by row: what tells keypoints apart asks both, what chooses among them looks at side a.", value: optional[Intersect]{to: &s.Intersect, fresh: zero[Intersect], item: intersect}},
			{key: "import", doc: "Read keypoints from a file per image, .npz or CSV.", value: optional[Import]{to: &s.Import, fresh: newImport, item: importing}},
			{key: "border", doc: "Drop the keypoints too near to the image's edge; a number alone is px.", value: optional[keypoints.Border]{to: &s.Border, fresh: zero[keypoints.Border], item: border}},
			{key: "min_size", doc: "Drop smaller keypoints, px.", value: bound{to: &s.MinSize, each: number{min: 0, max: math.MaxFloat64}}},
			{key: "max_size", doc: "Drop larger keypoints, px.", value: bound{to: &s.MaxSize, each: number{min: 0, max: math.MaxFloat64}}},
			{key: "min_response", doc: "Drop weaker keypoints, by the detector's own measure.", value: bound{to: &s.MinResponse, each: number{min: -math.MaxFloat64, max: math.MaxFloat64}}},
			{key: "random", doc: "Keep keypoints by lot.", value: optional[Random]{to: &s.Random, fresh: newRandom, item: random}},
			{key: "spatial", doc: "Keep keypoints that are apart, the stronger of two.", value: optional[Spatial]{to: &s.Spatial, fresh: zero[Spatial], item: spatial}},
			{key: "top", doc: "Keep the first keypoints by a measure, descending.", value: optional[Top]{to: &s.Top, fresh: zero[Top], item: top}},
			{key: "project", doc: "Move the keypoints of image 1 to the others by the homographies.", value: optional[Project]{to: &s.Project, fresh: newProject, item: project}},
		},
		exactlyOne: []string{"detect", "from", "intersect", "import"},
	}
}

func (v vocabulary) detect(d *Detect) mapping {
	specs := func() []keypoints.Param {
		for _, k := range v.detectors {
			if k.Name == d.Type {
				return k.Params
			}
		}
		return nil
	}
	var names []string
	for _, k := range v.detectors {
		names = append(names, k.Name)
	}
	return mapping{variants: &variants{
		doc: "The detector.", typ: &d.Type, names: names,
		start: func() { d.Params = keypoints.Defaults(specs()) },
		rest:  func() []field { return paramFields(specs(), d.Params) },
	}}
}

func intersect(i *Intersect) mapping {
	return mapping{fields: []field{
		{key: "a", doc: "A set, or a side of an intersection.", value: text{to: &i.A, rule: nameRule}, required: "want the name of a keypoint set"},
		{key: "b", doc: "Another one.", value: text{to: &i.B, rule: nameRule}, required: "want the name of a keypoint set"},
		{key: "tolerance_px", doc: "Largest distance of two keypoints that are one point.", value: number{to: &i.TolerancePx, min: 0, max: math.MaxFloat64}, required: "want the largest distance, in px, of two keypoints that are one point"},
	}}
}

func newImport() Import { return Import{Origin: importer.Center} }

func importing(i *Import) mapping { return mapping{fields: fileFields(&i.Path, &i.Origin)} }

// fileFields say where files with the keypoints or descriptors of an image are.
func fileFields(path *string, origin *importer.Origin) []field {
	return []field{
		{key: "path", doc: "Path of the file of an image; relative to the config file. {root} stands for dataset.root, {scene} for the scene's name, {image} for the name of the image's file, with or without its extension, {method} for the name that stands here.", value: template{to: path}, required: "want the path of an image's file, with {scene} and {image} in it"},
		{key: "origin", doc: "What of the first pixel has the coordinates 0, 0 in the file.", value: oneWord(origin, importer.Center, importer.Corner)},
	}
}

func border(b *keypoints.Border) mapping {
	return mapping{short: "px", fields: []field{
		{key: "px", doc: "Width of the border.", value: number{to: &b.Px, min: 0, max: math.MaxFloat64}, required: "want the width of the border in px"},
		{key: "rule", doc: "closed keeps px ≤ x ≤ width - px, half_open px ≤ x < width - px; y likewise.", value: oneWord(&b.Rule, keypoints.Closed, keypoints.HalfOpen)},
	}}
}

func newRandom() Random { return Random{Seed: 1} }

func random(r *Random) mapping {
	return mapping{fields: []field{
		{key: "per_image", doc: "How many to keep of every image.", value: integer{to: &r.PerImage, min: 1, max: math.MaxInt32}, required: "want how many keypoints to keep of every image"},
		{key: "seed", doc: "Seed of the choice.", value: seed{to: &r.Seed}},
	}}
}

func spatial(s *Spatial) mapping {
	return mapping{fields: []field{
		{key: "min_distance_px", doc: "Least distance of two keypoints that both stay.", value: number{to: &s.MinDistancePx, min: 0, max: math.MaxFloat64, above: true}, required: "want the least distance, in px, of two keypoints that both stay"},
	}}
}

func top(t *Top) mapping {
	return mapping{
		fields: []field{
			{key: "by", doc: "The measure; octave, its level alone.", value: oneWord(&t.By, keypoints.ByResponse, keypoints.BySize, keypoints.ByOctave)},
			{key: "per_image", doc: "How many to keep of every image.", value: integer{to: &t.PerImage, min: 1, max: math.MaxInt32, optional: true}},
			{key: "total", doc: "How many to keep of the whole data set.", value: integer{to: &t.Total, min: 1, max: math.MaxInt32, optional: true}},
		},
		exactlyOne: []string{"per_image", "total"},
	}
}

func newProject() Project { return Project{FromImage: 1, Carry: CarryPosition, Bounds: BoundsOwn} }

func project(p *Project) mapping {
	return mapping{fields: []field{
		{key: "from_image", doc: "The image whose keypoints move.", value: integer{to: &p.FromImage, min: 1, max: 1}},
		{key: "carry", doc: "position: size, angle and octave stay as they are; geometry: they move with the position.", value: oneWord(&p.Carry, CarryPosition, CarryGeometry)},
		{key: "bounds", doc: "The border applies in an image of this size: own, the image moved to; image1, that moved from.", value: oneWord(&p.Bounds, BoundsOwn, BoundsImage1)},
	}}
}
