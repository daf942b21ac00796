package config

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// badFiles holds what Load says about every testdata/*.bad.yml, a line per
// fault, each behind the name of the file.
var badFiles = map[string][]string{
	"empty_file":                      {`:1: empty, want a config`},
	"only_comments":                   {`:1: empty, want a config`},
	"two_documents":                   {`:7: found a second document, want one config per file`},
	"list_at_the_top":                 {`:1: found a list, want a mapping of keys to values`},
	"word_at_the_top":                 {`:1: found "demo", want a mapping of keys to values`},
	"tab":                             {`:2: not YAML: found a tab in the indentation, want spaces`},
	"open_bracket":                    {`:8: not YAML: did not find expected ',' or ']'`},
	"open_quote":                      {`:2: not YAML: found unexpected end of stream`},
	"two_colons":                      {`:1: not YAML: mapping values are not allowed in this context`},
	"list_after_mapping":              {`:2: not YAML: did not find expected key`},
	"latin1":                          {`:2: found byte 0xe8, want text in UTF-8`},
	"binary":                          {`:2: found control character 0x00, want text in UTF-8`},
	"unknown_alias":                   {`:4: not YAML: found alias *b, but no anchor &b`},
	"merge_key":                       {`:7: merge keys (<<) are not supported, want the keys written out`},
	"alias_inside_itself":             {`:7: alias *e stands inside what it stands for`},
	"key_is_a_list":                   {`:7: found a list as a key, want a word`},
	"unknown_section":                 {`:7: evalution: unknown key, want one of experiment, dataset, keypoint_sets, descriptors, evaluation, output (did you mean evaluation?)`},
	"unknown_key_in_section":          {`:3: experiment.titel: unknown key, want one of name, description`},
	"unknown_key_in_set":              {`:4: keypoint_sets[s].boarder: unknown key, want one of name, detect, from, border, top, project (did you mean border?)`},
	"unknown_parameter_of_detector":   {`:4: keypoint_sets[s].detect.contrast_treshold: unknown key, want one of type, nfeatures, n_octave_layers, contrast_threshold, edge_threshold, sigma (did you mean contrast_threshold?)`},
	"unknown_parameter_of_descriptor": {`:6: descriptors[d].pyramids: unknown key, want one of name, type, keypoints, n_octave_layers, sigma, pyramid, root, normalize (did you mean pyramid?)`},
	"capital_key": {
		`:1: experiment.name: missing, want a name`,
		`:1: Experiment: unknown key, want one of experiment, dataset, keypoint_sets, descriptors, evaluation, output (did you mean experiment?)`,
	},
	"key_twice":                 {`:5: dataset.root: found twice, first on line 3`},
	"section_twice":             {`:7: experiment: found twice, first on line 1`},
	"strange_key":               {`:7: "a\nb": unknown key, want one of experiment, dataset, keypoint_sets, descriptors, evaluation, output`},
	"no_experiment":             {`:1: experiment.name: missing, want a name`},
	"no_name":                   {`:1: experiment.name: missing, want a name`},
	"no_dataset_root":           {`:3: dataset.root: missing, want a folder of scenes, here or by --data`},
	"no_keypoint_sets":          {`:1: keypoint_sets: missing, want a list of at least one keypoint set`},
	"no_descriptors":            {`:1: descriptors: missing, want a list of at least one descriptor`},
	"empty_descriptors":         {`:5: descriptors: found an empty list, want a list of at least one descriptor`},
	"nothing_after_key":         {`:7: evaluation: found nothing, want a mapping`},
	"null_border":               {`:4: keypoint_sets[s].border.px: found nothing, want a number of at least 0`},
	"no_detector_type":          {`:4: keypoint_sets[s].detect.type: missing, want sift`},
	"no_descriptor_type":        {`:6: descriptors[d].type: missing, want one of sift, rgbsift`},
	"no_descriptor_name":        {`:6: descriptors[#1].name: missing, want a name`},
	"no_border_width":           {`:4: keypoint_sets[s].border.px: missing, want the width of the border in px`},
	"no_count":                  {`:4: keypoint_sets[s].top.per_image: missing, want how many keypoints to keep of every image`},
	"number_as_name":            {`:1: experiment.name: found 2024, want a name of letters, digits and . _ - / whose parts between slashes begin with a letter, a digit or _ (at most 100 characters); in quotes it is text`},
	"date_as_name":              {`:1: experiment.name: found 2024-05-01, want a name of letters, digits and . _ - / whose parts between slashes begin with a letter, a digit or _ (at most 100 characters); in quotes it is text`},
	"word_as_section":           {`:7: evaluation: found "strict", want a mapping`},
	"mapping_as_list":           {`:6: descriptors: found a mapping, want a list of at least one descriptor`},
	"word_as_item":              {`:6: descriptors[#1]: found "sift", want a mapping`},
	"word_as_number":            {`:7: evaluation.tolerance_px: found "three", want a number above 0 and at most 10`},
	"quoted_number":             {`:7: evaluation.tolerance_px: found "3", want a number above 0 and at most 10`},
	"fraction_as_count":         {`:4: keypoint_sets[s].top.per_image: found 2.5, want a whole number from 1 to 2^31-1`},
	"one_scene":                 {`:2: dataset.scenes: found "v_dogman", want a list of names`},
	"one_cutoff":                {`:7: evaluation.cutoffs: found 5, want a list of whole numbers`},
	"list_as_root":              {`:2: dataset.root: found a list, want text`},
	"tagged":                    {`:2: dataset.root: found !env "HOME", want text`},
	"nan_tolerance":             {`:7: evaluation.tolerance_px: found .nan, want a number above 0 and at most 10`},
	"zero_tolerance":            {`:7: evaluation.tolerance_px: found 0, want a number above 0 and at most 10`},
	"large_tolerance":           {`:7: evaluation.tolerance_px: found 10.5, want a number above 0 and at most 10`},
	"negative_border":           {`:4: keypoint_sets[s].border.px: found -1, want a number of at least 0`},
	"infinite_border":           {`:4: keypoint_sets[s].border.px: found .inf, want a number of at least 0`},
	"unknown_border_rule":       {`:4: keypoint_sets[s].border.rule: found "half-open", want one of closed, half_open (did you mean half_open?)`},
	"keep_none":                 {`:4: keypoint_sets[s].top.per_image: found 0, want a whole number from 1 to 2^31-1`},
	"top_by_colour":             {`:4: keypoint_sets[s].top.by: found "colour", want response`},
	"project_from_image_2":      {`:4: keypoint_sets[s].project.from_image: found 2, want 1`},
	"parameter_out_of_bounds":   {`:4: keypoint_sets[s].detect.n_octave_layers: found 9, want a whole number from 1 to 5`},
	"parameter_of_wrong_kind":   {`:6: descriptors[d].sigma: found "wide", want a number from 0.5 to 10`},
	"unknown_pyramid":           {`:6: descriptors[d].pyramid: found "ful", want one of full, opencv (did you mean full?)`},
	"unknown_detector":          {`:4: keypoint_sets[s].detect.type: found "surf", want sift`},
	"unknown_descriptor":        {`:6: descriptors[d].type: found "RGB-SIFT", want one of sift, rgbsift (did you mean rgbsift?)`},
	"unknown_norm":              {`:6: descriptors[d].normalize: found "l3", want one of l2, l1, none (did you mean l2?)`},
	"unknown_root":              {`:6: descriptors[d].root: found "l2", want one of none, l1 (did you mean l1?)`},
	"unknown_ties":              {`:7: evaluation.ties: found "averaged", want one of mean, strict, workbench`},
	"unknown_subset":            {`:2: dataset.subset: found 116, want one of all, 108, viewpoint, illumination`},
	"cutoffs_descend":           {`:7: evaluation.cutoffs: found 5 after 10, want numbers that ascend`},
	"cutoff_zero":               {`:7: evaluation.cutoffs: found 0, want a whole number from 1 to 2^31-1`},
	"no_cutoffs":                {`:7: evaluation.cutoffs: found an empty list, want at least one number`},
	"scene_twice":               {`:2: dataset.scenes: found "v_a" twice`},
	"scene_outside":             {`:2: dataset.scenes: found "../v_a", want the name of a scene's folder`},
	"empty_root":                {`:2: dataset.root: found "", want a path`},
	"control_character_in_path": {`:2: dataset.root: found "a\x00b", want a path without control characters`},
	"empty_name":                {`:1: experiment.name: found "", want a name of letters, digits and . _ - / whose parts between slashes begin with a letter, a digit or _ (at most 100 characters)`},
	"space_in_name":             {`:1: experiment.name: found "my run", want a name of letters, digits and . _ - / whose parts between slashes begin with a letter, a digit or _ (at most 100 characters)`},
	"name_climbs":               {`:6: descriptors[#1].name: found "a/../../b", want a name of letters, digits and . _ - / whose parts between slashes begin with a letter, a digit or _ (at most 100 characters)`},
	"name_from_the_root":        {`:6: descriptors[#1].name: found "/etc/passwd", want a name of letters, digits and . _ - / whose parts between slashes begin with a letter, a digit or _ (at most 100 characters)`},
	"descriptor_name_twice":     {`:7: descriptors[#2].name: found "d", which the descriptor on line 6 is called, want another name`},
	"set_name_twice":            {`:5: keypoint_sets[#2].name: found "s", which the keypoint set on line 4 is called, want another name`},
	"detect_and_from":           {`:5: keypoint_sets[t]: found detect and from, want exactly one of detect, from`},
	"neither_detect_nor_from":   {`:4: keypoint_sets[s]: found neither, want exactly one of detect, from`},
	"from_unknown_set":          {`:6: keypoint_sets[small].from: found "sift_8", but no other set of this name, want sift_8k`},
	"keypoints_unknown_set":     {`:7: descriptors[d].keypoints: found "sift_2", but no keypoint set of this name, want one of sift_8k, sift_2k (did you mean sift_2k?)`},
	"keypoints_of_several":      {`:7: descriptors[d].keypoints: missing, want one of a, b`},
	"from_itself":               {`:4: keypoint_sets[s].from: found the cycle s -> s, want one of these sets to detect`},
	"cycle":                     {`:5: keypoint_sets[a].from: found the cycle a -> b -> c -> a, want one of these sets to detect`},
	"sigma_of_another_pyramid":  {`:7: descriptors[d].sigma: found 1.6, want 2 as in keypoint_sets[s].detect`},
	"several": {
		`:1: experiment.colour: unknown key, want one of name, description`,
		`:6: descriptors[d].root: found "l4", want one of none, l1 (did you mean l1?)`,
		`:7: descriptors[x].type: found "orb", want one of sift, rgbsift`,
		`:8: evaluation.ties: found "averaged", want one of mean, strict, workbench`,
		`:8: evaluation.cutoffs: found 1 after 2, want numbers that ascend`,
	},
}

func TestBadFilesAreRefusedWithLineKeyAndReason(t *testing.T) {
	for name, lines := range badFiles {
		t.Run(name, func(t *testing.T) {
			file := "testdata/" + name + ".bad.yml"
			c, err := Load(file, Overrides{})
			if err == nil {
				t.Fatalf("loaded as\n%s", c.YAML())
			}
			want := file + strings.Join(lines, "\n"+file)
			if err.Error() != want {
				t.Errorf("got\n%s\nwant\n%s", err, want)
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%T holds no *Error", err)
			}
			if e.File != file || e.Line == 0 || e.Msg == "" {
				t.Errorf("the first fault is %+v, want file, line and message", e)
			}
		})
	}
}

func TestEveryBadFileIsTested(t *testing.T) {
	files, err := filepath.Glob("testdata/*.bad.yml")
	if err != nil || len(files) != len(badFiles) {
		t.Errorf("found %d bad files (%v), want %d", len(files), err, len(badFiles))
	}
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".bad.yml"); badFiles[name] == nil {
			t.Errorf("%s is in no test", f)
		}
	}
}
