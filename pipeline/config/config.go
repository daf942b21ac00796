// Package config turns a YAML file into a checked experiment.
//
// It is strict: an unknown key, a wrong type or an impossible value is an
// error that names file, line and key, what was found and what is allowed.
package config

import (
	"fmt"
	"math"
	"strings"

	"descbench/descriptors"
	"descbench/eval/distractors"
	"descbench/eval/matching"
	"descbench/eval/ranking"
	"descbench/keypoints"
	"descbench/pipeline/files/importer"
)

// A Config is one complete experiment, with all defaults and absolute paths.
type Config struct {
	Experiment   Experiment
	Dataset      Dataset
	KeypointSets []KeypointSet // in the order of the file, then those that descriptors of type file bring along
	Descriptors  []Descriptor  // also imported matches, which have no rows
	Evaluation   Evaluation
	Output       Output
}

// Experiment names the run.
type Experiment struct {
	Name        string // also the name of the run folder
	Description string
}

// Dataset selects the scenes to evaluate.
type Dataset struct {
	Root   string   // folder of scenes in HPatches layout, or of the images of Pairs
	Pairs  string   // file of a list of pairs of images with their cameras; "": scenes are folders
	Groups string   // file with lines SCENE GROUP, for scenes of one place; "": folders are groups
	Corner bool     // principal points are measured from the corner of the first pixel
	Scenes []string // names; empty means all that Subset admits
	Subset string   // all | 108 | viewpoint | illumination
	Resize *Resize  // nil: images as they are
	// DepthTolerance is the share of a depth by which that of the same point may differ; 0: there is no depth.
	DepthTolerance float64
	// MaxMegapixels is the largest number of pixels of an image, in millions.
	MaxMegapixels int
	Trust         bool // evaluate scenes whose images contradict their homographies
}

// Resize scales every image before anything else, and the homographies with it. One of
// ShortSide, LongSide, Factor and Width with Height is set.
type Resize struct {
	ShortSide, LongSide int     // px
	Factor              float64 // of width and height
	Width, Height       int     // px
	Crop                bool    // with Width and Height: keep the aspect ratio and cut the rest off evenly

	RoundDown     bool   // sizes to whole pixels; else to the nearest
	MultipleOf    int    // px; whole pixels are rounded down to a multiple; 0 and 1: not
	Interpolation string // auto | area | linear | antialias
	Scaled        bool   // coordinates are multiplied by the ratio of the sizes; else the edges of images stay edges
}

// Size returns the size of a scaled image, before Crop, of the given size in pixels.
func (r Resize) Size(width, height int) (int, int) {
	x := r.Factor
	switch {
	case r.ShortSide > 0:
		x = float64(r.ShortSide) / float64(min(width, height))
	case r.LongSide > 0:
		x = float64(r.LongSide) / float64(max(width, height))
	case r.Crop:
		x = max(float64(r.Width)/float64(width), float64(r.Height)/float64(height))
	case r.Width > 0:
		return r.Width, r.Height
	}
	scaled := func(side int) int {
		if r.RoundDown {
			return max(1, int(float64(side)*x))
		}
		return max(1, int(math.Round(float64(side)*x)))
	}
	w, h := scaled(width), scaled(height)
	if side := max(r.ShortSide, r.LongSide); r.RoundDown && side > 0 {
		// As glue-factory rounds: one side is exact, the other the side times the aspect.
		aspect := float64(width) / float64(height)
		if (r.ShortSide > 0) != (aspect < 1) {
			w, h = max(1, int(float64(side)*aspect)), side
		} else {
			w, h = side, max(1, int(float64(side)/aspect))
		}
	}
	if n := r.MultipleOf; n > 0 {
		w, h = max(n, w/n*n), max(n, h/n*n)
	}
	return w, h
}

