package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/patches"
	"descbench/eval/patches/original"
	"descbench/pipeline/patchbench"
)

// A patchClassification is a call of patches classify under way.
type patchClassification struct {
	ctx   context.Context
	flags *commonFlags
	opt   patchesClassifyOptions

	set                  *patches.Set // nil if nothing is computed
	descriptor           string       // empty likewise
	positives, negatives []*original.Results
	mixed                []patchCombination // from files of both classes
	written              []string
}

// A patchCombination is a file of positives with one of negatives, which may be the
// same.
type patchCombination struct {
	descriptor, set      string // set: train, test or empty
	positives, negatives string
	results              string // file of the positives' distances
	classes              *original.Classes
	figures              *original.ClassificationResult
}

func (c *patchClassification) distance() string { return c.opt.used(c.descriptor != "") }

// taskName is the name of a file without folder and extension.
func taskName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// read reads and computes all distances.
func (c *patchClassification) read() error {
	for _, files := range []struct {
		paths []string
		role  original.Role
		list  *[]*original.Results
	}{{c.opt.pos, original.Positives, &c.positives}, {c.opt.neg, original.Negatives, &c.negatives}} {
		for _, path := range files.paths {
			r, err := readPatchResults(path, files.role)
			if err != nil {
				return err
			}
			*files.list = append(*files.list, r)
		}
	}
	switch {
	case c.opt.pairs != nil:
		return c.comparePairs()
	case c.opt.benchmark != "":
		return c.readBenchmark()
	case c.opt.results != "":
		r, err := readPatchResults(c.opt.results, original.AnyLabel)
		if err != nil {
			return err
		}
		return c.divide(r, c.opt.results, c.opt.results)
	}
	return nil
}

func readPatchResults(path string, role original.Role) (*original.Results, error) {
	return parseFile(path, func(name string, r io.Reader) (*original.Results, error) {
		return original.ReadResults(name, r, role)
	})
}

func readPatchPairs(path string, role original.Role) (*original.Pairs, error) {
	return parseFile(path, func(name string, r io.Reader) (*original.Pairs, error) {
		return original.ReadPairs(name, r, role)
	})
}

