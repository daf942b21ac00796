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

// An ablation has the values of a factor as descriptors, in each scene with the means over the
// combinations of all other factors.
type ablation struct {
	values []*Descriptor
	over   string      // over what they are means; "": over nothing
	left   []fact.Fact // which descriptors are left out
}

// ablate averages descriptors by the values of a factor of the section variants. A combination
// that has no results with one of the values is left out for all.
func ablate(all []*Descriptor, factor string, metric *catalogue.Metric) (a ablation, err error) {
	refuse := func(format string, args ...any) (ablation, error) {
		return a, &config.Error{File: "--factor " + factor, Msg: fmt.Sprintf(format, args...)}
	}
	type variant struct {
		*Descriptor
		value, others string
	}
	var variants []variant
	var values, factors, without []string
	for _, d := range all {
		v := cmp.Or(d.config().Named(d.System.Descriptor).Variant, new(config.Variant))
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
		is := variant{d, factor + "=" + cmp.Or(label, "none"), fmt.Sprint(v.Name, others)}
		if i := slices.IndexFunc(variants, func(v variant) bool { return v.value == is.value && v.others == is.others }); i >= 0 {
			return refuse("found the same combination in %s and %s, want one of them: --only", variants[i].Name, d.Name)
		}
		if variants = append(variants, is); !slices.Contains(values, is.value) {
			values = append(values, is.value)
			a.values = append(a.values, &Descriptor{Name: is.value})
		}
	}
	slices.Sort(factors)
	switch factors = slices.Compact(factors); {
	case factors == nil:
		return refuse("no descriptor is from a matrix, want a run of a config with variants, as docs/config.md shows; rerun older runs to add it")
	case len(values) == 0:
		return refuse("no such factor%s, want one of %s", spelling.Hint(factor, factors), strings.Join(factors, ", "))
	case len(values) == 1:
		return refuse("found only %s, want at least two values", values[0])
	}
	slices.SortStableFunc(variants, func(a, b variant) int { return cmp.Compare(a.others, b.others) }) // in the same order for each value
	var left spelling.Groups
	for _, v := range variants {
		missing := slices.DeleteFunc(slices.Clone(values), func(value string) bool {
			return slices.ContainsFunc(variants, func(o variant) bool { return o.value == value && o.others == v.others && len(o.defined()) > 0 })
		})
		if d := a.values[slices.Index(values, v.value)]; len(missing) == 0 {
			d.averaged = append(d.averaged, v.Descriptor)
		} else {
			left.Add(strings.Join(missing, ", "), v.Name)
		}
	}
	for _, missing := range left.Texts {
		a.left = append(a.left, fact.New(fact.Unpaired).Naming("out", left.Of[missing]...).Naming("missing", missing))
	}
	if without != nil {
		a.left = append(a.left, fact.New(fact.Unpaired).Naming("out", without...).Naming("factor", factor))
	}
	n := len(a.values[0].averaged)
	if n == 0 {
		return refuse("no combination of the other factors has results with each of %s", strings.Join(values, ", "))
	} else if n > 1 {
		others := slices.DeleteFunc(factors, func(other string) bool { return other == factor })
		a.over = fmt.Sprintf("Each value is the mean over %d combinations of the other factors (%s)", n, cmp.Or(strings.Join(others, ", "), "entries of variants"))
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
		d.Coverage, d.Gallery, d.Matches, d.Known = d.Coverage+m.Coverage/n, d.Gallery+m.Gallery/n, d.Matches+m.Matches/n, d.Known+m.Known/n
		d.Loose = d.Loose || m.Loose
		for scene, of := range m.Scenes {
			s := d.Scenes[scene]
			d.Scenes[scene] = SceneValue{Digest: s.Digest + of.Digest + " ", Set: s.Set + of.Set + " ", Value: s.Value + of.Value/n}
			shared[scene]++
		}
	}
	maps.DeleteFunc(d.Scenes, func(scene string, _ SceneValue) bool { return shared[scene] < len(d.averaged) })
}
