package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
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

// Values returns what of the set determines its keypoints, as in a config on one line, without paths.
func (s KeypointSet) Values() string { return brief(keypointSet(&s).encode(results)) }

// A Change is a value of a key that differs, on one line each, or Absent.
type Change struct{ Key, Was, Is string }

// String returns "descriptors[sift].root: none -> l1".
func (c Change) String() string { return fmt.Sprintf("%s: %s -> %s", c.Key, c.Was, c.Is) }

// diff compares the values of key; nil means absent. Entries are compared by name: in the order of a, then those
// that only b has.
func diff(key string, a, b *yaml.Node) (changes []Change) {
	isList := isNamed(a) || isNamed(b)
	if a == nil || b == nil || a.Kind != b.Kind || a.Kind != yaml.MappingNode && !isList {
		if textA, textB := brief(a), brief(b); textA != textB || (a == nil) != (b == nil) {
			changes = append(changes, Change{key, textA, textB})
		}
		return changes
	}
	namesA, inA := entries(a)
	namesB, inB := entries(b)
	for _, name := range slices.Concat(namesA, without(namesB, namesA)) {
		full := key + "[" + name + "]"
		if !isList {
			full = within(key, name)
		}
		changes = append(changes, diff(full, inA[name], inB[name])...)
	}
	if isList && len(changes) == 0 && !slices.Equal(namesA, namesB) {
		changes = append(changes, Change{"order of " + key, strings.Join(namesA, ", "), strings.Join(namesB, ", ")})
	}
	return changes
}

// entries returns the values of a mapping by key, or the items of a list of mappings by name, of one name the first;
// those without one by number: #1.
func entries(n *yaml.Node) (names []string, values map[string]*yaml.Node) {
	values = map[string]*yaml.Node{}
	add := func(name string, value *yaml.Node) {
		if values[name] == nil {
			names = append(names, name)
			values[name] = value
		}
	}
	for i, item := range n.Content {
		if n.Kind == yaml.MappingNode {
			if i%2 == 1 {
				add(n.Content[i-1].Value, item)
			}
			continue
		}
		name := fmt.Sprintf("#%d", i+1)
		if n := valueAt(item, "name"); n != nil && n.Kind == yaml.ScalarNode {
			name = n.Value
		}
		add(name, item)
	}
	return names, values
}

// isNamed reports whether n is a list of mappings.
func isNamed(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.SequenceNode && len(n.Content) > 0 && n.Content[0].Kind == yaml.MappingNode
}

// Absent stands for a value that is not there.
const Absent = "not set"

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
