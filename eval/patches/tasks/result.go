package tasks

import (
	"encoding/json"
	"math"

	"descbench/eval"
	"descbench/eval/patches"
)

// A Share is a figure from 0 to 1; NaN where it is undefined, which is null in
// JSON.
type Share float64

// MarshalJSON writes full precision.
func (s Share) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(s)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(s))
}

// A Result holds the figures of one descriptor.
type Result struct {
	Descriptor  string           `json:"descriptor"`
	Split       string           `json:"split"`
	Protocol    Protocol         `json:"protocol"`
	Distance    patches.Distance `json:"distance"`
	PCAPowerLaw bool             `json:"pca_power_law"`
	Figures                      // of all sequences
	// Illumination and Viewpoint cover the sequences of one category: pairs
	// by their first patch, queries by their sequence. nil if it has none.
	Illumination *Figures `json:"illumination,omitempty"`
	Viewpoint    *Figures `json:"viewpoint,omitempty"`
	// Sequences are what differences between descriptors are judged by, in the
	// order of the split.
	Sequences []SequenceFigures `json:"-"`
	Warnings  []eval.Warning    `json:"-"`
}

// SequenceFigures are those of one sequence, over its pairs and queries.
type SequenceFigures struct {
	Name    string
	Patches int // of each image
	Figures
}

// Figures are those of the tasks that were run.
type Figures struct {
	Verification *VerificationFigures `json:"verification,omitempty"`
	// VerificationMean is the mean of the six cells, three noise levels by two
	// kinds of negatives: "patch verification mAP" in the article.
	VerificationMean *VerificationCell `json:"verification_mean,omitempty"`
	Matching         *MatchingFigures  `json:"matching,omitempty"`
	Retrieval        *RetrievalFigures `json:"retrieval,omitempty"`
}

// VerificationFigures are those of each noise level.
type VerificationFigures struct {
	Easy  VerificationNoise `json:"e"`
	Hard  VerificationNoise `json:"h"`
	Tough VerificationNoise `json:"t"`
}

func (v *VerificationFigures) noise(n int) *VerificationNoise {
	return [...]*VerificationNoise{&v.Easy, &v.Hard, &v.Tough}[n]
}

func (v *VerificationFigures) mean() *VerificationCell {
	var m VerificationCell
	for n := range Noises() {
		noise := v.noise(n)
		for _, c := range []VerificationCell{noise.Inter, noise.Intra} {
			m.BalancedAUC += c.BalancedAUC / 6
			m.ImbalancedAP += c.ImbalancedAP / 6
			m.BalancedPairs += c.BalancedPairs
			m.ImbalancedPairs += c.ImbalancedPairs
		}
	}
	return &m
}

// VerificationNoise holds a cell per kind of negatives.
type VerificationNoise struct {
	Inter VerificationCell `json:"inter"`
	Intra VerificationCell `json:"intra"`
}

// A VerificationCell is how well positives are told from negatives.
type VerificationCell struct {
	BalancedAUC  Share `json:"balanced_auc"`  // area under the ROC curve, all pairs
	ImbalancedAP Share `json:"imbalanced_ap"` // a fifth of the positives, all negatives
	// The numbers of pairs behind them.
	BalancedPairs   int `json:"-"`
	ImbalancedPairs int `json:"-"`
}

// A NoiseMean is a figure per noise level, and their mean.
type NoiseMean struct {
	Easy  Share `json:"e"`
	Hard  Share `json:"h"`
	Tough Share `json:"t"`
	Mean  Share `json:"mean"`
}

func newNoiseMean(v [3]Share) NoiseMean {
	return NoiseMean{v[0], v[1], v[2], (v[0] + v[1] + v[2]) / 3}
}

// MatchingFigures are means over image pairs.
type MatchingFigures struct {
	MAP         NoiseMean `json:"map"`
	SuccessRate NoiseMean `json:"success_rate"` // right nearest neighbours
	// Balanced is the mean of the MAP of illumination and of viewpoint
	// sequences, which then weigh equally; nil without either.
	Balanced *NoiseMean    `json:"map_balanced,omitempty"`
	Pairs    []MatchedPair `json:"-"` // by noise level, sequence in split order, image
}

// A MatchedPair is a reference image and one of its others.
type MatchedPair struct {
	Sequence, Noise string
	K               int
	Patches         int
	Correct         int // patches whose nearest neighbour is their counterpart
	AP              float64
}

// RetrievalFigures are means over queries, by noise level and nominal pool
// size.
type RetrievalFigures struct {
	MAP RetrievalMAP `json:"map"`
	// FirstDistractors, of M17 only, is what the MATLAB code reports by
	// default: the pool is made of the first 2000 lines of the file, less
	// those of the query's sequence.
	FirstDistractors *NoiseMean `json:"map_first_2000,omitempty"`
	// Queries[q][n][s] is the average precision of a query at a noise level
	// and pool size, as in PoolSizes.
	Queries [][3][]float64 `json:"-"`
}

// RetrievalMAP holds mean average precisions by pool size.
type RetrievalMAP struct {
	Easy  map[int]Share `json:"e"`
	Hard  map[int]Share `json:"h"`
	Tough map[int]Share `json:"t"`
	Mean  map[int]Share `json:"mean"`
}

// at returns the figures of one pool size.
func (m RetrievalMAP) at(size int) NoiseMean {
	return NoiseMean{m.Easy[size], m.Hard[size], m.Tough[size], m.Mean[size]}
}