// compare computes the distances of lists of pairs.
func (c *patchClassification) compare(lists ...*original.Pairs) ([]*original.Results, error) {
	wanted := patches.Wanted{}
	for _, p := range lists {
		p.Want(wanted)
	}
	set, err := c.opt.load(c.ctx, wanted, c.flags.jobs)
	if err != nil {
		return nil, err
	}
	c.set, c.descriptor = set, set.Name
	results := make([]*original.Results, len(lists))
	for i, p := range lists {
		if results[i], err = original.Compare(c.ctx, set, p, patches.Distance(c.opt.distance), c.flags.jobs); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// save writes distances, in the second variant without labels.
func (c *patchClassification) save(r *original.Results, source string) error {
	file := *r
	if c.opt.variant == "v2" {
		file.Label = nil
	}
	path, err := c.opt.save(c.flags, original.Classification, c.descriptor, source, file.Write)
	if err != nil {
		return err
	}
	r.File = path
	c.written = append(c.written, path)
	return nil
}

// comparePairs computes the distances of --pairs, and sorts the files by class.
func (c *patchClassification) comparePairs() error {
	lists := make([]*original.Pairs, len(c.opt.pairs))
	roles := make([]original.Role, len(c.opt.pairs))
	for i, path := range c.opt.pairs {
		var err error
		if lists[i], err = readPatchPairs(path, original.RoleOf(path)); err != nil {
			return err
		}
		if roles[i], err = lists[i].Class(); err != nil {
			return err
		}
	}
	results, err := c.compare(lists...)
	if err != nil {
		return err
	}
	for i, r := range results {
		if err := c.save(r, lists[i].File); err != nil {
			return err
		}
		switch roles[i] {
		case original.Positives:
			c.positives = append(c.positives, r)
		case original.Negatives:
			c.negatives = append(c.negatives, r)
		default:
			if err := c.divide(r, r.File, r.File); err != nil {
				return err
			}
		}
	}
	return nil
}

// readBenchmark reads, or computes, the distances of a benchmark of the second
// variant: one file for its positives and negatives.
func (c *patchClassification) readBenchmark() error {
	positives, negatives, err := original.OpenClassificationBenchmark(c.opt.benchmark)
	if err != nil {
		return err
	}
	all := &original.Pairs{File: c.opt.benchmark, List: slices.Concat(positives.List, negatives.List)}
	var r *original.Results
	if c.opt.results != "" {
		if r, err = readPatchResults(c.opt.results, original.AnyLabel); err != nil {
			return err
		}
		if err := r.Check(all); err != nil {
			return err
		}
	} else {
		parts, err := c.compare(positives, negatives)
		if err != nil {
			return err
		}
		r = &original.Results{
			Distance: slices.Concat(parts[0].Distance, parts[1].Distance),
			Label:    slices.Concat(parts[0].Label, parts[1].Label),
			Sequence: slices.Concat(parts[0].Sequence, parts[1].Sequence),
		}
		if err := c.save(r, c.opt.benchmark); err != nil {
			return err
		}
	}
	r.Label = all.Labels()
	return c.divide(r, positives.File, negatives.File)
}

// divide takes both classes from one file, by --labels where given.
func (c *patchClassification) divide(r *original.Results, positives, negatives string) error {
	var labels []original.Label
	if c.opt.labels != "" {
		var err error
		if labels, err = parseFile(c.opt.labels, original.ReadLabels); err != nil {
			return err
		}
	}
	classes, err := original.Divide(r, labels)
	if err != nil {
		return err
	}
	c.mixed = append(c.mixed, patchCombination{positives: positives, negatives: negatives, results: r.File, classes: classes})
	return nil
}

// saveScores writes the scores of a benchmark of the second variant whose
// distances were computed: the area under the ROC curve is of the balanced
// protocol, the average precision of the imbalanced one.
func (c *patchClassification) saveScores(list []patchCombination) error {
	if c.opt.benchmark == "" || c.opt.results != "" {
		return nil
	}
	f := list[0].figures
	written, err := c.opt.patchSource.saveScores(c.flags, original.Classification, c.descriptor, c.opt.benchmark,
		patchScore{"classif_auc", f.Balanced.AUCHigh}, patchScore{"classif_ap", f.Imbalanced.APStepHigh})
	c.written = append(c.written, written...)
	return err
}

// combine evaluates every combination of positives and negatives of a
// descriptor and a set, negatives first as the benchmark names them.
func (c *patchClassification) combine() ([]patchCombination, error) {
	list := c.mixed
	for i, l := range list {
		var err error
		if list[i].descriptor, err = c.opt.descriptorOf(l.results); err != nil {
			return nil, err
		}
		list[i].set = setOf(l.positives)
	}
	positives, err := c.byOrigin(c.positives)
	if err != nil {
		return nil, err
	}
	negatives, err := c.byOrigin(c.negatives)
	if err != nil {
		return nil, err
	}
	origins := slices.SortedFunc(maps.Keys(positives), patchOrigin.compare)
	others := slices.SortedFunc(maps.Keys(negatives), patchOrigin.compare)
	// Single ones that are only read may lie anywhere.
	if single := len(origins) <= 1 && len(others) <= 1 && c.set == nil; !single && len(origins) > 0 && len(others) > 0 && !slices.Equal(origins, others) {
		return nil, usageError{fmt.Errorf("positives of %s, negatives of %s: want both of the same descriptors and sets", origins, others)}
	}
	for i, origin := range origins {
		if len(others) == 0 {
			break
		}
		for _, n := range negatives[others[i]] {
			for _, p := range positives[origin] {
				classes, err := original.NewClasses(p, n)
				if err != nil {
					return nil, err
				}
				list = append(list, patchCombination{
					descriptor: origin.descriptor, set: origin.set,
					positives: p.File, negatives: n.File, results: p.File, classes: classes,
				})
			}
		}
	}
	for i := range list {
		var err error
		if list[i].figures, err = original.EvaluateClassification(list[i].classes); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// A patchOrigin is what results must share to be combined.
type patchOrigin struct{ descriptor, set string }

func (o patchOrigin) compare(other patchOrigin) int {
	return cmp.Or(strings.Compare(o.descriptor, other.descriptor), strings.Compare(o.set, other.set))
}

func (o patchOrigin) String() string {
	if o.set == "" {
		return o.descriptor
	}
	return o.descriptor + " (" + o.set + ")"
}

func (c *patchClassification) byOrigin(list []*original.Results) (map[patchOrigin][]*original.Results, error) {
	groups := make(map[patchOrigin][]*original.Results)
	for _, r := range list {
		descriptor, err := c.opt.descriptorOf(r.File)
		if err != nil {
			return nil, err
		}
		origin := patchOrigin{descriptor, setOf(r.File)}
		groups[origin] = append(groups[origin], r)
	}
	return groups, nil
}

// setOf returns the set that the name of a file begins with: train or test.
func setOf(path string) string {
	if set, _, found := strings.Cut(taskName(path), "_"); found && (set == "train" || set == "test") {
		return set
	}
	return ""
}

// enter enters the figures of every combination into the database, if one was
// named.
func (c *patchClassification) enter(list []patchCombination) error {
	if c.opt.path == "" {
		return nil
	}
	entries := make([]patchbench.Result, len(list))
	for i, l := range list {
		asked, answered := original.ClassificationDigests(l.classes)
		var err error
		if entries[i], err = c.opt.original2016("classify", l.name(), c.distance(), asked, answered, c.set, l.results); err != nil {
			return err
		}
		if entries[i].Metrics, err = original.ClassificationMetrics(l.classes); err != nil {
			return err
		}
		entries[i].Warnings = l.figures.Warnings
	}
	written, err := c.opt.enter(c.ctx, entries...)
	c.written = append(c.written, written...)
	return err
}

// name is that of both files, or of the one that holds both classes.
func (l patchCombination) name() string {
	if l.positives == l.negatives {
		return taskName(l.positives)
	}
	return taskName(l.positives) + "_" + taskName(l.negatives)
}