// String returns the rule in words: "short side 480 px".
func (r Resize) String() string {
	text := fmt.Sprintf("factor %g", r.Factor)
	switch {
	case r.ShortSide > 0:
		text = fmt.Sprintf("short side %d px", r.ShortSide)
	case r.LongSide > 0:
		text = fmt.Sprintf("long side %d px", r.LongSide)
	case r.Width > 0:
		text = fmt.Sprintf("%d×%d px", r.Width, r.Height)
	}
	var further []string
	for _, rule := range []struct {
		applies bool
		text    string
	}{
		{r.Crop, "cropped"}, {r.RoundDown, "rounded down"},
		{r.MultipleOf > 0, fmt.Sprintf("multiples of %d px", r.MultipleOf)}, {r.Interpolation != "auto", r.Interpolation}, {r.Scaled, "scaled coordinates"},
	} {
		if rule.applies {
			further = append(further, rule.text)
		}
	}
	if further != nil {
		text += " (" + strings.Join(further, ", ") + ")"
	}
	return text
}

// A KeypointSet is a recipe: the source of the keypoints of an image, and the
// steps that filter them. The steps apply in the order of the fields. The source
// is exactly one of Detect, From, Intersect and Import.
//
// An intersection has two sides. References use Name.a and Name.b, never Name. Its
// steps keep the same rows of both sides: a pair must pass Border, the bounds and
// Project on both sides; Random, Spatial and Top then select pairs by side a.
type KeypointSet struct {
	Name      string
	Label     string // shown instead of Name; "": none
	Detect    *Detect
	From      string // another set, or a side of an intersection
	Intersect *Intersect
	Import    *Import

	Border           *keypoints.Border // what is outside is dropped; nil, and 0 px closed: none
	MinSize, MaxSize *float64          // bounds of the size, px; nil: none
	MinResponse      *float64          // bound of the response, the detector's own measure; nil: none
	Random           *Random
	Spatial          *Spatial
	Top              *Top
	Project          *Project
}

// Detect is a detector with all its parameters.
type Detect struct {
	Type    string
	Params  keypoints.Params
	Command *Command // of type command, else nil
}

// Intersect pairs mutual nearest neighbours of two sets.
type Intersect struct {
	A, B        string // sets, or sides of intersections
	TolerancePx float64
}

// Import reads keypoints from one file per image, .npz or CSV.
type Import struct {
	// Path is absolute or begins with {root}, and contains {scene} and {image}.
	// The placeholders stand for the dataset's root, the scene's name, and the
	// name of the image file, with or without its extension.
	Path   string
	Origin importer.Origin // what of the first pixel (0, 0) is in the file
	// DefaultSize is the size of keypoints without one, px; nil: none.
	DefaultSize *float64
}

// Random keeps a random sample of the keypoints.
type Random struct {
	PerImage int // of every image
	Seed     uint64
}

// Spatial keeps keypoints at a minimum distance, stronger ones first.
type Spatial struct {
	MinDistancePx float64
}

// Top keeps the keypoints with the highest values of a measure. One of PerImage
// and Total is 0. Total needs the keypoints of all images first. It must come in a
// set before a projection.
type Top struct {
	By       keypoints.Measure
	PerImage int // of every image
	Total    int // of the data set
}

// Project projects the keypoints of one image to the others by the homographies.
type Project struct {
	FromImage int // 1
	Carry     Carry
	Bounds    Bounds
}

// Carry selects the attributes of a keypoint that a projection transforms.
type Carry string

// The values of Carry.
const (
	CarryPosition Carry = "position" // size, angle and octave stay
	CarryGeometry Carry = "geometry" // they go through the homography, too
)

// Bounds selects the image whose size defines the border of a projection.
type Bounds string

// The values of Bounds.
const (
	BoundsOwn    Bounds = "own"    // the image moved to
	BoundsImage1 Bounds = "image1" // the image moved from
)

