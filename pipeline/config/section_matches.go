package config

import "go.yaml.in/yaml/v3"

// The section matches lists descriptors of type matches without their type:
//
//	matches:
//	  - {name: lightglue, path: "matches/{scene}/{image}.npz", keypoints: superpoint}
//
// Like variants, it is expanded in the YAML tree, before anything is decoded.

// matchesList is the codec of the section. The tree that is decoded does not have
// it any more; it only describes the section.
type matchesList struct{ vocabulary }

func (matchesList) decode(*decoder, string, *yaml.Node) {}

func (matchesList) encode(view) *yaml.Node { return nil }

func (matchesList) many() bool { return true }

func (matchesList) prototype() mapping { return mapping{} }

func (l matchesList) schema() object {
	x := Descriptor{Type: matchesType}
	l.begin(&x)
	all := l.descriptor(&x)
	item := mapping{fields: append(all.fields, matchesFields(&x)...)}
	return object{"type": "array", "minItems": 1, "items": item.schema()}
}

// expandMatches moves the items of the section to the descriptors.
func (d *decoder) expandMatches(root *yaml.Node) bool {
	section := valueOf(root, matchesType)
	if section == nil {
		return true
	}
	before := len(d.faults)
	if section.Kind != yaml.SequenceNode || len(section.Content) == 0 {
		d.fault(matchesType, section, "found %s, want a list of at least one set of matches, such as {name: loftr, path: 'loftr/{scene}/{image}.npz'}", found(section))
		return false
	}
	for _, item := range section.Content {
		if item.Kind != yaml.MappingNode {
			d.fault(matchesType, item, "found %s, want a mapping", found(item))
		} else if typ := valueOf(item, "type"); typ != nil {
			d.fault(within(matchesType, "type"), typ, "found %s, want no value here", found(typ))
		} else {
			item.Content = append(item.Content, d.textBeside(item, "type"), d.textBeside(item, matchesType))
		}
	}
	if len(d.faults) > before {
		return false
	}
	d.moveToDescriptors(root, matchesType, section.Content)
	return true
}

// moveToDescriptors removes a section and adds descriptors in its place.
func (d *decoder) moveToDescriptors(root *yaml.Node, key string, all []*yaml.Node) {
	for i := 0; i < len(root.Content); i += 2 {
		if root.Content[i].Value != key {
			continue
		}
		section := root.Content[i+1]
		root.Content = append(root.Content[:i:i], root.Content[i+2:]...)
		switch list := valueOf(root, "descriptors"); {
		case list == nil:
			list = d.beside(section, yaml.SequenceNode)
			list.Content = all
			d.put(root, "descriptors", list, "")
		case list.Kind == yaml.SequenceNode:
			list.Content = append(list.Content, all...)
		}
		return
	}
}
