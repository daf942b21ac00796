package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"descbench/eval/must"
)

// beyondSchema are the bad files whose fault no JSON Schema can see: it is in
// the notation, or takes two places of the file to see, or --data mends it.
var beyondSchema = []string{
	"two_documents", "tab", "open_bracket", "open_quote", "two_colons", "list_after_mapping", "latin1", "binary",
	"unknown_alias", "merge_key", "tagged", "alias_inside_itself", "key_is_a_list", "key_twice",
	"no_dataset_root", "top_without_responses", "similarity_of_long_rows", "control_character_in_path", "cutoffs_descend", "descriptor_name_twice", "set_name_twice",
	"from_unknown_set", "keypoints_unknown_set", "keypoints_of_several", "from_itself", "cycle", "sigma_of_another_pyramid",
	"no_keypoint_sets", "width_without_height", "crop_of_a_side", "multiples_of_a_width", "intersection_by_its_name", "from_an_intersection", "side_of_no_intersection", "set_named_as_a_side", "intersect_with_itself",
	"intersect_unknown_set", "cycle_through_an_intersection", "intersection_of_its_own_side", "sizes_cross", "total_with_projection",
	"total_after_projection",
	"own_estimator_without_program", "own_estimator_unused", "command_match_of_nothing", "command_match_with_root", "command_of_other_keypoints", "command_with_patches",
	"fusion_of_unknown", "fusion_of_itself", "fusion_of_fusions", "fusion_of_two_sets",
	"fusion_of_two_intersections", "fusion_of_two_dimensions",
	"fusion_of_bits", "rooted_fusion_of_signed", "network_with_gray_means", "network_with_two_means",
	"network_with_mean_and_standardize", "file_of_detected_keypoints", "file_of_other_keypoints", "file_of_another_origin",
	"file_of_projected_keypoints", "file_named_as_a_set", "gradients_of_moved_keypoints", "gradients_of_pooled_keypoints", "corners_have_no_levels", "orb_of_sift_keypoints", "normalized_bits_of_akaze",
	"normalized_bits_of_a_file", "rooted_bits_of_a_file", "fusion_of_bits_of_a_file",
	"region_without_keypoints", "preset_contradicted", "identity_without_projection", "name_of_a_unit", "name_decomposed", "scene_written_backwards",
}

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
	for name := range badFiles {
		if slices.Contains(beyondSchema, name) {
			continue
		}
		if admits(schema, readTree(t, "testdata/"+name+".bad.yml")) == nil {
			t.Errorf("%s: admitted", name)
		}
	}
	for _, name := range beyondSchema {
		if badFiles[name] == nil {
			t.Errorf("%s is no bad file", name)
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
