package y2017

import (
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// A part holds the metrics of the sequences of a scope.
type part struct {
	scope    string
	sequence int    // the only one of a part of one sequence; -1 for other parts
	member   []bool // per sequence
	metrics  map[Task]*scope.List
	items    map[Task]int // numbers of image pairs and queries
	rates    rates        // of verification, mean of the cells so far
}

// newParts returns the part of all sequences, the part of every category that occurs,
// and the parts of single sequences in their order.
func newParts(s *Sequences) []*part {
	scenes := make([]scope.Scene[int], len(s.Names))
	for i, name := range s.Names {
		scenes[i] = scope.Scene[int]{Name: name, Parts: []scope.Part[int]{{Tally: i}}}
	}
	var parts []*part
	for _, of := range scope.Of(scenes) {
		p := &part{scope: of.Name, sequence: -1, member: make([]bool, len(s.Names)), metrics: map[Task]*scope.List{}, items: map[Task]int{}}
		for _, t := range Tasks() {
			p.metrics[t] = &scope.List{}
		}
		for _, i := range of.Tallies() {
			if p.member[i] = true; of.Kind == scope.OneScene {
				p.sequence = i
			}
		}
		if of.Name != scope.Other {
			parts = append(parts, p)
		}
	}
	return parts
}

// add adds a metric over n items, without interval.
func (p *part) add(t Task, name string, v float64, n int) {
	p.metrics[t].Add(p.scope, "patch_"+string(t)+"_"+name, v, n, stats.NoInterval())
}

// addMeans adds the values at the noise levels and their mean; n is the number of items in all three.
func (p *part) addMeans(t Task, name string, v [3]float64, n int) {
	for i, noise := range Noises() {
		p.add(t, name+"_"+noise, v[i], n/3)
	}
	p.add(t, name+"_mean", (v[0]+v[1]+v[2])/3, n)
}

// value returns a metric that was added.
func (p *part) value(t Task, name string) float64 {
	return find(p.metrics[t].Metrics, "patch_"+string(t)+"_"+name).Value
}
