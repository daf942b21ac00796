package config

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/keypoints"
)

// badFiles holds what Load says about every testdata/*.bad.yml, a line per
// fault, each behind the name of the file. <detectors> and <kinds> stand for the
// names in the program's tables.
var badFiles = map[string][]string{
	"empty_file":                      {`:1: empty, want a config`},
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
	"alias_inside_itself":             {`:7: alias *e refers to a value that contains it`},
	"key_is_a_list":                   {`:7: found a list as a key, want text`},
	"unknown_section":                 {`:7: evalution: unknown key, want one of experiment, dataset, keypoint_sets, descriptors, variants, evaluation, output (did you mean evaluation?)`},
	"unknown_key_in_set":              {`:4: keypoint_sets[s].boarder: unknown key, want one of name, label, detect, from, intersect, import, border, min_size, max_size, min_response, random, spatial, top, project (did you mean border?)`},
	"unknown_parameter_of_detector":   {`:4: keypoint_sets[s].detect.contrast_treshold: unknown key, want one of type, nfeatures, n_octave_layers, contrast_threshold, edge_threshold, sigma (did you mean contrast_threshold?)`},
	"unknown_parameter_of_descriptor": {`:6: descriptors[d].pyramids: unknown key, want one of name, label, variant, type, keypoints, n_octave_layers, sigma, pyramid, pooling, root, normalize, matcher (did you mean pyramid?)`},
	"similarity_of_long_rows": {
		`:9: descriptors[brisk].matcher.min_similarity: found it for brisk, whose rows do not have length 1, want max_distance, or, for numbers, normalize: l2`,
		`:10: evaluation.matcher.min_similarity: found it for long, whose rows do not have length 1, want max_distance, or, for numbers, normalize: l2`,
	},
	"top_without_responses": {
		`:5: keypoint_sets[best].top.by: found response, but every response of mser is 0, want by: size`,
		`:7: keypoint_sets[corners].top.by: found response, but every response of fast is 0, want nonmax_suppression: true`,
	},
	"run_as_words": {
		`:6: descriptors[d].run: found "python3 fn.py ok", want a list of words: [python3, fn.py, ok]`,
		`:7: descriptors[p].pooling.scales: found "0.85 1 1.3", want a number from 0.01 to 100; separate values by commas`,
	},
	"capital_key": {
		`:1: experiment.name: missing, want a name`,
		`:1: Experiment: unknown key, want one of experiment, dataset, keypoint_sets, descriptors, variants, evaluation, output (did you mean experiment?)`,
	},
	"key_twice":                 {`:5: dataset.root: found twice, first on line 3`},
	"strange_key":               {`:7: "a\nb": unknown key, want one of experiment, dataset, keypoint_sets, descriptors, variants, evaluation, output`},
	"no_experiment":             {`:1: experiment.name: missing, want a name`},
	"no_dataset_root":           {`:3: dataset.root: missing, want a folder of scenes, here or with --data`},
	"no_keypoint_sets":          {`:1: keypoint_sets: missing, want a list of at least one keypoint set`},
	"no_descriptors":            {`:1: descriptors: missing, want a list of at least one descriptor`},
	"empty_descriptors":         {`:5: descriptors: found an empty list, want a list of at least one descriptor`},
	"nothing_after_key":         {`:7: evaluation: found nothing, want a mapping, {preset: ..., tolerance_px: ..., ties: ..., relevance: ..., ...}`},
	"null_border":               {`:4: keypoint_sets[s].border.px: found nothing, want a number of at least 0`},
	"no_detector_type":          {`:4: keypoint_sets[s].detect.type: missing, want one of <detectors>`},
	"no_descriptor_type":        {`:6: descriptors[d].type: missing, want one of <kinds>, fusion, command, file, matches`},
	"no_descriptor_name":        {`:6: descriptors[#1].name: missing, want a name`},
	"no_border_width":           {`:4: keypoint_sets[s].border.px: missing, want the width of the border in px`},
	"no_count":                  {`:4: keypoint_sets[s].top: found none, want exactly one of per_image, total`},
	"number_as_name":            {`:1: experiment.name: found 2024, want text: write "2024"`},
	"word_as_section":           {`:7: evaluation: found "strict", want a mapping, {preset: ..., tolerance_px: ..., ties: ..., relevance: ..., ...}`},
	"mapping_as_list":           {`:6: descriptors: found a mapping, want a list of at least one descriptor`},
	"word_as_item":              {`:6: descriptors[#1]: found "sift", want a mapping, {type: ..., name: ..., label: ..., variant: ...}`},
	"word_as_number":            {`:7: evaluation.tolerance_px: found "three", want a number above 0 and at most 10`},
	"quoted_number":             {`:7: evaluation.tolerance_px: found "3", want a number above 0 and at most 10, without quotes`},
	"fraction_as_count":         {`:4: keypoint_sets[s].top.per_image: found 2.5, want a whole number from 1 to 2^31-1`},
	"one_scene":                 {`:2: dataset.scenes: found "v_dogman", want a list of names`},
	"list_as_root":              {`:2: dataset.root: found a list, want text`},
	"tagged":                    {`:2: dataset.root: found !env "HOME", want text`},
	"nan_tolerance":             {`:7: evaluation.tolerance_px: found .nan, want a number above 0 and at most 10`},
	"zero_tolerance":            {`:7: evaluation.tolerance_px: found 0, want a number above 0 and at most 10`},
	"large_tolerance":           {`:7: evaluation.tolerance_px: found 10.5, want a number above 0 and at most 10`},
	"infinite_border":           {`:4: keypoint_sets[s].border.px: found .inf, want a number of at least 0`},
	"keep_none":                 {`:4: keypoint_sets[s].top.per_image: found 0, want a whole number from 1 to 2^31-1`},
	"project_from_image_2":      {`:4: keypoint_sets[s].project.from_image: found 2, want 1`},
	"parameter_out_of_bounds":   {`:4: keypoint_sets[s].detect.n_octave_layers: found 9, want a whole number from 1 to 5`},
	"parameter_of_wrong_kind":   {`:6: descriptors[d].sigma: found "wide", want a number from 0.5 to 10`},
	"unknown_pyramid":           {`:6: descriptors[d].pyramid: found "ful", want one of full, opencv (did you mean full?)`},
	"unknown_detector":          {`:4: keypoint_sets[s].detect.type: found "sifft", want one of <detectors> (did you mean sift?)`},
	"unknown_descriptor":        {`:6: descriptors[d].type: found "RGB-SIFT", want one of <kinds>, fusion, command, file, matches (did you mean rgbsift?)`},
	"unknown_ties":              {`:7: evaluation.ties: found "averaged", want one of mean, strict, workbench`},
	"unknown_subset":            {`:2: dataset.subset: found 116, want one of all, 108, viewpoint, illumination`},
	"cutoffs_descend":           {`:7: evaluation.cutoffs: found 5 after 10, want ascending numbers`},
	"no_cutoffs":                {`:7: evaluation.cutoffs: found 0 whole numbers, want at least 1`},
	"scene_twice":               {`:2: dataset.scenes: found "v_a" twice`},
	"scene_outside":             {`:2: dataset.scenes: found "../v_a", want the name of a scene's folder`},
	"empty_root":                {`:2: dataset.root: found "", want a path`},
	"control_character_in_path": {`:2: dataset.root: found "a\x00b", want a path without control characters`},
	"empty_name":                {`:1: experiment.name: found "", want a name of letters, digits and . _ - / whose parts between slashes begin with a letter, a digit or _ (at most 100 bytes)`},
	"name_of_a_unit":            {`:6: descriptors[#1].name: found "a/x.zip", want a name whose parts between slashes do not end in .zip, .npz or .json, as the files of a run do`},
	"name_decomposed":           {":6: descriptors[#1].name: found \"e\u0301t\u00e9\", want accented letters as single characters (Unicode form NFC)"},
	"scene_written_backwards":   {`:2: dataset.scenes: found "v_a\u202eb", want the name of a scene's folder: scene name "v_a\u202eb" contains '\u202e', want printable characters other than \ ; =`},
	"max_megapixels_of_nothing": {`:2: dataset.max_megapixels: found 0, want a whole number from 1 to 250`},
	"descriptor_name_twice":     {`:7: descriptors[#2].name: found "d", which is the name of the descriptor on line 6, want another name`},
	"set_name_twice":            {`:5: keypoint_sets[#2].name: found "s", which is the name of the keypoint set on line 4, want another name`},
	"detect_and_from":           {`:5: keypoint_sets[t]: found detect and from, want exactly one of detect, from, intersect, import`},
	"neither_detect_nor_from":   {`:4: keypoint_sets[s]: found none, want exactly one of detect, from, intersect, import`},
	"from_unknown_set":          {`:6: keypoint_sets[small].from: found "sift_8", which is not the name of any other set, want sift_8k`},
	"keypoints_unknown_set":     {`:7: descriptors[d].keypoints: found "sift_2", which is not the name of any keypoint set, want one of sift_8k, sift_2k (did you mean sift_2k?)`},
	"keypoints_of_several":      {`:7: descriptors[d].keypoints: missing, want one of a, b`},
	"from_itself":               {`:4: keypoint_sets[s].from: found "s", want a set that stands before this one`},
	"cycle": {`:4: keypoint_sets[s].from: found "a", want a set that stands before this one`,
		`:5: keypoint_sets[a].from: found "b", want a set that stands before this one`, `:6: keypoint_sets[b].from: found "c", want a set that stands before this one`},
	"sigma_of_another_pyramid": {`:7: descriptors[d].sigma: found 1.6, want 2 as in keypoint_sets[s].detect`},
	"several": {
		`:1: experiment.colour: unknown key, want one of name, description`,
		`:6: descriptors[d].root: found "l4", want one of none, l1 (did you mean l1?)`,
		`:7: descriptors[x].type: found "superpoint", want type: command with a function of your own that calls it; see docs/own-functions.md`,
		`:8: evaluation.ties: found "averaged", want one of mean, strict, workbench`,
		`:8: evaluation.cutoffs: found 1 after 2, want ascending numbers`,
	},
	// Keypoint sets, pooling, fusion, networks, imported features, evaluation.
	"top_per_image_and_total":           {`:4: keypoint_sets[s].top: found per_image and total, want exactly one of per_image, total`},
	"intersection_by_its_name":          {`:8: descriptors[d].keypoints: found "both", which is an intersection, want one of its sides, both.a or both.b`},
	"from_an_intersection":              {`:7: keypoint_sets[u].from: found "both", which is an intersection, want one of its sides, both.a or both.b`},
	"side_of_no_intersection":           {`:8: descriptors[d].keypoints: found "s.a", which is not the name of any keypoint set, want one of s, t, both.a, both.b`},
	"set_named_as_a_side":               {`:7: keypoint_sets[both.b].name: found "both.b", which is a side of the intersection both, want another name`},
	"intersect_with_itself":             {`:5: keypoint_sets[both].intersect.b: found "s", which is also a, want another keypoint set`},
	"intersect_unknown_set":             {`:5: keypoint_sets[both].intersect.b: found "surf", which is not the name of any other set, want s`},
	"intersect_without_tolerance":       {`:6: keypoint_sets[both].intersect.tolerance_px: missing, want the maximum distance, in px, between the keypoints of a pair`},
	"cycle_through_an_intersection":     {`:5: keypoint_sets[u].from: found "both.a", want a set that stands before this one`},
	"intersection_of_its_own_side":      {`:5: keypoint_sets[both].intersect.b: found "both.b", want a set that stands before this one`},
	"sizes_cross":                       {`:4: keypoint_sets[s].max_size: found 3, want at least min_size, 5`},
	"nan_response":                      {`:4: keypoint_sets[s].min_response: found .nan, want a finite number`},
	"negative_seed":                     {`:4: keypoint_sets[s].random.seed: found -1, want a whole number from 0 to 2^64-1`},
	"no_distance":                       {`:4: keypoint_sets[s].spatial.min_distance_px: missing, want the minimum distance, in px, between two kept keypoints`},
	"zero_distance":                     {`:4: keypoint_sets[s].spatial.min_distance_px: found 0, want a number above 0`},
	"total_with_projection":             {`:4: keypoint_sets[s].top.total: found it in a set that projects, want it in a set that comes before the projection`},
	"total_after_projection":            {`:7: keypoint_sets[u].top.total: found it after the projection of s, want it in a set that comes before s`},
	"import_of_one_file":                {`:4: keypoint_sets[s].import.path: found "all/{scene}.npz", want a path with {scene} and {image}, to identify the files of the images`},
	"import_of_something":               {`:4: keypoint_sets[s].import.path: found {scenes} in it, want one of {root}, {scene}, {image} (did you mean {scene}?)`},
	"import_with_open_brace":            {`:4: keypoint_sets[s].import.path: found { in it, want one of {root}, {scene}, {image}`},
	"import_root_inside":                {`:4: keypoint_sets[s].import.path: found "x/{root}/{scene}/{image}", want {root} only at the beginning`},
	"import_without_path":               {`:4: keypoint_sets[s].import.path: missing, want the path of an image's file, with {scene} and {image} in it`},
	"even_parameter":                    {`:4: keypoint_sets[s].detect.edge_blur_size: found 4, want an odd number from 1 to 255`},
	"pooling_without_scales":            {`:6: descriptors[d].pooling.scales: missing, want a list of domain sizes, such as [0.85, 1, 1.3]`},
	"no_scale":                          {`:6: descriptors[d].pooling.scales: found 0 numbers, want 1 to 32`},
	"one_scale":                         {`:6: descriptors[d].pooling.scales: found 1, want a list of numbers`},
	"zero_scale":                        {`:6: descriptors[d].pooling.scales: found 0, want a number from 0.01 to 100`},
	"many_scales":                       {`:6: descriptors[d].pooling.scales: found 33 numbers, want 1 to 32`},
	"pooling_of_another_type":           {`:6: descriptors[d].pooling.type: found "stacking", want domain_size`},
	"pooling_as_a_word":                 {`:6: descriptors[d].pooling: found "domain_size", want a mapping, {type: ..., scales: ..., aggregate: ..., root_each: ..., normalize_each: ...}`},
	"fusion_of_nothing":                 {`:8: descriptors[f].of: missing, want a list of at least two descriptors`},
	"fusion_of_one":                     {`:8: descriptors[f].of: found 1 names, want at least 2`},
	"fusion_of_unknown":                 {`:8: descriptors[f].of: found "x", which is not the name of any descriptor, want one of d, e`},
	"fusion_of_itself":                  {`:8: descriptors[f].of: found "f", which is itself a fusion, want one of d, e`},
	"fusion_of_fusions":                 {`:8: descriptors[f].of: found "g", which is itself a fusion, want one of d, e`, `:9: descriptors[g].of: found "f", which is itself a fusion, want one of d, e`},
	"fusion_of_two_sets":                {`:9: descriptors[f].of: found descriptors of the keypoint sets s, t, want one set, or the two sides of one intersection`},
	"fusion_of_two_intersections":       {`:11: descriptors[f].of: found descriptors of the keypoint sets both.a, more.b, want one set, or the two sides of one intersection`},
	"fusion_of_two_dimensions":          {`:9: descriptors[f].of: found "d" of dimension 128 and "p" of 256 with aggregate mean, want equal ones, or concatenate`},
	"fusion_with_keypoints":             {`:8: descriptors[f].keypoints: unknown key, want one of name, label, variant, type, of, aggregate, root, normalize, matcher`},
	"fusion_of_bits":                    {`:8: descriptors[f].of: found "b", want rows that are not binary: binary rows are compared unchanged`},
	"rooted_fusion_of_signed":           {`:8: descriptors[f].of: found "b" with root l1: root needs non-negative elements`},
	"network_with_two_means":            {`:6: descriptors[o].patches.mean: found 2 numbers, want one, or one for each of three channels`},
	"network_with_gray_means":           {`:6: descriptors[o].patches.mean: found 3 numbers, want one, since channels is gray`},
	"network_with_mean_and_standardize": {`:6: descriptors[o].patches.std: found it with standardize, which uses the value of each patch; want one of the two`},
	"network_with_zero_deviation":       {`:6: descriptors[o].patches.std: found 0, want a number above 0`},
	"network_of_large_patches":          {`:6: descriptors[o].patches.magnification: found 1e9, want a number above 0 and at most 1000`},
	"file_of_detected_keypoints":        {`:6: descriptors[f].keypoints: found "s", whose keypoints are detected, want no value, or a set that starts with the import of {root}/{scene}/{image}.npz`},
	"file_of_other_keypoints":           {`:6: descriptors[f].keypoints: found "s", whose keypoints are imported from {root}/{scene}/{image}.r2d2, want no value, or a set that starts with the import of {root}/{scene}/{image}.npz`},
	"file_of_another_origin":            {`:6: descriptors[f].origin: found corner, want center as in keypoint_sets[i].import`},
	"file_of_projected_keypoints":       {`:6: descriptors[f].keypoints: found "i", but the files have no descriptors at the positions to which keypoint_sets[i] moves keypoints`},
	"file_named_as_a_set":               {`:6: descriptors[f].keypoints: missing: the set of its own keypoints would be named f, but keypoint_sets has a set of this name; want keypoints: f to use that one, or another name for one of them`},
	"gradients_of_moved_keypoints":      {`:6: descriptors[k].gradients: found detector, want compute, since keypoint_sets[s] moves keypoints`},
	"gradients_of_pooled_keypoints":     {`:6: descriptors[k].gradients: found detector, want compute, since pooling resizes keypoints`},
	"corners_have_no_levels":            {`:6: descriptors[o].keypoints: found "s": orb cannot describe keypoints whose size keypoint_sets[s] changes, want carry: position: ORB reads the pyramid level from the keypoint's octave; it is 0 for corners of the original image, and other detectors use the field differently`},
	"orb_of_sift_keypoints":             {`:7: descriptors[o].keypoints: found "s": orb cannot describe keypoints of sift, want keypoints of orb, fast, agast, gftt: ORB reads the pyramid level from the keypoint's octave; it is 0 for corners of the original image, and other detectors use the field differently; for all descriptors of these keypoints: detect: {type: fast}`},
	"normalized_bits_of_a_file":         {`:6: descriptors[f].normalize: found "l2", want none: binary rows are compared unchanged`},
	"rooted_bits_of_a_file":             {`:6: descriptors[f].root: found "l1", want none: binary rows are compared unchanged`},
	"fusion_of_bits_of_a_file":          {`:8: descriptors[u].of: found "b", want rows that are not binary: binary rows are compared unchanged`},
	"normalized_bits_of_akaze":          {`:6: descriptors[k].normalize: found "l2", want none: binary rows are compared unchanged`},
	"region_without_keypoints":          {":7: evaluation.shared_region: found keynet, but shared_top_k is 0; want the number of keypoints of this region, 1000 as in Key.Net's evaluation"},
	"width_without_height":              {`:2: dataset.resize: found width without height or height without width, want both`},
	"crop_of_a_side":                    {`:2: dataset.resize.crop: found true, want it only with width and height`},
	"multiples_of_a_width":              {`:2: dataset.resize.multiple_of: found 8, want it only without width`},
	"unknown_preset":                    {`:7: evaluation.preset: found "workbanch", want one of workbench, alike, bojanic, d2net, dad, dkm, gluefactory, gluefactory_megadepth1500, gluefactory_scannet1500, keynet, loftr, loftr_megadepth1500, loftr_scannet1500, matching_toolbox, posebench, roma_megadepth1500, roma_scannet1500, superglue_megadepth1500, superglue_scannet1500, superpoint, superpoint_repeatability, topicfm, xfeat, xfeat_megadepth1500, xfeat_scannet1500 (did you mean workbench?)`},
	"preset_contradicted":               {`:7: evaluation.ties: found mean, want workbench or nothing, since evaluation.preset is workbench`, `:7: evaluation.exclude_invalid: found false, want true or nothing, since evaluation.preset is workbench`, `:7: evaluation.exclude_invalid_truths: found true, want false or nothing, since evaluation.preset is workbench`, `:7: evaluation.exclude_beyond_px: found 1999, want 2000 or nothing, since evaluation.preset is workbench`, `:7: evaluation.relevance: found position, want nearest or nothing, since evaluation.preset is workbench`},
	"gallery_of_one":                    {`:7: evaluation.fixed_gallery.n: found 1, want a whole number from 2 to 2^31-1`},
	"fraction_as_seed":                  {`:7: evaluation.bojanic_2019.seed: found 1.5, want a whole number from 0 to 2^64-1`},
	"unknown_estimator":                 {`:7: evaluation.estimators: found "ransack", want dlt, ransac, magsac, usac_default, usac_fast, usac_accurate or usac_prosac for homographies, essential, essential_magsac, essential_usac_default, essential_usac_fast or essential_usac_accurate for poses, own_homography_NAME or own_pose_NAME for evaluation.own_estimators[NAME], or one with parameters, such as ransac_0.5px (did you mean ransac?)`},
	"own_estimator_without_program":     {`:7: evaluation.estimators: found own_pose_mine, want the program of mine in evaluation.own_estimators`},
	"own_estimator_unused":              {`:8: evaluation.own_estimators[mine]: found a program that does not estimate, want own_pose_mine or own_homography_mine in evaluation.estimators`},
	"own_estimator_with_capitals":       {`:7: evaluation.own_estimators[My_one].name: found "My_one", want a lower-case letter, then such letters and digits`},
	"identity_without_projection":       {`:7: evaluation.relevance: found identity, but s, the keypoints of descriptors[d], are not projected; want projected sets, or another relevance`},
	"command_without_run":               {`:5: descriptors[d].run: missing, want the program and its arguments, such as [python3, mine.py]`},
	"command_without_time":              {`:5: descriptors[d].timeout: found 10, want a time above zero with its unit, such as 60s or 5m`},
	"command_of_other_keypoints":        {`:5: descriptors[d].keypoints: found "s", whose keypoints the program does not detect, want no value, or a set that starts with detect: {type: command} of the same run, files and function`},
	"command_with_patches":              {`:5: descriptors[d].patches: found it with operation describe, want it only with patches`},
	"command_match_of_nothing":          {`:5: descriptors[d].of: found "e", which is not the name of a descriptor with rows, but there are none to choose from`},
	"command_match_with_root":           {`:5: descriptors[d].root: found it with operation match, want no value: its matches are pairs, without rows and other candidates`},
	"border_of_descriptor":              {`:4: descriptors[d].border: unknown key, want one of name, label, variant, type, keypoints, run, files, function, timeout, instances, folder, operation, patches, of, pooling, root, normalize, matcher (did you mean keypoint_sets[NAME].border?)`},
}

func TestBadFilesAreRefusedWithLineKeyAndReason(t *testing.T) {
	var detectors, kinds []string
	for _, d := range keypoints.Detectors() {
		detectors = append(detectors, d.Name)
	}
	detectors = append(detectors, commandType)
	for _, k := range descriptors.Kinds() {
		kinds = append(kinds, k.Name)
	}
	tables := strings.NewReplacer("<detectors>", strings.Join(detectors, ", "), "<kinds>", strings.Join(kinds, ", "))
	for name, lines := range badFiles {
		t.Run(name, func(t *testing.T) {
			file := "testdata/" + name + ".bad.yml"
			c, err := Load(file, Overrides{})
			if err == nil {
				t.Fatalf("loaded as\n%s", c.YAML())
			}
			want := tables.Replace(file + strings.Join(lines, "\n"+file))
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
