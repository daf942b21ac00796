package y2017

import (
	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/stats"
)

// A Share is a value from 0 to 1, or NaN if it is undefined.
type Share float64

// A Result holds the metrics of one descriptor.
type Result struct {
	Descriptor  string
	Split       string
	Protocol    Protocol
	Distance    patches.Distance
	PCAPowerLaw bool
	Summary     Summary
	Figures     // over all sequences
	// Illumination and Viewpoint cover the sequences of one category: pairs by the
	// sequence of their first patch, queries by their sequence. They are nil if there
	// are no such sequences.
	Illumination *Figures
	Viewpoint    *Figures
	// Sequences holds the metrics of single sequences, in the order of the split.
	// Differences between descriptors are tested on them.
	Sequences []SequenceFigures
	Facts     []fact.Fact

	intervals map[string]stats.Interval // by metric over all sequences
}

// SequenceFigures holds the metrics of one sequence, over its pairs and queries.
type SequenceFigures struct {
	Name    string
	Patches int // number in each image
	Figures
}

// Figures holds the metrics of the tasks that were run.
type Figures struct {
	Verification *VerificationFigures
	// VerificationMean is the mean of six cells, three noise levels times two kinds
	// of negatives: "patch verification mAP" in the paper.
	VerificationMean *VerificationCell
	Matching         *MatchingFigures
	Retrieval        *RetrievalFigures
}

// VerificationFigures holds the verification metrics of each noise level.
type VerificationFigures struct {
	Easy  VerificationNoise
	Hard  VerificationNoise
	Tough VerificationNoise
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

// VerificationNoise holds one cell per kind of negatives.
type VerificationNoise struct {
	Inter VerificationCell
	Intra VerificationCell
}

// mean returns the mean over both kinds of negatives.
func (v *VerificationNoise) mean() VerificationCell {
	return VerificationCell{
		(v.Inter.BalancedAUC + v.Intra.BalancedAUC) / 2, (v.Inter.ImbalancedAP + v.Intra.ImbalancedAP) / 2,
		v.Inter.BalancedPairs + v.Intra.BalancedPairs, v.Inter.ImbalancedPairs + v.Intra.ImbalancedPairs,
	}
}

// A VerificationCell measures how well distances separate positives from negatives.
type VerificationCell struct {
	BalancedAUC  Share // area under the ROC curve, all pairs
	ImbalancedAP Share // a fifth of the positives, all negatives
	// Numbers of pairs used.
	BalancedPairs   int
	ImbalancedPairs int
}

// A NoiseMean holds a value per noise level and their mean.
type NoiseMean struct {
	Easy  Share
	Hard  Share
	Tough Share
	Mean  Share
}

func newNoiseMean(v [3]Share) NoiseMean {
	return NoiseMean{v[0], v[1], v[2], (v[0] + v[1] + v[2]) / 3}
}

func (m NoiseMean) noises() []Share { return []Share{m.Easy, m.Hard, m.Tough} }

// MatchingFigures holds means over image pairs.
type MatchingFigures struct {
	MAP         NoiseMean
	SuccessRate NoiseMean // share of correct nearest neighbours
	// Balanced is the mean of the MAP of illumination sequences and the MAP of
	// viewpoint sequences, with equal weights. It is nil if either is missing.
	Balanced *NoiseMean
	Pairs    []MatchedPair // by noise level, sequence in split order, image
}

// A MatchedPair is a reference image and another image of its sequence.
type MatchedPair struct {
	Sequence, Noise string
	K               int
	Patches         int
	Correct         int // patches whose nearest neighbour is their counterpart
	AP              float64
}

// RetrievalFigures holds means over queries by noise level and nominal pool size.
type RetrievalFigures struct {
	MAP RetrievalMAP
	// FirstDistractors is the value that the MATLAB code reports by default. Only
	// M17 has it. The pool contains the first 2000 lines of the file, without those
	// of the query's sequence.
	FirstDistractors *NoiseMean
	// Queries[q][n][s] is the average precision of query q at noise level n and pool
	// size s, in the order of PoolSizes.
	Queries [][3][]float64
}

// RetrievalMAP holds mean average precisions by pool size.
type RetrievalMAP struct {
	Easy  map[int]Share
	Hard  map[int]Share
	Tough map[int]Share
	Mean  map[int]Share
}

// at returns the values of one pool size.
func (m RetrievalMAP) at(size int) NoiseMean {
	return NoiseMean{m.Easy[size], m.Hard[size], m.Tough[size], m.Mean[size]}
}