// A Descriptor is one column of the comparison.
type Descriptor struct {
	Name      string
	Label     string // shown instead of Name; "": none
	Type      string // a descriptors.Kind, or fusion, command, file or matches
	Keypoints string // a keypoint set or a side of an intersection; "" of a fusion: see Config.SetOf; may be "" of matches
	Params    keypoints.Params
	Pooling   *descriptors.Pooling // nil: none; Root and Normalize apply to its result
	Fusion    *Fusion              // of type fusion, else nil
	Command   *Command             // of type command, else nil
	File      *File                // of type file, else nil
	Matches   *Matches             // of type matches, or of type command that matches, which have no rows, else nil
	Root      descriptors.Norm     // L1: divide rows by it and take the square roots; or NoNorm
	Normalize descriptors.Norm
	Matcher   *matching.Matcher // nil: that of the Evaluation
	Variant   *Variant          // nil: not of the section variants
}

// A Variant is the combination of the section variants that gave a descriptor.
type Variant struct {
	Name   string            // the template of its entry
	Matrix map[string]string // of each dimension, the value of its key, or the label of what it sets
}

// MatcherOf returns the matcher of a descriptor. That of imported matches accepts all
// of them by default.
func (c *Config) MatcherOf(d Descriptor) matching.Matcher {
	switch {
	case d.Matcher != nil:
		return *d.Matcher
	case d.Matches != nil:
		return matching.Matcher{}
	case c.Evaluation.Matcher != nil:
		return *c.Evaluation.Matcher
	}
	return matching.Mutual
}

// Fusion combines the final rows of other descriptors, which are not fusions, on
// one keypoint set or on the two sides of one intersection.
type Fusion struct {
	Of        []string // names of descriptors
	Aggregate descriptors.Aggregate
}

// File reads descriptors from the files of their keypoints: the chain of the
// keypoint set starts with an Import of the same path and origin.
type File struct {
	Path     string // as in Import
	Origin   importer.Origin
	Elements importer.Elements // of the rows; "" leaves it to the files
}

// Matches are matches that another program found, one file per image pair. Rows in
// them are those of the descriptor's keypoint set. Without a set they are positions.
type Matches struct {
	Path   string // as in Import, of image K of the pair (1, K); "" of a command
	Origin importer.Origin
}

// Evaluation holds the rules of the evaluation and selects optional metrics.
type Evaluation struct {
	Preset string // "", workbench, which sets Ties, Relevance and the exclusions, or one of Presets
	// Options are those of ranks, whose FixedGallery is not set. ExcludeInvalidTruths has no
	// effect without ExcludeInvalid.
	ranking.Options

	FixedGallery *FixedGallery        // nil: not computed
	Bojanic2019  *distractors.Bojanic // nil: not computed
	// WorkbenchTasks are computed with the TolerancePx of the Evaluation, not with their own, 0; nil: not computed.
	WorkbenchTasks *distractors.Workbench
	// SharedTopK is the number of keypoints of each image of a pair that enter the
	// evaluation: those of the highest response that lie in both images; 0: all keypoints.
	SharedTopK int
	// KeynetRegion says that the region of both images is that of Key.Net's evaluation,
	// whose metrics are then computed, too.
	KeynetRegion bool
	// Matcher is that of descriptors without one of their own; nil: matching.Mutual.
	Matcher    *matching.Matcher
	Estimators []string // of homographies or poses, as matching.ParseEstimator; empty: none is estimated
	// OwnEstimators are the programs of the user among the estimators.
	OwnEstimators []OwnEstimator
	// Draws are the numbers of draws of the estimators' samples, over which metrics are averaged. Poses take longer.
	Draws matching.Draws
}

// Posed reports whether relative poses are estimated: images have cameras.
func (e Evaluation) Posed() bool {
	_, poses := matching.ByKind(e.Estimators)
	return poses != nil
}

// Placeless reports whether relative poses are estimated without depth, so that it is not known where points lie.
func (c *Config) Placeless() bool { return c.Evaluation.Posed() && c.Dataset.DepthTolerance == 0 }

// An OwnEstimator is a program that estimates homographies, as own_homography_NAME, or poses, as
// own_pose_NAME.
type OwnEstimator struct {
	Name    string
	Command Command
}

// FixedGallery ranks every query among its ground truth and N-1 other candidates.
type FixedGallery struct {
	N    int
	Seed uint64
}

// Output holds the places to write results to.
type Output struct {
	Root     string // folder of run folders
	Database string // shared SQLite file; "" for none
}
