// Package config turns a YAML file into a checked experiment.
//
// It is strict: an unknown key, a wrong type or an impossible value is an
// error that names file, line and key, what was found and what is allowed.
package config

import "descbench/keypoints"

// A Config is one experiment, complete: every default is filled in, every path
// absolute.
type Config struct {
	Experiment   Experiment
	Dataset      Dataset
	KeypointSets []KeypointSet // in the order of the file; From names an earlier or later one
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
// which of them stay. The steps apply in the order of the fields.
type KeypointSet struct {
	Name    string
	Detect  *Detect // this or From
	From    string  // name of the set to start from
	Border  *Border
	Top     *Top
	Project *Project
}

// Detect names a detector and its parameters, complete.
type Detect struct {
	Type   string
	Params keypoints.Params
}

// Border keeps the keypoints at least Px from the image's edge.
type Border struct {
	Px   float64
	Rule string // closed | half_open
}

// Top keeps the first keypoints by a measure, descending.
type Top struct {
	By       string // response
	PerImage int
}

// Project moves the keypoints of one image to the others by the homographies.
type Project struct {
	FromImage int    // 1
	Carry     string // position
	Bounds    string // own | image1
}

// A Descriptor is one column of the comparison.
type Descriptor struct {
	Name      string
	Type      string // a descriptors.Kind
	Keypoints string // name of a keypoint set
	Params    keypoints.Params
	Root      string // none | l1
	Normalize string // l2 | l1 | none
}

// Evaluation says how ranks are judged.
type Evaluation struct {
	TolerancePx float64
	Ties        string // mean | strict | workbench
	Relevance   string // nearest
	Cutoffs     []int  // the K of precision_at_K, ascending
}

// Output says where results go.
type Output struct {
	Root     string // folder of run folders
	Database string // shared SQLite file; "" for none
}
