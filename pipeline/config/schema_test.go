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
	count := 0
	eachProperty(t, func(key string, property map[string]any) {
		count++
		if doc, _ := property["description"].(string); doc == "" {
			t.Errorf("%s has no description", key)
		}
	})
	if count < 40 {
		t.Errorf("found %d keys only", count)
	}
}

// eachProperty calls do for every key of a mapping in the schema.
func eachProperty(t *testing.T, do func(key string, property map[string]any)) {
	t.Helper()
	var schema any
	must.Do(t, json.Unmarshal(Schema(), &schema))
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			properties, _ := v["properties"].(map[string]any)
			for key, p := range properties {
				do(key, p.(map[string]any))
			}
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(schema)
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
