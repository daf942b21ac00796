package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"descbench/eval/must"
)

// beyondSchema are the bad files whose fault no JSON Schema can see: it is in
// the notation, or takes two places of the file to see, or --data mends it.
var beyondSchema = []string{
	"two_documents", "tab", "open_bracket", "open_quote", "two_colons", "list_after_mapping", "latin1", "binary",
	"unknown_alias", "merge_key", "tagged", "alias_inside_itself", "key_is_a_list", "key_twice", "section_twice",
	"no_dataset_root", "similarity_of_long_rows", "control_character_in_path", "cutoffs_descend", "descriptor_name_twice", "set_name_twice",
	"from_unknown_set", "keypoints_unknown_set", "keypoints_of_several", "from_itself", "cycle", "sigma_of_another_pyramid",
	"no_keypoint_sets", "width_without_height", "crop_of_a_side", "multiples_of_a_width", "intersection_by_its_name", "from_an_intersection", "side_of_no_intersection", "set_named_as_a_side", "intersect_with_itself",
	"intersect_unknown_set", "cycle_through_an_intersection", "intersection_of_its_own_side", "sizes_cross", "total_with_projection", "random_total_with_projection", "random_total_with_top",
	"total_after_projection", "import_control_character", "weights_of_other_scales", "weights_of_a_maximum",
	"own_estimator_without_program", "own_estimator_unused", "command_match_of_nothing", "command_match_with_root", "command_of_other_keypoints", "command_with_patches",
	"weights_of_a_concatenation", "fusion_of_unknown", "fusion_of_itself", "fusion_of_fusions", "fusion_of_two_sets",
	"fusion_of_two_intersections", "fusion_of_two_dimensions", "fusion_without_weights", "fusion_with_weights",
	"fusion_with_three_weights", "fusion_of_bits", "rooted_fusion_of_signed", "network_with_gray_means",
	"network_with_mean_and_standardize", "file_of_detected_keypoints", "file_of_other_keypoints", "file_of_another_origin",
	"file_of_projected_keypoints", "file_named_as_a_set", "gradients_of_moved_keypoints", "gradients_of_pooled_keypoints", "corners_have_no_levels", "normalized_bits_of_akaze",
	"normalized_bits_of_a_file", "rooted_bits_of_a_file", "fusion_of_bits_of_a_file",
	"region_without_keypoints", "preset_contradicted", "identity_without_projection", "name_of_a_unit", "name_decomposed", "scene_written_backwards",
}

