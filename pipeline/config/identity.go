package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// YAML returns the effective config with all defaults. It is a valid config that
// loads to the same Config from any folder, because its paths are absolute.
func (c *Config) YAML() []byte {
	return marshal(known().config(c).encode(everything))
}

// Identity returns the hex SHA-256 of everything that determines results: names,
// scenes, keypoint sets, descriptors and evaluation, without paths and
// description.
func (c *Config) Identity() string {
	tree := known().config(c).encode(results)
	if e := c.Evaluation; e.ExcludeInvalidTruths == (e.Preset != "workbench") {
		leaveOut(valueOf(tree, "evaluation"), "exclude_invalid_truths")
	}
	sum := sha256.Sum256(marshal(tree))
	return hex.EncodeToString(sum[:])
}

// leaveOut removes a key from a mapping. A value that follows from the rest of the
// config is left out of the identity, so that configs from before the key keep
// theirs, and their runs can be read.
func leaveOut(mapping *yaml.Node, key string) {
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content = slices.Delete(mapping.Content, i, i+2)
			return
		}
	}
}

func marshal(n *yaml.Node) []byte {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(n); err != nil {
		panic(err) // of a tree that encode made, in memory
	}
	if err := encoder.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Diff returns the differences between the identities of a and b, one line each,
// such as "descriptors[sift].root: none -> l1". It is empty if and only if the
// identities are equal.
func Diff(a, b *Config) []string {
	v := known()
	return diff("", v.config(a).encode(results), v.config(b).encode(results))
}

// diff compares the values of key; nil means absent.
func diff(key string, a, b *yaml.Node) []string {
	switch {
	case a != nil && b != nil && a.Kind == yaml.MappingNode && b.Kind == yaml.MappingNode:
		return diffEntries(a, b, func(name string) string { return within(key, name) }, mappingEntries)
	case a != nil && b != nil && a.Kind == yaml.SequenceNode && b.Kind == yaml.SequenceNode && (isNamed(a) || isNamed(b)):
		lines := diffEntries(a, b, func(name string) string { return key + "[" + name + "]" }, namedEntries)
		namesA, _ := namedEntries(a)
		namesB, _ := namedEntries(b)
		if len(lines) == 0 && !slices.Equal(namesA, namesB) {
			lines = append(lines, fmt.Sprintf("order of %s: %s -> %s", key, strings.Join(namesA, ", "), strings.Join(namesB, ", ")))
		}
		return lines
	}
	if textA, textB := brief(a), brief(b); textA != textB || (a == nil) != (b == nil) {
		return []string{fmt.Sprintf("%s: %s -> %s", key, textA, textB)}
	}
	return nil
}

// diffEntries compares the entries of a and b by name: in the order of a, then
// the entries that only b has.
func diffEntries(a, b *yaml.Node, full func(name string) string, entries func(*yaml.Node) ([]string, map[string]*yaml.Node)) []string {
	namesA, inA := entries(a)
	namesB, inB := entries(b)
	var lines []string
	for _, name := range namesA {
		lines = append(lines, diff(full(name), inA[name], inB[name])...)
	}
	for _, name := range namesB {
		if inA[name] == nil {
			lines = append(lines, diff(full(name), nil, inB[name])...)
		}
	}
	return lines
}

func mappingEntries(n *yaml.Node) (names []string, values map[string]*yaml.Node) {
	values = map[string]*yaml.Node{}
	for i := 0; i < len(n.Content); i += 2 {
		names = append(names, n.Content[i].Value)
		values[n.Content[i].Value] = n.Content[i+1]
	}
	return names, values
}

func namedEntries(n *yaml.Node) (names []string, values map[string]*yaml.Node) {
	values = map[string]*yaml.Node{}
	for _, item := range n.Content {
		if name := valueOf(item, "name"); name != nil {
			names = append(names, name.Value)
			values[name.Value] = item
		}
	}
	return names, values
}

func isNamed(list *yaml.Node) bool {
	return len(list.Content) > 0 && list.Content[0].Kind == yaml.MappingNode
}

// brief returns the value on one line.
func brief(n *yaml.Node) string {
	if n == nil {
		return "absent"
	}
	flow := *n
	if n.Kind != yaml.ScalarNode {
		flow.Style = yaml.FlowStyle
	}
	return strings.ReplaceAll(strings.TrimSuffix(string(marshal(&flow)), "\n"), "\n", " ")
}
