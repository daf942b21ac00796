package config

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A label is what tables and figures show instead of a name. Files have the names.
var labelRule = textRule{want: "printable text of at most 80 bytes", pattern: regexp.MustCompile(`^[^\x00-\x1f\x7f]*$`), max: 80}

const labelDoc = "What tables and figures show instead of the name, which files keep."

// setLabel is a text of --set that changes a label.
var setLabel = regexp.MustCompile(`^(?:(descriptors)|keypoint_sets)\[([^\[\]]+)\]\.label=`)

// Labels divides texts of --set into those that change labels and the others.
func Labels(set []string) (labels, others []string) {
	for _, s := range set {
		if setLabel.MatchString(s) {
			labels = append(labels, s)
		} else {
			others = append(others, s)
		}
	}
	return labels, others
}

// Relabel changes labels, as Labels returns them, of the descriptors and keypoint sets that the
// config has. It returns the others.
func (c *Config) Relabel(labels []string) (others []string, err error) {
	var own []string
	for _, l := range labels {
		m := setLabel.FindStringSubmatch(l)
		if m[1] != "" && c.Named(m[2]) != nil || m[1] == "" && c.Graph().sets[m[2]] != nil {
			own = append(own, l)
		} else {
			others = append(others, l)
		}
	}
	if own == nil {
		return others, nil
	}
	to, err := load("", c.YAML(), Overrides{Set: own})
	if err == nil {
		c.TakeLabels(to)
	}
	return others, err
}

// TakeLabels gives c the labels of another config for the same names.
func (c *Config) TakeLabels(from *Config) {
	for i := range c.Descriptors {
		if d := from.Named(c.Descriptors[i].Name); d != nil {
			c.Descriptors[i].Label = d.Label
		}
	}
	sets := from.Graph().sets
	for i := range c.KeypointSets {
		if s := sets[c.KeypointSets[i].Name]; s != nil {
			c.KeypointSets[i].Label = s.Label
		}
	}
}

// Shown returns what is shown of a descriptor: its label or name, with its keypoints if others
// have the same. No two have the same Shown. The config must be loaded.
func (c *Config) Shown(d Descriptor) string {
	own := cmp.Or(d.Label, d.Name)
	same := func(o Descriptor) bool { return o.Name != d.Name && cmp.Or(o.Label, o.Name) == own }
	if !slices.ContainsFunc(c.Descriptors, same) || c.SetOf(d) == "" {
		return own
	}
	return own + " (" + c.ShownSet(c.SetOf(d)) + ")"
}

// ShownSet returns what is shown of a keypoint set or a side of an intersection.
func (c *Config) ShownSet(name string) string {
	set, _ := c.Graph().Find(name)
	if set == nil || set.Label == "" {
		return name
	}
	return set.Label + strings.TrimPrefix(name, set.Name)
}

// checkLabels checks that descriptors can be told apart where they are shown.
func (k *checker) checkLabels() {
	has := make(map[string]string) // the first descriptor by what is shown
	for i := range k.config.Descriptors {
		d := &k.config.Descriptors[i]
		shown := k.config.Shown(*d)
		if first := has[shown]; first != "" {
			k.faultAt(d.key("label"), "found %q, which is shown for %s on the same keypoints, want another label", cmp.Or(d.Label, d.Name), first)
		}
		has[shown] = d.Name
		for _, o := range k.config.Descriptors {
			if o.Name != d.Name && d.Label != "" && strings.EqualFold(d.Label, o.Name) && !strings.EqualFold(d.Label, cmp.Or(o.Label, o.Name)) {
				k.faultAt(d.key("label"), "found %q, the name of another descriptor, which has the label %q; want another label", d.Label, o.Label)
			}
		}
	}
}