func TestTheSchemaAdmitsWhatLoadAdmitsAndRefusesWhatItRefuses(t *testing.T) {
	var schema map[string]any
	must.Do(t, json.Unmarshal(Schema(), &schema))
	for _, file := range goodFiles(t) {
		if fault := validate(schema, readTree(t, file), "config"); fault != "" {
			t.Errorf("%s: refused: %s", file, fault)
		}
		var effective any
		must.Do(t, yaml.Unmarshal(mustLoad(t, file).YAML(), &effective))
		if fault := validate(schema, effective, "config"); fault != "" {
			t.Errorf("%s: the effective config is refused: %s", file, fault)
		}
	}
	for name := range badFiles {
		if slices.Contains(beyondSchema, name) {
			continue
		}
		if fault := validate(schema, readTree(t, "testdata/"+name+".bad.yml"), "config"); fault == "" {
			t.Errorf("%s: admitted", name)
		}
	}
	for _, name := range beyondSchema {
		if badFiles[name] == nil {
			t.Errorf("%s is no bad file", name)
		}
	}
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

func TestTheSchemaIsTheSameEveryTime(t *testing.T) {
	if !bytes.Equal(Schema(), Schema()) {
		t.Error("it is not")
	}
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

// validate checks value against those keywords of JSON Schema that Schema
// uses, and returns the first fault. It does not know how Schema is made.
func validate(schema map[string]any, value any, at string) string {
	for keyword, rule := range schema {
		if fault := validateKeyword(schema, keyword, rule, value); fault != "" {
			return fmt.Sprintf("%s: %s", at, fault)
		}
	}
	return ""
}

func validateKeyword(schema map[string]any, keyword string, rule, value any) string {
	number, isNumber := asNumber(value)
	text, isText := value.(string)
	list, isList := value.([]any)
	mapping, isMapping := value.(map[string]any)
	refused := fmt.Sprintf("%v is refused by %s: %v", value, keyword, rule)
	holds := true
	switch keyword {
	case "$schema", "title", "description", "default":
	case "type":
		switch rule {
		case "object":
			holds = isMapping
		case "array":
			holds = isList
		case "string":
			holds = isText
		case "number":
			holds = isNumber
		case "integer":
			holds = isNumber && number == math.Trunc(number)
		case "boolean":
			_, holds = value.(bool)
		default:
			return "unknown type " + fmt.Sprint(rule)
		}
	case "enum":
		holds = slices.ContainsFunc(rule.([]any), func(e any) bool {
			n, ok := asNumber(e)
			return reflect.DeepEqual(e, value) || ok && isNumber && n == number
		})
	case "minimum":
		holds = !isNumber || number >= rule.(float64)
	case "exclusiveMinimum":
		holds = !isNumber || number > rule.(float64)
	case "maximum":
		holds = !isNumber || number <= rule.(float64)
	case "pattern":
		holds = !isText || regexp.MustCompile(rule.(string)).MatchString(text)
	case "minLength":
		holds = !isText || len([]rune(text)) >= int(rule.(float64))
	case "maxLength":
		holds = !isText || len([]rune(text)) <= int(rule.(float64))
	case "minItems":
		holds = !isList || len(list) >= int(rule.(float64))
	case "uniqueItems":
		for i := range list {
			for j := range i {
				holds = holds && !reflect.DeepEqual(list[i], list[j])
			}
		}
	case "items":
		for i, item := range list {
			if fault := validate(rule.(map[string]any), item, fmt.Sprintf("[%d]", i)); fault != "" {
				return fault
			}
		}
	case "properties":
		for key, v := range mapping {
			if p, ok := rule.(map[string]any)[key]; ok {
				if fault := validate(p.(map[string]any), v, key); fault != "" {
					return fault
				}
			}
		}
	case "additionalProperties":
		for key := range mapping {
			if _, ok := schema["properties"].(map[string]any)[key]; !ok {
				return "unknown key " + key
			}
		}
	case "required":
		for _, key := range rule.([]any) {
			if _, ok := mapping[key.(string)]; isMapping && !ok {
				return fmt.Sprintf("no %s", key)
			}
		}
	case "not":
		holds = validate(rule.(map[string]any), value, "not") != ""
	case "multipleOf":
		holds = !isNumber || math.Mod(number, rule.(float64)) == 0
	case "maxItems":
		holds = !isList || len(list) <= int(rule.(float64))
	case "contains":
		holds = !isList || slices.ContainsFunc(list, func(item any) bool { return validate(rule.(map[string]any), item, "") == "" })
	case "allOf":
		for _, s := range rule.([]any) {
			if fault := validate(s.(map[string]any), value, keyword); fault != "" {
				return fault
			}
		}
	case "oneOf", "anyOf":
		matches, faults := 0, []string{}
		for _, s := range rule.([]any) {
			fault := validate(s.(map[string]any), value, keyword)
			if fault == "" {
				matches++
			}
			faults = append(faults, fault)
		}
		if matches == 0 || keyword == "oneOf" && matches > 1 {
			return fmt.Sprintf("%d of the alternatives match: %s", matches, strings.Join(faults, "; "))
		}
	default:
		return "the test does not know the keyword " + keyword
	}
	if !holds {
		return refused
	}
	return ""
}

// asNumber returns v as a JSON number; NaN and infinity, which YAML has, are
// none.
func asNumber(v any) (float64, bool) {
	switch n := v.(type) {
	case int:
		return float64(n), true
	case uint64: // beyond the range of int
		return float64(n), true
	case float64:
		return n, !math.IsNaN(n) && !math.IsInf(n, 0)
	}
	return 0, false
}
