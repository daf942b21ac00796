package notes

import (
	"maps"
	"os"
	"regexp"
	"testing"

	"descbench/eval/fact"
)

// manual has a fact of each kind, and what is said of it.
var manual = []struct {
	fact fact.Fact
	text string
}{
	{fact.New(fact.FailedScenes, "v_a", "v_b"), `failed scenes (excluded from all metrics): v_a, v_b`},
	{fact.New(fact.Failure, "v_a").Naming("reason", "v_a/1.ppm: no such file"), `FAILED (excluded from all metrics): v_a/1.ppm: no such file`},
	{fact.New(fact.Failure, "v_a").Naming("reason", "v_a/1.ppm: no such file").On("mine"), `FAILED (excluded for this descriptor): v_a/1.ppm: no such file`},
	{fact.New(fact.Failure, "v_a", "v_b").Naming("reason", "images 1 and 2: no such file"), `FAILED (excluded from all metrics): 2 scenes (v_a, v_b): images 1 and 2: no such file`},
	{fact.New(fact.HomographyDiffers).With("k", 2).With("matches", 57).With("fitting", 2).With("inliers", 45).Naming("cause", "inverted").Naming("all", "inverted"), `H_1_2 does not fit images 1 and 2: of 57 matches, 2 agree with it and 45 with another homography (its inverse fits: it must map image 1 to image 2); the inverses of the others fit, too`},
	{fact.New(fact.HomographyDiffers).With("k", 2).With("matches", 57).With("fitting", 2).With("inliers", 45).Naming("cameras", "inverse poses"), `the cameras of images 1 and 2 do not fit: of 57 matches, 2 lie on their epipolar lines and 45 on those of another pose (inverse poses fit)`},
	{fact.New(fact.HomographyDiffers).With("k", 3).With("matches", 57).With("fitting", 2).With("inliers", 45).Naming("cameras", "none"), `the cameras of images 1 and 3 do not fit: of 57 matches, 2 lie on their epipolar lines and 45 on those of another pose (check focal lengths, poses and the order of images)`},
	{fact.New(fact.HomographyDiffers).With("k", 3).With("known", 57).With("by_depth", 2).Naming("cameras", "depth in units of 1/5000"), `the depth of images 1 and 3 does not fit: of 57 matches on the epipolar lines of their cameras, 2 are within 3 px of where it shows them (depth in units of 1/5000 fit)`},
	{fact.New(fact.TrustedScene, "v_a").With("k", 2).With("matches", 57).With("fitting", 2).With("inliers", 45).Naming("cause", "swapped").With("instead", 3), `v_a: evaluated because of dataset.trust, although its images contradict its homographies or cameras: H_1_2 does not fit images 1 and 2: of 57 matches, 2 agree with it and 45 with another homography (H_1_3 fits: are files swapped?)`},
	{fact.New(fact.CopiedScene, "v_b").Naming("images", "1.ppm", "v_a/1.ppm"), `v_b: 1.ppm is the same image as v_a/1.ppm`},
	{fact.New(fact.CopiedPlanes, "v_b").Naming("scene", "v_a"), `v_b: all homographies are those of v_a; if one scene is a copy of the other, intervals and tests still count both`},
	{fact.New(fact.CopiedKeypoints, "v_b").Naming("scene", "v_a").Naming("set", "dog"), `v_b: all images have the same keypoints as in v_a; if one scene is a copy of the other, intervals and tests still count both`},
	{fact.New(fact.SameImages, "v_a").Naming("files", "1.ppm", "3.ppm"), `v_a: 1.ppm and 3.ppm are the same image`},
	{fact.New(fact.SameHomographies, "v_a").Naming("files", "H_1_2", "H_1_3"), `v_a: H_1_2 and H_1_3 are equal in a viewpoint scene`},
	{fact.New(fact.MissingDepth, "v_a").Naming("files", "2.jpg"), `v_a: 2.jpg has no depth, unlike other images of the scene: nothing is known of matches with it`},
	{fact.New(fact.IdentityInView, "v_a").Naming("file", "H_1_2"), `v_a: H_1_2 is the identity in a viewpoint scene`},
	{fact.New(fact.Mirrored, "v_a").Naming("file", "H_1_2"), `v_a: H_1_2 mirrors image 1`},
	{fact.New(fact.BeyondInfinity, "v_a").Naming("file", "H_1_2"), `v_a: H_1_2 maps parts of image 1 beyond infinity`},
	{fact.New(fact.HardlyVisible, "v_a").Naming("file", "H_1_2").With("image", 2), `v_a: H_1_2 maps less than 1 % of image 1 into image 2`},
	{fact.New(fact.HardlyCovered, "v_a").Naming("file", "H_1_2").With("image", 2), `v_a: H_1_2 maps image 1 to less than 1 % of image 2`},
	{fact.New(fact.CapitalLetter, "V_dome").Naming("prefix", "v_"), `V_dome: its category is other: names of viewpoint and illumination scenes begin with v_ and i_; is v_ meant?`},
	{fact.New(fact.RenamedScene, "v_dome").Naming("scene", "i_dome"), `v_dome: HPatches calls this scene i_dome; the first letter says whether viewpoint (v) or illumination (i) changes`},
	{fact.New(fact.UnreadFiles, "v_a").Naming("files", "0.png", "H1.txt"), `v_a: not used: 0.png, H1.txt; images are numbered from 1, and their homographies are called H_1_2, H_1_3, …`},
	{fact.New(fact.InexactHomography, "v_a").With("k", 3).With("x", 2.04).With("y", -0.1), `v_a: H_1_3 is inexact: the matches that agree with it are off by 2.0 px in x and -0.1 px in y in the median`},
	{fact.New(fact.NothingAgrees, "v_a").With("matches", 50).With("k", 2).Naming("images", "1.ppm", "2.ppm"), `v_a: none of 50 matches between 1.ppm and 2.ppm agrees with H_1_2; do they show the same scene?`},
	{fact.New(fact.SceneImages).With("pairs", 14).With("n", 4).With("least", 4).With("most", 5), `scenes have 4 to 5 images: 14 pairs in 4 scenes`},
	{fact.New(fact.FewScenes).With("viewpoint", 1).With("illumination", 4), `1 viewpoint scene and 4 illumination scenes: too few for a significance test`},
	{fact.New(fact.FewKeypoints, "v_a").Naming("images", "3", "4"), `v_a: images without keypoints: 3, 4`},
	{fact.New(fact.FewQueries, "v_a").Counting(3, 8), `v_a: few queries with a ground truth: 3 of 8`},
	{fact.New(fact.FewQueries, "v_a").Counting(0, 8), `v_a: few queries with a ground truth: 0 of 8, so that it is not in map`},
	{fact.New(fact.FewQueries, "v_a").Counting(0, 0).With("unknown", 9), `v_a: few queries with a ground truth: 0 of 0, so that it is not in map; depth does not say where 9 more are`},
	{fact.New(fact.NoQueries, "v_a", "v_b"), `v_a, v_b: no keypoints in image 1, or none in any other: excluded from map; counted as 0 in coverage, map_including_zeros, repeatability, matching_score, mma and homographies`},
	{fact.New(fact.InvalidRows).Counting(1234567, 2000000), `1234567 of 2000000 descriptors are invalid (not finite as float32, zero norm, or not computed)`},
	{fact.New(fact.InvalidQueries).Counting(1, 8).With("share", 0.125).With("with", 0.592).With("without", 0.64), `12.5 % of the queries with a ground truth have an invalid descriptor, their own or that of the ground truth: the mean AP over queries is 59.2 % with them, ranked last, and 64.0 % without them; --set evaluation.exclude_invalid=true leaves them out`},
	{fact.New(fact.LowCoverage).Counting(19, 600).With("share", 19./600), `only 3.2 % of the queries have a ground truth (19 of 600)`},
	{fact.New(fact.UncoveredPairs, "v_a").With("px", 1.5).Naming("pairs", "v_a/1_3"), `within 1.5 px, hardly any query has a ground truth in v_a/1_3, unlike in other pairs; do images and keypoints belong together there, or is the tolerance too small?`},
	{fact.New(fact.AllTied), `every query has the same distance to all candidates; are all rows equal?`},
	{fact.New(fact.ManyTies).With("share", 0.223).Naming("distances", "hamming").Naming("position", "same"), `in 22.3 % of the queries, another candidate ties with the ground truth for first place, since Hamming distances are whole numbers; it is usually at the same position, and counts as wrong; to count both as right, rerun with --set evaluation.relevance=position`},
	{fact.New(fact.SamePosition).With("share", 0.08), `in 8.0 % of the queries, another keypoint at the position of the ground truth ranks first, and counts as wrong; to count both as right, rerun with --set evaluation.relevance=position`},
	{fact.New(fact.SamePosition).With("share", 0.08).Naming("preset", "workbench"), `in 8.0 % of the queries, another keypoint at the position of the ground truth ranks first, and counts as wrong; to count both as right, rerun with --set evaluation.preset=null --set evaluation.relevance=position`},
	{fact.New(fact.ChanceLevel).With("map", 0.018).With("chance", 0.0294), `the mean AP over queries is 1.8 %, about that of a random order (2.9 %); do rows and keypoints belong together, at the size of the image files?`},
	{fact.New(fact.PlacesAtChance, "v_a", "v_b").Naming("places", "v_a/1_3", "v_b").With("n", 2), `the mean AP is about that of a random order in v_a/1_3, v_b; do rows and keypoints belong together there, at the size of the image files?`},
	{fact.New(fact.EmptySides).With("left", 0.03).With("right", 0.47).With("top", 0.04).With("bottom", 0.5), `all queries are at 3.0 %–47.0 % of the width and 4.0 %–50.0 % of the height; were positions measured in images of another size?`},
	{fact.New(fact.SmallGallery).With("pairs", 2), `image pairs with too few keypoints for the fixed gallery, excluded from fixed_gallery_map: 2`},
	{fact.New(fact.NoPositives, "v_a").Of("workbench_tasks"), `workbench_tasks: no query has a ground truth in v_a: excluded from all means`},
	{fact.New(fact.FewDistractors, "v_a").Of("workbench_tasks").With("want", 2).With("v_a others", 1), `workbench_tasks: fewer than 2 other scenes to draw distractors from: v_a (1)`},
	{fact.New(fact.NoDistractors, "v_a").Of("workbench_tasks").Naming("excluded", "keypoint_retrieval_ap"), `workbench_tasks: nothing to draw negatives from in v_a: retrieval is always perfect, and excluded from keypoint_retrieval_ap`},
	{fact.New(fact.FewReference, "v_a", "v_b").Of("bojanic_2019").With("want", 100).With("v_a keypoints", 7).With("v_b keypoints", 9), `bojanic_2019: fewer than 100 reference keypoints stay inside every target image: v_a (7), v_b (9)`},
	{fact.New(fact.TaskIncomplete, "v_a").Of("bojanic_2019"), `bojanic_2019: incomplete: failed scenes (excluded from all metrics and from the distractors): v_a`},
	{fact.New(fact.InvalidInTask).Of("bojanic_2019").Counting(2, 5), `bojanic_2019: 2 of 5 queries have an invalid descriptor, which has no match`},
	{fact.New(fact.OutsideImage).Counting(5, 100), `rows of queries.parquet with a position outside of its image, which is accepted up to 1 px: 5 of 100; does the program count from the corner of the first pixel? Then set origin: corner`},
	{fact.New(fact.Shifted).With("px", 0.52), `positions are off by about 0.5 px in x and in y, measured by matches in images that are scaled or turned; positions that count from the corner of the first pixel are off by 0.5 px (set origin: corner), those that count pixels from 1 by 1 px; OpenCV's SIFT adds 0.25 px`},
	{fact.New(fact.OtherWindows).Of("dog").Naming("sizes", "7.5", "2.7").Naming("7.5", "sift", "orb").Naming("2.7", "surf"), `windows differ, in keypoint sizes: 7.5 (sift, orb), 2.7 (surf)`},
	{fact.New(fact.NoPlaces), `cameras without depth do not say where a point lies in the other image: mAP, MMA, repeatability and classification, which need it, are not computed`},
	{fact.New(fact.FewGroups).With("n", 2), `the scenes show 2 places: intervals and tests draw single scenes, and say nothing about other places`},
	{fact.New(fact.OtherSets).Naming("sets", "detect sift", "detect orb").Naming("detect sift", "sift", "surf").Naming("detect orb", "orb"), `keypoints differ: sift, surf (detect sift); orb (detect orb)`},
	{fact.New(fact.OtherKnown).With("least", 0.5).With("most", 0.625), `known differs: depth says of 50.0 % to 62.5 % of the queries whether a match is correct; the others, often at edges of objects, are in no figure, so that detectors are judged on different parts of the images`},
	{fact.New(fact.OtherQueries).With("share", 0.5), `queries differ on the same keypoints: coverage 50.0 %`},
	{fact.New(fact.Identical).Naming("descriptors", "a", "b"), `identical in every metric and rank, bit by bit, on the same keypoints: a, b`},
	{fact.New(fact.SingleDraw).Naming("key", "estimator_draws"), `one draw of the estimator's samples; descbench eval RUN --set evaluation.estimator_draws=5 shows the spread of several`},
	{fact.New(fact.NotCalled).Naming("programs", "net.py"), `all results were here, so no program was called (net.py); if one has changed in a file that its key files does not list, list the file or raise version, and use --overwrite`},
	{fact.New(fact.MatchesHaveNone).Naming("sets", "none").Naming("scored", "yes"), `matches of a program or file have no ranks: ranking, ratio tests and tasks do not apply; nor do repeatability, localization error, matching score and recall, which need keypoint sets; classify uses their scores`},
	{fact.New(fact.NoMatches).Counting(1, 4), `image pairs without matches, which count as 0 in mma: 1 of 4`},
	{fact.New(fact.ExchangedPoints, "v_a").Naming("pairs", "v_a/1_3"), `the inverse homography fits the matches of v_a/1_3 far better; are the points of the two images exchanged?`},
	{fact.New(fact.RandomMatches, "v_a", "v_c").With("px", 3).With("n", 2).Naming("places", "v_a", "v_c/1_2"), `hardly any match is correct within 3 px (below 2 %) in v_a, v_c/1_2; do row numbers refer to these keypoints, and positions to these images at their present size?`},
	{fact.New(fact.OneKeypoint).Counting(2, 3), `in 2 of 3 image pairs, more than a quarter of the matches are with one keypoint of image k; is 0 written for no match, instead of -1?`},
	{fact.New(fact.FailedPoses).Naming("estimator", "essential").Counting(1, 4), `essential found no pose in 1 of 4 estimates, whose errors count as infinite`},
	{fact.New(fact.FailedEstimates).Naming("estimator", "magsac").Counting(1, 4), `magsac found no homography in 1 of 4 estimates, whose corner error counts as infinite`},
	{fact.New(fact.MisreadScores).With("auc", 0.25), `ROC AUC 25.0 %: correct matches have the lower scores; if these are distances, return {"matches0": ..., "distances": ...}`},
	{fact.New(fact.ConstantDistance).With("samples", 20), `all 20 distances are equal: the classes cannot be separated`},
	{fact.New(fact.Skewed).Counting(5, 1000).With("share", 0.005), `only 0.5 % of the samples are positive (5 of 1000): the ROC curve looks too optimistic; use precision and recall (Fawcett 2006; Davis & Goadrich 2006)`},
	{fact.New(fact.AUCBelowHalf).With("auc", 0.125), `the area under the ROC curve is 12.5 %, worse than chance: labels may be swapped, or larger values may be the more similar ones`},
	{fact.New(fact.BelowDiagonal).With("j", -0.5), `Youden's J is -0.50, below the diagonal of the ROC graph and worse than chance: the labels, or Yes and No, may be swapped`},
	{fact.New(fact.NoSamples), `no samples; all metrics are undefined`},
	{fact.New(fact.SingleClass).With("samples", 23).Naming("class", "positives").Naming("files", "a.csv").With("a.csv positives", 0).With("a.csv negatives", 23), `no positives among 23 samples (a.csv: 0 positives, 23 negatives): metrics that need positives are undefined`},
	{fact.New(fact.FewSamples).With("positives", 1).With("negatives", 10), `1 positive and 10 negatives: metrics from so few samples are unreliable`},
	{fact.New(fact.Unscored).With("n", 7), `matches without score or distance, which classification needs: 7`},
	{fact.New(fact.NoDistances), `imported matches have no distances between all pairs of keypoints; --pairs nearest decides by their scores`},
	{fact.New(fact.AllClassified).With("top", 100), `all matches are classified, not only the 100 of an image pair that matcher.top_k keeps`},
	{fact.New(fact.MergedFiles).Naming("files", "a.csv", "b.csv"), `a.csv, b.csv are one system, though each has positives and negatives; to compare them: --system NAME=FILE for each`},
	{fact.New(fact.NotFinite).Counting(2, 4).Naming("first", "i_a.ref.1"), `2 of 4 descriptors contain NaN or infinite values (the first is i_a.ref.1): their distance to every other descriptor is infinite`},
	{fact.New(fact.Zeros).Counting(2, 4).Naming("first", "i_a.ref.1"), `2 of 4 descriptors contain only zeros (the first is i_a.ref.1): the distance between them is 0, as if they were identical`},
	{fact.New(fact.RepeatedRows).Counting(2, 4).Naming("first", "i_a.ref.1"), `2 of 4 descriptors of reference images equal another of the same image (the first is i_a.ref.1), so their distances tie: values depend on how a protocol orders ties (--protocol grouped does not)`},
	{fact.New(fact.CopiedImages).With("n", 2).Naming("first", "i_a: e2 and e1"), `images with the descriptors of another image of their sequence: 2 (i_a: e2 and e1)`},
	{fact.New(fact.Packed).With("dimension", 32), `rows of 32 numbers from 0 to 255: if these are packed bits, distances are wrong: write a number 0 or 1 per bit, numpy.unpackbits(rows, axis=1)`},
	{fact.New(fact.Placement).With("px", 97).With("patch", 65).Naming("keypoint", "opencv"), `windows of up to 97 px extend beyond the patch of 65 px, by the keypoint of the OpenCV script`},
	{fact.New(fact.OwnTasks).With("sequences", 1).Naming("patches", "10 to 20"), `the tasks are not those that HPatches released: descbench drew them from 1 sequence (patches per image: 10 to 20)`},
	{fact.New(fact.ShortPool).Of("retrieval").With("first", 500).With("last", 20000).With("least", 133).With("most", 145), `retrieval: pools of 500 to 20000 have 133 to 145 patches: too few distractors are from other sequences`},
	{fact.New(fact.CorrectMatches), `matching is averaged over correct matches only: it measures their order, not their number`},
	{fact.New(fact.NoiseOrder).With("easy", 0.2).With("tough", 0.3), `matching is worse at the easy noise level (20.0 %) than at the tough one (30.0 %); are the files of e and t exchanged?`},
	{fact.New(fact.UnequalPairs).Of("verification").With("positives", 260).With("negatives", 250).Naming("list", "inter"), `verification: 260 positive pairs, but 250 negative pairs (inter): each pair keeps its label here; the public Python code derives labels from the number of positives and would crash or mislabel pairs`},
	{fact.New(fact.InterSameSequence).Of("verification").Counting(3, 40).With("place", 1), `verification: 3 of 40 negative pairs between sequences have both patches in the same sequence, 1 of them at the same place; the benchmark's own files contain such pairs, and they count as negatives`},
	{fact.New(fact.FewNegatives).With("positives", 3).With("negatives", 2), `3 positives, but only 2 negatives: the balanced protocol cannot use equal numbers`},
	{fact.New(fact.QueryNotFirst).Counting(2, 4).Naming("first", "v_b.ref.7").Naming("equal", "v_b.ref.2"), `2 of 4 queries have the same descriptor as an earlier patch of the pool (the first is v_b.ref.7, equal to v_b.ref.2): the query was put first, as the evaluation requires`},
	{fact.New(fact.OneClass), `all pairs belong to one class: nothing to evaluate`},
	{fact.New(fact.Deviation).Naming("key", "evaluation.tolerance_px").Naming("ours", "5").Naming("published", "3"), `evaluation.tolerance_px: ours 5, published 3`},
	{fact.New(fact.PresetScenes).Counting(3, 108), `3 of its 108 scenes`},
	{fact.New(fact.PresetPairs).Counting(28, 1500), `28 scenes of a pair each, of which it has 1500`},
	{fact.New(fact.OutsidePreset, "v_own"), `scenes that it does not have: v_own`},
	{fact.New(fact.PresetDiffers).Naming("preset", "p").Naming("note", "images are decoded by OpenCV"), `images are decoded by OpenCV`},
	{fact.New(fact.NotRestricted).Naming("key", "descriptors[1].matches").With("n", 1000), `descriptors[1].matches: not restricted to those of the best 1000 keypoints of both images`},
	{fact.New(fact.TasksLeftOut).With("px", 3), `workbench_tasks left out (keypoint_verification_ap, keypoint_retrieval_ap): the run counted its matches within 3 px; for another tolerance, rerun the experiment under a new name`},
	{fact.New(fact.BorderLeftBehind).Of("moved").With("px", 10).Naming("of", "dog"), `moved: the border of dog (10 px) holds for image 1 only: projected keypoints may lie at the edges of the other images; give this set a border, too`},
	{fact.New(fact.Unfilled).Of("few").With("most", 500).With("wanted", 2000).Naming("detector", "orb").Naming("param", "nfeatures").Naming("selection", "top.per_image").Naming("origin", "all"), `few: detector orb keeps only 500 keypoints per image (nfeatures), so top.per_image 2000 cannot be filled; raise nfeatures of keypoint set all`},
	{fact.New(fact.NumbersAll).Naming("recipe", "top 200 per image"), `the row numbers of its matches count all keypoints of the HDF5 file; scenes fail where the keypoint set leaves some out (top 200 per image); define a set with border: 0 and no selection, and name it in keypoints`},
	{fact.New(fact.SmallTolerance).With("px", 0.03), `few queries have a ground truth within 0.03 px, since keypoints are less exact; papers count 1 to 5 px (evaluation.tolerance_px)`},
	{fact.New(fact.CornerOrigin).Naming("preset", "p"), `preset p takes principal points from the corner of the first pixel, as COLMAP writes them; for cameras that count from its center, as OpenCV calibrates them: dataset.origin: center`},
	{fact.New(fact.UnitPixels).Naming("std", "[0.229]"), `std [0.229] is for pixels from 0 to 1, but patches have pixels from 0 to 255; multiply mean and std by 255`},
	{fact.New(fact.MatcherNotApplied).Naming("key", "descriptors[1].matcher"), `all of its matches are evaluated, since evaluation.matcher does not apply to matches of a program or file; to select from them, set descriptors[1].matcher`},
	{fact.New(fact.ProgramSays).Naming("note", "weights of 2020"), `weights of 2020`},
	{fact.New(fact.AnglesTurn).Of("dog"), `dog: angles turn against the images; give degrees clockwise in the image, whose y points down: 360 minus the mathematical angle`},
	{fact.New(fact.Upright).Of("dog").Naming("descriptors", "sift"), `dog: computed upright at keypoints without an angle: sift`},
	{fact.New(fact.SmallSizes).Of("dog"), `dog: the median size is below 2 px; give diameters in px, not radii, scores or scale factors such as the third column of D2-Net`},
	{fact.New(fact.DefaultSize).Of("dog").With("px", 12).Naming("descriptors", "sift", "surf"), `dog: default size 12 px at keypoints without a size: sift, surf`},
	{fact.New(fact.DefaultSizeUnused).Of("dog"), `dog: default_size is not used where the files have sizes`},
	{fact.New(fact.CutPositions).Of("dog"), `dog: keypoints outside the part of the image that the run keeps are left out, with their matches`},
	{fact.New(fact.MovedPositions).Of("dog"), `dog: its files give image_size: positions and sizes, also default_size, refer to the stored image and are scaled with it, by (x+0.5)*s-0.5`},
	{fact.New(fact.HalfFloats).Of("dog"), `dog: its files store positions as half floats, which are rounded to 0.5 px above 512 px, to 1 px above 1024 px, to 2 px above 2048 px`},
	{fact.New(fact.Unpinned).Of("descriptors[1]"), `descriptors[1]: none of the files of the program is listed, so that a change of it goes unnoticed; list them under files`},
	{fact.New(fact.NotReproducible).Of("descriptors[1]"), `descriptors[1]: not reproducible: the program gives other results for the same images each time; small differences may be noise: run it again under another name with another --cache folder to see how large it is`},
	{fact.New(fact.UncheckedCache).Of("descriptors[1]"), `descriptors[1]: cached results were used unchecked: the program failed when it was called again`},
	{fact.New(fact.OtherEnvironment).Naming("run", "runs/a").Naming("differs", "OpenCV"), `computed in another environment than runs/a (OpenCV); extract both in one environment to compare the descriptors alone`},
	{fact.New(fact.OtherFile).Naming("file", "net.pt of descriptors[1].files").Naming("run", "a"), `other content of net.pt of descriptors[1].files than in a`},
	{fact.New(fact.OtherImages, "v_a").Naming("run", "a"), `other images or homographies of v_a than in a`},
	{fact.New(fact.ComparedOnce).Naming("systems", "a:sift", "a:surf").Naming("others", "b:sift", "b:surf"), `a:sift equals b:sift, a:surf equals b:surf in all that is compared, bit by bit: compared once`},
	{fact.New(fact.OtherMatches).Naming("metric", "mma@3").Naming("matchers", "mutual", "ratio 0.8").Naming("mutual", "sift").Naming("ratio 0.8", "surf"), `matches differ, which affects mma@3: sift (mutual) and surf (ratio 0.8)`},
	{fact.New(fact.OtherKeypoints).Counting(3, 8).Naming("baseline", "sift").Naming("metric", "map").With("coverage", 0.5).With("theirs", 0.4).With("gallery", 812.4).With("gallery_theirs", 900), `keypoints differ from those of sift in 3 of 8 scenes, which affects map: coverage 50.0 % against 40.0 %, mean gallery 812 against 900`},
	{fact.New(fact.UnknownKeypoints).Naming("with", "loftr"), `loftr has only matches: descbench cannot say whether the keypoints are the same`},
	{fact.New(fact.SimilarKeypoints).Counting(3, 8).Naming("baseline", "sift").Naming("metric", "map"), `keypoints differ from those of sift in 3 of 8 scenes, though not in coverage and gallery: they may be the same positions with other sizes, angles or responses`},
	{fact.New(fact.Apart).Naming("descriptors", "a", "c"), `not compared, since on other keypoints: a, c; for them, use one of them as --baseline, or name them with --only`},
	{fact.New(fact.CountedApart).With("n", 1).Naming("only", "dog"), `Holm's correction counts 1 descriptor on other keypoints; with --only dog, it does not`},
	{fact.New(fact.DifferentScenes).With("n", 8), `not all descriptors have results for all 8 scenes, so that their means are over different scenes; differences are over the shared scenes only`},
	{fact.New(fact.LacksScenes, "v_c").With("n", 4), `over 4 scenes only, without v_c; descbench compare uses the shared scenes`},
	{fact.New(fact.OtherRelevance).Naming("rules", "nearest", "position").Naming("nearest", "a").Naming("position", "b"),
		`mAP of runs with different rules of relevance cannot be compared: a counts the ground truth alone as correct; b counts all keypoints at the position of the ground truth as correct`},
	{fact.New(fact.OtherProtocols), `the runs have different protocols; do not compare values of one with those of another`},
	{fact.New(fact.OtherScenes), `the runs have different scenes; do not compare values of one with those of another; descbench compare uses the shared scenes`},
	{fact.New(fact.NotComputed).Naming("metrics", "mma@1", "time"), `not computed or undefined: mma@1, time`},
	{fact.New(fact.Unchanged), `no column has other values than in the run; --columns shows other metrics`},
	{fact.New(fact.MatchesPerPair).With("matches", 12.36), `matches per pair: 12.4; match_recall@3 is the share of possible correct matches that were found`},
	{fact.New(fact.IntervalDiffers).Naming("why", "it counts all comparisons"), `where an interval excludes 0 and the mark is ~, go by the mark: it counts all comparisons`},
	{fact.New(fact.Unshared).With("n", 2).Naming("baseline", "sift").Naming("metric", "mma@3").Naming("base", "v_a").Naming("other", "v_b").Naming("images", "v_c").Naming("resized", "resized to 480 px").Naming("base_resized", "not resized").Naming("undefined", "v_d").Naming("base_undefined", "v_e"),
		`compared on 2 shared scenes; only in sift: v_a; not in sift: v_b; different images or homographies under the same name (images resized to 480 px, those of the baseline not resized): v_c; without mma@3: v_d; sift without mma@3: v_e`},
	{fact.New(fact.OtherProtocol).Naming("differs", "ties: mean -> strict").Naming("sets", "ties=mean"), `not compared: different protocol (ties: mean -> strict); to evaluate all runs again under one protocol, where their records allow it: --set ties=mean`},
	{fact.New(fact.NoValues), `not compared: failed in all scenes`},
	{fact.New(fact.NoValues).Naming("metric", "map_macro").Naming("matches", "yes"), `not compared: no scene has map_macro: matches have no ranks (mma@3 needs none)`},
	{fact.New(fact.Unpaired).Naming("out", "a", "b").Naming("missing", "root=l1"), `left out: a, b, without results for root=l1`},
	{fact.New(fact.Unpaired).Naming("out", "a").Naming("factor", "root"), `left out: a, without the factor root`},
	{fact.New(fact.OlderResults).With("n", 2), `not compared: 2 results of earlier descriptor files`},
	{fact.New(fact.OtherEvaluation).Naming("differs", "task: a -> b"), `not compared: evaluated differently (task: a -> b)`},
	{fact.New(fact.AmbiguousMetric).Naming("word", "ap").Naming("metrics", "map_micro", "map_macro").Naming("metric", "map_micro"), `--metric ap stands for map_micro, map_macro; this compares map_micro`},
	{fact.New(fact.NotOfPreset).Naming("preset", "p").Naming("metric", "mma@3").Naming("metrics", "mma@1", "mma@5"), `preset p does not report mma@3; for one that it reports, use --metric mma@1`},
}

func TestEachKindHasItsWords(t *testing.T) {
	source, err := os.ReadFile("../../eval/fact/kinds.go")
	if err != nil {
		t.Fatal(err)
	}
	left := make(map[fact.Kind]bool)
	for _, kind := range regexp.MustCompile(`Kind = "(.+)"`).FindAllStringSubmatch(string(source), -1) {
		left[fact.Kind(kind[1])] = true
	}
	known := maps.Clone(left)
	for _, of := range manual {
		if got := Text(of.fact); got != of.text || !known[of.fact.Kind] {
			t.Errorf("%s (known: %v):\n%s\nwant\n%s", of.fact.Kind, known[of.fact.Kind], got, of.text)
		}
		delete(left, of.fact.Kind)
	}
	if len(left) > 0 {
		t.Errorf("not in the manual: %v", left)
	}
}
