package compare

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
)

// members returns the descriptors that d averages, else d.
func (d *Descriptor) members() []*Descriptor {
	if d.averaged != nil {
		return d.averaged
	}
	return []*Descriptor{d}
}

// An ablation compares the values of a factor, each with the mean over the combinations of all
// other factors.
type ablation struct {
	values []*Descriptor // the baseline first
	over   string        // over what they are means; "": over nothing
	left   []fact.Fact   // which descriptors are left out
}

// ablate averages descriptors by the values of a factor of the section variants. A combination that
// a value lacks, or has without results, is left out for all values. The baseline is a value, "" for the first.
func ablate(all []*Descriptor, factor, baseline string, metric *catalogue.Metric) (*ablation, error) {
	refuse := func(format string, args ...any) (*ablation, error) {
		return nil, &config.Error{File: "--factor " + factor, Msg: fmt.Sprintf(format, args...)}
	}
	var labels, combinations, factors, without []string
	table := make(map[string]map[string]*Descriptor) // by combination and label
	for _, d := range all {
		v := d.config().Named(d.System.Descriptor).Variant
		if v == nil {
			without = append(without, d.Name)
			continue
		}
		factors = slices.AppendSeq(factors, maps.Keys(v.Matrix))
		label, has := v.Matrix[factor]
		if !has {
			without = append(without, d.Name)
			continue
		}
		if differs := protocolDifferences(all[0].config(), d.config(), metric); len(differs) > 0 {
			return refuse("found another protocol in %s than in %s (%s), want one", d.System.Run.Folder, all[0].System.Run.Folder, strings.Join(spelling.Words(differs, config.Change.String), ", "))
		}
		others := maps.Clone(v.Matrix)
		delete(others, factor)
		of := fmt.Sprint(v.Name, others)
		switch {
		case table[of] == nil:
			combinations, table[of] = append(combinations, of), make(map[string]*Descriptor)
		case table[of][label] != nil:
			return refuse("found the same combination in %s and %s, want one of them: --only", table[of][label].Name, d.Name)
		}
		if table[of][label] = d; !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	slices.Sort(factors)
	factors = slices.Compact(factors)
	name := func(label string) string { return factor + "=" + cmp.Or(label, "none") }
	switch {
	case factors == nil:
		return refuse("no descriptor is from a matrix, want a run of a config with variants, as docs/config.md shows; rerun older runs to add it")
	case labels == nil:
		return refuse("no such factor%s, want one of %s", spelling.Hint(factor, factors), strings.Join(factors, ", "))
	case len(labels) == 1:
		return refuse("found only %s, want at least two values", name(labels[0]))
	}
	if baseline != "" {
		i := slices.IndexFunc(labels, func(label string) bool { return baseline == cmp.Or(label, "none") || baseline == name(label) })
		if i < 0 {
			return nil, &config.Error{File: "--baseline " + baseline, Msg: "no such value of the factor, want one of " + strings.Join(spelling.Words(labels, name), ", ")}
		}
		label := labels[i]
		labels = slices.Insert(slices.Delete(labels, i, i+1), 0, label)
	}
	a := &ablation{}
	for _, label := range labels {
		a.values = append(a.values, &Descriptor{Name: name(label)})
	}
	var left spelling.Groups
	for _, of := range combinations {
		var there, missing []string
		for _, label := range labels {
			if d := table[of][label]; d == nil {
				missing = append(missing, name(label))
			} else if len(d.defined()) == 0 {
				missing = append(missing, d.Name)
			} else {
				there = append(there, d.Name)
			}
		}
		for i, label := range labels {
			if missing == nil {
				a.values[i].averaged = append(a.values[i].averaged, table[of][label])
			}
		}
		if missing != nil && there != nil {
			left.Add(strings.Join(missing, ", "), strings.Join(there, ", "))
		}
	}
	n := len(a.values[0].averaged)
	if n == 0 {
		return refuse("no combination of the other factors has results with each of %s", strings.Join(spelling.Words(labels, name), ", "))
	}
	for _, missing := range left.Texts {
		a.left = append(a.left, fact.New(fact.Unpaired).Naming("out", left.Of[missing]...).Naming("missing", missing))
	}
	if without != nil {
		a.left = append(a.left, fact.New(fact.Unpaired).Naming("out", without...).Naming("factor", factor))
	}
	if n > 1 {
		a.over = fmt.Sprintf("Each value is the mean over %d combinations of the other factors", n)
		if others := slices.DeleteFunc(factors, func(other string) bool { return other == factor }); len(others) > 0 {
			a.over += " (" + strings.Join(others, ", ") + ")"
		}
	}
	for _, d := range a.values {
		d.average()
	}
	return a, nil
}

// average sets what is compared of a descriptor that averages others: in the scenes of all of
// them, their means.
func (d *Descriptor) average() {
	first, n := d.averaged[0], float64(len(d.averaged))
	d.System, d.Resized, d.Pooled, d.Scenes = first.System, first.Resized, math.NaN(), make(map[string]SceneValue)
	shared := make(map[string]int)
	for _, m := range d.averaged {
		d.Coverage, d.Gallery, d.Matches = d.Coverage+m.Coverage/n, d.Gallery+m.Gallery/n, d.Matches+m.Matches/n
		d.Loose = d.Loose || m.Loose
		for scene, of := range m.Scenes {
			s := d.Scenes[scene]
			d.Scenes[scene] = SceneValue{Digest: s.Digest + of.Digest + " ", Set: s.Set + of.Set + " ", Value: s.Value + of.Value/n}
			shared[scene]++
		}
	}
	maps.DeleteFunc(d.Scenes, func(scene string, _ SceneValue) bool { return shared[scene] < len(d.averaged) })
}
