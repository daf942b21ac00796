package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"descbench/eval/must"
)

func TestTheSchemaAdmitsWhatLoadAdmitsAndRefusesWhatItRefuses(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	must.Do(t, compiler.AddResource("config.json", must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(Schema())))(t)))
	schema := must.Get(compiler.Compile("config.json"))(t)
	for _, file := range goodFiles(t) {
		if err := admits(schema, readTree(t, file)); err != nil {
			t.Errorf("%s: refused: %v", file, err)
		}
		var effective any
		must.Do(t, yaml.Unmarshal(mustLoad(t, file).YAML(), &effective))
		if err := admits(schema, effective); err != nil {
			t.Errorf("%s: the effective config is refused: %v", file, err)
		}
	}
	for _, bad := range badFiles(t) {
		if !bad.beyondSchema && admits(schema, readTree(t, bad.path)) == nil {
			t.Errorf("%s: admitted", bad.path)
		}
	}
}

// admits returns an error unless a tree is a value of JSON that the schema admits.
func admits(schema *jsonschema.Schema, tree any) error {
	text, err := json.Marshal(tree)
	if err != nil {
		return err // of infinity, or of keys that are no texts
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	return cmp.Or(err, schema.Validate(value))
}

func TestTheSchemaExplainsEveryKey(t *testing.T) {
	walkKeys("", allSections(defaults()), func(name string, f field) {
		if f.doc == "" {
			t.Errorf("%s has no description", name)
		}
	})
}

func readTree(t *testing.T, file string) any {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.FromSlash(file)))(t)
	var tree any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return tree
}
