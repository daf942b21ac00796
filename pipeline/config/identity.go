package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"descbench/eval/spelling"
)

// YAML returns the effective config with all defaults. It is a valid config that
// loads to the same Config from any folder, because its paths are absolute.
func (c *Config) YAML() []byte {
	return marshal(allSections(c).encode(everything))
}

// Identity returns the hex SHA-256 of everything that determines results: names,
// scenes, keypoint sets, descriptors and evaluation, without paths and
// description.
func (c *Config) Identity() string {
	sum := sha256.Sum256(marshal(allSections(c).encode(results)))
	return hex.EncodeToString(sum[:])
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

// Diff returns Changes as lines.
func Diff(a, b *Config) []string { return spelling.Words(Changes(a, b), Change.String) }

// Changes returns the differences between the identities of a and b. It is empty if and only
// if the identities are equal.
func Changes(a, b *Config) []Change {
	return diff("", allSections(a).encode(results), allSections(b).encode(results))
}

// JSONChanges returns the differences between two JSON documents; nil also if one of them is not JSON.
func JSONChanges(a, b []byte) []Change {
	var was, is yaml.Node
	if !json.Valid(a) || !json.Valid(b) || yaml.Unmarshal(a, &was) != nil || yaml.Unmarshal(b, &is) != nil {
		return nil
	}
	return diff("", was.Content[0], is.Content[0])
}

// A Change is a value of a key that differs, on one line each, or Absent.
type Change struct{ Key, Was, Is string }

// String returns "descriptors[sift].root: none -> l1".
func (c Change) String() string { return fmt.Sprintf("%s: %s -> %s", c.Key, c.Was, c.Is) }

// diff compares the values of key; nil means absent.
func diff(key string, a, b *yaml.Node) []Change {
	switch {
	case a != nil && b != nil && a.Kind == yaml.MappingNode && b.Kind == yaml.MappingNode:
		return diffEntries(a, b, func(name string) string { return within(key, name) }, mappingEntries)
	case a != nil && b != nil && a.Kind == yaml.SequenceNode && b.Kind == yaml.SequenceNode && (isNamed(a) || isNamed(b)):
		changes := diffEntries(a, b, func(name string) string { return key + "[" + name + "]" }, namedEntries)
		namesA, _ := namedEntries(a)
		namesB, _ := namedEntries(b)
		if len(changes) == 0 && !slices.Equal(namesA, namesB) {
			changes = append(changes, Change{"order of " + key, strings.Join(namesA, ", "), strings.Join(namesB, ", ")})
		}
		return changes
	}
	if textA, textB := brief(a), brief(b); textA != textB || (a == nil) != (b == nil) {
		return []Change{{key, textA, textB}}
	}
	return nil
}

// diffEntries compares the entries of a and b by name: in the order of a, then
// the entries that only b has.
func diffEntries(a, b *yaml.Node, full func(name string) string, entries func(*yaml.Node) ([]string, map[string]*yaml.Node)) (changes []Change) {
	namesA, inA := entries(a)
	namesB, inB := entries(b)
	for _, name := range namesA {
		changes = append(changes, diff(full(name), inA[name], inB[name])...)
	}
	for _, name := range namesB {
		if inA[name] == nil {
			changes = append(changes, diff(full(name), nil, inB[name])...)
		}
	}
	return changes
}

func mappingEntries(n *yaml.Node) (names []string, values map[string]*yaml.Node) {
	values = map[string]*yaml.Node{}
	for i := 0; i < len(n.Content); i += 2 {
		names = append(names, n.Content[i].Value)
		values[n.Content[i].Value] = n.Content[i+1]
	}
	return names, values
}

// namedEntries returns the items of a list of mappings by name, of one name the first; those without one by
// number: #1.
func namedEntries(n *yaml.Node) (names []string, values map[string]*yaml.Node) {
	values = map[string]*yaml.Node{}
	for i, item := range n.Content {
		name := fmt.Sprintf("#%d", i+1)
		if n := valueAt(item, "name"); n != nil && n.Kind == yaml.ScalarNode {
			name = n.Value
		}
		if values[name] == nil {
			names = append(names, name)
			values[name] = item
		}
	}
	return names, values
}

func isNamed(list *yaml.Node) bool {
	return len(list.Content) > 0 && list.Content[0].Kind == yaml.MappingNode
}

// Absent stands for a value that is not there.
const Absent = "absent"

// brief returns the value on one line.
func brief(n *yaml.Node) string {
	if n == nil {
		return Absent
	}
	flow := *n
	if n.Kind != yaml.ScalarNode {
		flow.Style = yaml.FlowStyle
	}
	return strings.ReplaceAll(strings.TrimSuffix(string(marshal(&flow)), "\n"), "\n", " ")
}
