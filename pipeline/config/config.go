// Package config turns a YAML file into a checked experiment.
//
// It is strict: an unknown key, a wrong type or an impossible value is an
// error that names file, line and key, what was found and what is allowed.
package config

import (
	"descbench/descriptors"
	"descbench/descriptors/importer"
	"descbench/eval"
	"descbench/keypoints"
)

// A Config is one experiment, complete: every default is filled in, every path
// absolute.
type Config struct {
	Experiment   Experiment
	Dataset      Dataset
	KeypointSets []KeypointSet // in the order of the file, then those that descriptors of type file bring along
	Descriptors  []Descriptor
	Evaluation   Evaluation
	Output       Output
}

// Experiment names the run.
type Experiment struct {
	Name        string // also the name of the run folder
	Description string
}

// Dataset says which scenes take part.
type Dataset struct {
	Root   string   // folder of scenes in HPatches layout
	Scenes []string // names; empty means all that Subset admits
	Subset string   // all | 108 | viewpoint | illumination
}

// A KeypointSet is a recipe: where the keypoints of an image come from, and
// which of them stay. The steps apply in the order of the fields. Exactly one
// of Detect, From, Intersect and Import says where they come from.
//
// An intersection has two sides, which others refer to as Name.a and Name.b,
// never as Name. Its steps keep the same rows of both: of the pairs both of
// whose keypoints pass Border, the bounds and Project, those that Random, Spatial
// and Top choose by side a.
type KeypointSet struct {
	Name      string
	Detect    *Detect
	From      string // another set, or a side of an intersection
	Intersect *Intersect
	Import    *Import

	Border           *keypoints.Border // what is outside is dropped; nil: the edge of the image
	MinSize, MaxSize *float64          // bounds of the size, px; nil: none
	MinResponse      *float64          // bound of the response, the detector's own measure; nil: none
	Random           *Random
	Spatial          *Spatial
	Top              *Top
	Project          *Project
}

// Detect names a detector and its parameters, complete.
type Detect struct {
	Type   string
	Params keypoints.Params
}

// Intersect pairs the keypoints of two sets that are each other's nearest.
type Intersect struct {
	A, B        string // sets, or sides of intersections
	TolerancePx float64
}

// Import reads keypoints from a file per image, .npz or CSV.
type Import struct {
	// Path is absolute, or begins with {root}, and holds {scene} and {image}:
	// what to put there is the dataset's root, the scene's name, and the name
	// of the image's file, with or without its extension.
	Path   string
	Origin importer.Origin // what of the first pixel (0, 0) is in the file
}

// Random keeps keypoints by lot.
type Random struct {
	PerImage int
	Seed     uint64
}

// Spatial keeps keypoints that are apart, the stronger of two.
type Spatial struct {
	MinDistancePx float64
}

// Top keeps the first keypoints by a measure, descending. One of PerImage and
// Total is 0. Total waits for all images, and is refused with or after a
// projection: a set that projects may be from one that has it.
type Top struct {
	By       keypoints.Measure
	PerImage int // of every image
	Total    int // of the data set
}

// Project moves the keypoints of one image to the others by the homographies.
type Project struct {
	FromImage int // 1
	Carry     Carry
	Bounds    Bounds
}

// Carry says what of a keypoint a projection moves.
type Carry string

// What a projection moves.
const (
	CarryPosition Carry = "position" // size, angle and octave stay
	CarryGeometry Carry = "geometry" // they go through the homography, too
)

// Bounds says of which image the size is that a projection's border applies in.
type Bounds string

// Where a projection's border applies.
const (
	BoundsOwn    Bounds = "own"    // the image moved to
	BoundsImage1 Bounds = "image1" // the image moved from
)

// A Descriptor is one column of the comparison.
type Descriptor struct {
	Name      string
	Type      string // a descriptors.Kind, or fusion, onnx or file
	Keypoints string // a keypoint set or a side of an intersection; "" of a fusion: see Config.SetOf
	Params    keypoints.Params
	Pooling   *Pooling         // nil: none
	Fusion    *Fusion          // of type fusion, else nil
	ONNX      *ONNX            // of type onnx, else nil
	File      *File            // of type file, else nil
	Root      descriptors.Norm // L1: divide rows by it and take the square roots; or NoNorm
	Normalize descriptors.Norm
}

// Pooling describes every keypoint at several domain sizes. Each row is rooted
// and normalised by itself, if asked for, before they become one, to which Root
// and Normalize of the Descriptor apply.
type Pooling struct {
	Scales        []float64             // factors of the keypoint's size
	Weights       descriptors.Weighting // other than uniform with aggregate mean only
	WeightList    []float64             // of each scale, with ListedWeights, else nil
	Aggregate     descriptors.Aggregate // any but Weighted
	FixedOctave   bool                  // scale the window, but look at the image of the keypoint's own octave
	RootEach      descriptors.Norm      // as Descriptor.Root
	NormalizeEach descriptors.Norm
}

// Fusion makes one row of the finished rows of other descriptors: of one
// keypoint set, or of the two sides of one intersection. None is a fusion.
type Fusion struct {
	Of        []string // names of descriptors
	Aggregate descriptors.Aggregate
	Weights   []float64 // of each, with aggregate weighted, else nil
}

// ONNX describes patches by a network.
type ONNX struct {
	Model         string    // path of the file
	InputSize     int       // side of the network's input, px
	Magnification float64   // side of the patch by the keypoint's size
	Channels      string    // gray | bgr | rgb
	Mean, Std     []float64 // the input is (pixel - mean) / std; one number, or one for each channel; nil with Standardize
	Standardize   bool      // use mean and deviation of each patch instead
	Upright       bool      // do not turn the patch by the keypoint's angle
	Batch         int       // patches at a time
}

// File reads descriptors from the files that their keypoints are imported from:
// the set's chain begins with an Import of the same path and origin.
type File struct {
	Path   string // as in Import
	Origin importer.Origin
}

// Evaluation says how ranks are judged, and what else is computed.
type Evaluation struct {
	Preset      string // "" | workbench, which sets Ties, Relevance and both exclusions
	TolerancePx float64
	Ties        eval.TieRule
	Relevance   Relevance
	Cutoffs     []int // the K of precision_at_K, ascending

	ExcludeInvalid  bool    // leave out queries whose descriptor is invalid
	ExcludeBeyondPx float64 // leave out queries projected to |x| or |y| beyond it; 0: none

	FixedGallery   *FixedGallery   // nil: not computed
	Bojanic2019    *Bojanic2019    // nil: not computed
	WorkbenchTasks *WorkbenchTasks // nil: not computed
	Estimators     []string        // of homographies: ransac, magsac; empty: none is estimated
}

// Relevance says which candidates answer a query.
type Relevance string

// The candidates that answer a query.
const (
	NearestRelevant  Relevance = "nearest"  // the ground truth alone
	PositionRelevant Relevance = "position" // all that lie where it does
	IdentityRelevant Relevance = "identity" // the projection of the query itself
)

// FixedGallery ranks every query among its truth and N-1 others.
type FixedGallery struct {
	N    int
	Seed uint64
}

// Bojanic2019 is the protocol bojanic_2019.
type Bojanic2019 struct {
	N           int // keypoints per scene; 0: all
	Repetitions int
	Seed        uint64
}

// WorkbenchTasks are verification and retrieval after DescriptorWorkbench.
type WorkbenchTasks struct {
	DistractorScenes    int
	DistractorsPerScene int
	HardNegatives       string // count | ignore
	Seed                uint64
}

// Output says where results go.
type Output struct {
	Root     string // folder of run folders
	Database string // shared SQLite file; "" for none
}
