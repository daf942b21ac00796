package notes

import (
	"maps"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
)

// kinds are all kinds of facts.
var kinds = func() map[fact.Kind]entry {
	all := make(map[fact.Kind]entry)
	for _, some := range []map[fact.Kind]entry{ofScenes, ofRankings, ofMatches, ofClasses, ofPatches, ofSetUp, ofRuns} {
		maps.Copy(all, some)
	}
	return all
}()

func rankings(m *catalogue.Metric) bool { return m.Group == "ranking" }

// numbered are words that list places, of each of which a fact has a number of things.
func numbered(places, things string) string {
	return `{{range $i, $place := .` + places + `}}{{if $i}}, {{end}}{{$place}} ({{index $ (print $place " ` + things + `")}}){{end}}`
}

// places are words that list the places of a fact, and those of several descriptors by their numbers.
const places = `{{if .alone}}{{list .places}}{{else}}{{.n}} of the scenes and pairs{{end}}`

// countBoth is what makes all keypoints at the position of a ground truth correct: another run, since records have
// no such ranks, without the preset of a fact, which refuses it.
const countBoth = `to count both as right, rerun with {{if .Has "preset"}}--set evaluation.preset=null {{end}}--set evaluation.relevance=position`

func mma(m *catalogue.Metric) bool { return m.Family == catalogue.MMA }

func homographies(m *catalogue.Metric) bool { return m.Of == catalogue.Homographies }

func poses(m *catalogue.Metric) bool { return m.Of == catalogue.Poses }

// differs says how the images of a scene contradict its homographies.
const differs = `{{if .Has "known"}}the depth of images 1 and {{.k}} does not fit: of {{.known}} matches on the epipolar lines of their cameras, {{.by_depth}} are within 3 px of where it shows them` +
	`{{with index .cameras 0}}{{if ne . "none"}} ({{.}} fit){{else}} (check the unit of depth, focal lengths and whether depth belongs to the colour image){{end}}{{end}}{{else if .Has "cameras"}}the cameras of images 1 and {{.k}} do not fit: of {{.matches}} matches, {{.fitting}} lie on their epipolar lines and {{.inliers}} on those of another pose` +
	`{{with index .cameras 0}}{{if ne . "none"}} ({{.}} fit){{else}} (check focal lengths, poses and the order of images){{end}}{{end}}{{else}}H_1_{{.k}} does not fit images 1 and {{.k}}: of {{.matches}} matches, {{.fitting}} agree with it and {{.inliers}} with another homography` +
	`{{if .Has "fits"}} ({{list .fits}} fits{{with index .fits 0}}{{if eq . "its inverse"}}: it must map image 1 to image {{$.k}}{{else if eq . "the identity"}}: is one image a copy of the other?{{end}}{{end}}){{end}}` +
	`{{if .Has "all"}}{{if eq (index .all 0) "inverted"}}; the inverses of the others fit, too{{else}}; nor do the other homographies fit: is image 1 the right one, or were the images resized?{{end}}{{end}}{{end}}`

// task returns a function that reports whether a metric is one of a task of the patch benchmark.
func task(name string) func(*catalogue.Metric) bool {
	return func(m *catalogue.Metric) bool { return m.Task == name }
}

func patchMAP(m *catalogue.Metric) bool {
	return m.Task == "matching" && m.Family != "patch_matching_success_rate_NOISE"
}

func balanced(m *catalogue.Metric) bool { return m.Protocol == "balanced" }

var ofScenes = map[fact.Kind]entry{
	fact.Failure:           {where: true, paper: true, inPaper: `{{if gt (len .scenes) 1}}{{len .scenes}} scenes ({{list .scenes}}) failed, and are{{else}}scene {{list .scenes}} failed, and is{{end}} {{.excluded}}`, hides: []fact.Kind{fact.FailedScenes}, words: `FAILED ({{.excluded}}): {{if gt (len .scenes) 1}}{{len .scenes}} scenes ({{list .scenes}}): {{end}}{{list .reason}}{{if .Has "others"}}; some for other reasons: descbench status lists them{{end}}`},
	fact.FailedScenes:      {where: true, paper: true, words: `failed scenes ({{.excluded}}): {{list .scenes}}`},
	fact.HomographyDiffers: {words: differs},
	fact.TrustedScene:      {paper: true, inPaper: `its homographies or cameras do not fit its images`, words: `evaluated because of dataset.trust, although its images contradict its homographies or cameras: ` + differs},
	fact.CopiedScene:       {paper: true, words: `{{index .images 0}} is the same image as {{index .images 1}}`},
	fact.CopiedPlanes:      {paper: true, words: `all homographies are those of {{list .scene}}; if one scene is a copy of the other, intervals and tests still count both`},
	fact.CopiedKeypoints:   {paper: true, words: `all images have the same keypoints as in {{list .scene}}; if one scene is a copy of the other, intervals and tests still count both`},
	fact.SameImages:        {words: `{{index .files 0}} and {{index .files 1}} are the same image`},
	fact.SameHomographies:  {words: `{{index .files 0}} and {{index .files 1}} are equal in a viewpoint scene`},
	fact.MissingDepth:      {paper: true, words: `{{list .files}} {{if gt (len .files) 1}}have{{else}}has{{end}} no depth, unlike other images of the scene: nothing is known of matches with {{if gt (len .files) 1}}them{{else}}it{{end}}`},
	fact.IdentityInView:    {words: `{{list .file}} is the identity in a viewpoint scene`},
	fact.Mirrored:          {words: `{{list .file}} mirrors image 1`},
	fact.BeyondInfinity:    {words: `{{list .file}} maps parts of image 1 beyond infinity`},
	fact.HardlyVisible:     {words: `{{list .file}} maps less than 1 % of image 1 into image {{.image}}`},
	fact.HardlyCovered:     {words: `{{list .file}} maps image 1 to less than 1 % of image {{.image}}`},
	fact.CapitalLetter:     {words: `its category is other: names of viewpoint and illumination scenes begin with v_ and i_`, cure: `is {{list .prefix}} meant?`},
	fact.RenamedScene:      {words: `HPatches calls this scene {{list .scene}}; the first letter says whether viewpoint (v) or illumination (i) changes`},
	fact.UnreadFiles:       {words: `not used: {{list .files}}; images are numbered from 1, and their homographies are called H_1_2, H_1_3, …`},
	fact.InexactHomography: {weight: note, paper: true, words: `H_1_{{.k}} is inexact: the matches that agree with it are off by {{fixed 1 .x}} px in x and {{fixed 1 .y}} px in y in the median`},
	fact.NothingAgrees:     {words: `none of {{.matches}} matches between {{index .images 0}} and {{index .images 1}} agrees with H_1_{{.k}}`, cure: `do they show the same scene?`},
	fact.SceneImages:       {weight: note, words: `scenes have {{.least}} to {{.most}} images: {{.pairs}} pairs in {{.n}} scenes`},
}

var ofRankings = map[fact.Kind]entry{
	fact.FewGroups: {paper: true, words: `the scenes show {{count .n "place"}}: intervals and tests draw single scenes, and say nothing about other places`},
	fact.FewScenes: {weight: light, words: `{{if .Has "n"}}{{count .n "scene"}}{{end}}{{if .Has "viewpoint"}}{{count .viewpoint "viewpoint scene"}}{{if .Has "illumination"}} and {{end}}{{end}}` +
		`{{if .Has "illumination"}}{{count .illumination "illumination scene"}}{{end}}: too few for a significance test`},
	fact.FewKeypoints: {words: `images without keypoints: {{list .images}}`},
	fact.FewQueries:   {about: rankings, words: `few queries with a ground truth: {{.n}} of {{.of}}{{if zero .n}}, so that it is not in map{{end}}{{if .Has "unknown"}}; depth does not say where {{.unknown}} more are{{end}}`},
	fact.NoQueries:    {words: `no keypoints in image 1, or none in any other: excluded from map; counted as 0 in coverage, map_including_zeros, repeatability, matching_score, mma and homographies`},
	fact.InvalidRows:  {paper: true, main: "n", words: `{{.n}}{{if .alone}} of {{.of}}{{end}} descriptors are invalid (not finite as float32, zero norm, or not computed)`},
	fact.InvalidQueries: {paper: true, about: rankings, main: "share", words: `{{percent .share}} of the queries with a ground truth have an invalid descriptor, their own or that of the ground truth` +
		`{{if .alone}}: the mean AP over queries is {{percent .with}} with them, ranked last{{if .Has "without"}}, and {{percent .without}} without them{{end}}{{end}}`, cure: `{{if not (.Has "preset")}}--set evaluation.exclude_invalid=true leaves them out{{end}}`},
	fact.LowCoverage: {paper: true, about: rankings, main: "share", words: `only {{percent .share}} of the queries have a ground truth{{if .alone}} ({{.n}} of {{.of}}){{end}}`},
	fact.UncoveredPairs: {where: true, paper: true, about: rankings, words: `within {{.px}} px, hardly any query has a ground truth in {{list .pairs}}, unlike in other pairs`,
		cure: `do images and keypoints belong together there, or is the tolerance too small?`},
	fact.AllTied: {paper: true, about: rankings, hides: []fact.Kind{fact.SamePosition, fact.ManyTies, fact.ChanceLevel}, words: `every query has the same distance to all candidates`, cure: `are all rows equal?`},
	fact.ManyTies: {paper: true, about: rankings, main: "share", hides: []fact.Kind{fact.SamePosition},
		words: `in {{percent .share}} of the queries, another candidate ties with the ground truth for first place{{if .Has "distances"}}, since Hamming distances are whole numbers{{end}}`,
		cure:  `{{if .Has "position"}}it is usually at the same position, and counts as wrong; ` + countBoth + `{{else}}evaluation.ties says how they are ranked{{end}}`},
	fact.SamePosition: {weight: note, paper: true, about: rankings, main: "share", words: `in {{percent .share}} of the queries, another keypoint at the position of the ground truth ranks first, and counts as wrong`,
		cure: countBoth},
	fact.ChanceLevel: {paper: true, about: rankings, main: "map", hides: []fact.Kind{fact.SamePosition, fact.ManyTies, fact.PlacesAtChance, fact.EmptySides, fact.RandomMatches, fact.NoMatches, fact.FailedEstimates, fact.AUCBelowHalf},
		words: `the mean AP over queries is {{percent .map}}, about that of a random order{{if .alone}} ({{percent .chance}}){{end}}`, cure: `{{if not (.Has "built-in")}}do rows and keypoints belong together, at the size of the image files?{{end}}`},
	fact.PlacesAtChance:  {where: true, paper: true, about: rankings, main: "n", words: `the mean AP is about that of a random order in ` + places, cure: `{{if not (.Has "built-in")}}do rows and keypoints belong together there, at the size of the image files?{{end}}`},
	fact.EmptySides:      {words: `all queries are at {{percent .left}}–{{percent .right}} of the width and {{percent .top}}–{{percent .bottom}} of the height`, cure: `were positions measured in images of another size?`},
	fact.SmallGallery:    {about: rankings, main: "pairs", words: `image pairs with too few keypoints for the fixed gallery, excluded from fixed_gallery_map: {{.pairs}}`},
	fact.NoPositives:     {words: `no query has a ground truth in {{list .scenes}}: excluded from all means`},
	fact.FewDistractors:  {words: `fewer than {{.want}} other scenes to draw distractors from: ` + numbered("scenes", "others")},
	fact.NoDistractors:   {words: `nothing to draw negatives from in {{list .scenes}}: retrieval is always perfect{{if .Has "excluded"}}, and excluded from {{list .excluded}}{{end}}`},
	fact.FewReference:    {words: `fewer than {{.want}} reference keypoints stay inside every target image: ` + numbered("scenes", "keypoints")},
	fact.TaskIncomplete:  {words: `incomplete: failed scenes (excluded from all metrics and from the distractors): {{list .scenes}}`},
	fact.InvalidInTask:   {paper: true, main: "n", words: `{{.n}}{{if .alone}} of {{.of}}{{end}} queries have an invalid descriptor, which has no match`},
	fact.OtherKnown:      {paper: true, words: `known differs: depth says of {{percent .least}} to {{percent .most}} of the queries whether a match is correct; the others, often at edges of objects, are in no figure, so that detectors are judged on different parts of the images`},
	fact.NoPlaces:        {weight: note, words: `cameras without depth do not say where a point lies in the other image: mAP, MMA, repeatability and classification, which need it, are not computed`},
	fact.MatchesHaveNone: {weight: note, words: `matches of a program or file have no ranks: ranking, ratio tests and tasks do not apply{{if .Has "sets"}}; nor do repeatability, localization error, matching score and recall, which need keypoint sets{{end}}{{if .Has "scored"}}; classify uses their scores{{end}}`},
	fact.OtherWindows:    {weight: note, paper: true, apart: true, words: `windows differ, in keypoint sizes: {{range $i, $size := .sizes}}{{if $i}}, {{end}}{{$size}} ({{list (index $ $size)}}){{end}}`},
	fact.OtherSets:       {words: `keypoints differ: {{range $i, $set := .sets}}{{if $i}}; {{end}}{{list (index $ $set)}} ({{$set}}){{end}}`},
	fact.OtherQueries:    {paper: true, about: rankings, main: "share", words: `queries differ on the same keypoints: coverage {{percent .share}}`},
	fact.Identical:       {words: `identical in every metric and rank, bit by bit, on the same keypoints: {{list .descriptors}}`},
}

var ofMatches = map[fact.Kind]entry{
	fact.NoMatches:       {paper: true, about: mma, main: "n", words: `image pairs without matches, which count as 0 in mma: {{.n}}{{if .alone}} of {{.of}}{{end}}`},
	fact.ExchangedPoints: {where: true, words: `the inverse homography fits the matches of {{list .pairs}} far better`, cure: `are the points of the two images exchanged?`},
	fact.RandomMatches: {where: true, paper: true, main: "n", hides: []fact.Kind{fact.FailedEstimates}, words: `hardly any match is correct {{if .alone}}within {{.px}} px {{end}}(below 2 %) in ` + places,
		cure: `{{if not (.Has "built-in")}}do row numbers refer to these keypoints, and positions to these images at their present size?{{end}}`},
	fact.OneKeypoint:     {words: `in {{.n}} of {{.of}} image pairs, more than a quarter of the matches are with one keypoint of image k`, cure: `is 0 written for no match, instead of -1?`},
	fact.FailedEstimates: {paper: true, about: homographies, main: "n", words: `{{list .estimator}} found no homography in {{.n}}{{if .alone}} of {{.of}}{{end}} estimates, whose corner error counts as infinite`},
	fact.FailedPoses:     {paper: true, about: poses, main: "n", words: `{{list .estimator}} found no pose in {{.n}}{{if .alone}} of {{.of}}{{end}} estimates, whose errors count as infinite`},
	fact.OutsideImage: {weight: note, main: "n", words: `rows of queries.parquet with a position outside of its image, which is accepted up to 1 px: {{.n}}{{if .alone}} of {{.of}}{{end}}`,
		cure: `{{if not (.Has "preset")}}does the program count from the corner of the first pixel? Then set origin: corner{{end}}`},
	fact.Shifted: {weight: note, main: "px", words: `positions are off by about {{fixed 1 .px}} px in x and in y, measured by matches in images that are scaled or turned`,
		cure: `{{if .Has "preset"}}{{else if .Has "sign"}}are they from pixel centres, despite origin: corner, or do the homographies count pixels from 1?` +
			`{{else}}positions that count from the corner of the first pixel are off by 0.5 px (set origin: corner), those that count pixels from 1 by 1 px; OpenCV's SIFT adds 0.25 px{{end}}`},
	fact.MisreadScores: {paper: true, main: "auc", words: `ROC AUC {{percent .auc}}: correct matches have the lower scores`, cure: `if these are distances, return {"matches0": ..., "distances": ...}`},
}

var ofClasses = map[fact.Kind]entry{
	fact.ConstantDistance: {words: `all {{.samples}} distances are equal: the classes cannot be separated`},
	fact.Skewed:           {main: "share", words: `only {{percent .share}} of the samples are positive{{if .alone}} ({{.n}} of {{.of}}){{end}}: the ROC curve looks too optimistic; use precision and recall (Fawcett 2006; Davis & Goadrich 2006)`},
	fact.AUCBelowHalf:     {main: "auc", words: `the area under the ROC curve is {{percent .auc}}, worse than chance: labels may be swapped, or larger values may be the more similar ones`},
	fact.BelowDiagonal:    {main: "j", words: `Youden's J is {{fixed 2 .j}}, below the diagonal of the ROC graph and worse than chance: the labels, or Yes and No, may be swapped`},
	fact.NoSamples:        {words: `no samples; all metrics are undefined`},
	fact.SingleClass:      {words: `no {{list .class}} among {{.samples}} samples: metrics that need {{list .class}} are undefined`},
	fact.FewSamples:       {words: `{{count .positives "positive"}} and {{count .negatives "negative"}}: metrics from so few samples are unreliable`},
	fact.Unscored:         {words: `matches without score or distance, which classification needs: {{.n}}`},
	fact.NoDistances:      {words: `imported matches have no distances between all pairs of keypoints`, cure: `--pairs nearest decides by their scores`},
	fact.AllClassified:    {weight: note, words: `all matches are classified, not only the {{.top}} of an image pair that matcher.top_k keeps`},
	fact.NotClassified:    {weight: note, paper: true, main: "n", words: `queries without a {{if .Has "matches"}}match{{else}}nearest neighbour{{end}}, which are excluded: {{.n}}`},
	fact.InvalidPairs:     {weight: note, paper: true, main: "n", words: `pairs with an invalid descriptor, which are excluded: {{.n}}`},
	fact.BinnedAreas:      {weight: note, paper: true, words: `error of ROC AUC below {{percent .roc_auc}}, of AP below {{percent .ap}}`},
	fact.MergedFiles:      {words: `{{list .files}} are one system, though each has positives and negatives`, cure: `to compare them: --system NAME=FILE for each`},
}

var ofPatches = map[fact.Kind]entry{
	fact.NotFinite:      {paper: true, words: `{{.n}} of {{.of}} descriptors contain NaN or infinite values (the first is {{list .first}}): their distance to every other descriptor is infinite`},
	fact.Zeros:          {paper: true, words: `{{.n}} of {{.of}} descriptors contain only zeros (the first is {{list .first}}): the distance between them is 0, as if they were identical`},
	fact.RepeatedRows:   {words: `{{.n}} of {{.of}} descriptors of reference images equal another of the same image (the first is {{list .first}}), so their distances tie: values depend on how a protocol orders ties (--protocol grouped does not)`},
	fact.CopiedImages:   {words: `images with the descriptors of another image of their sequence: {{.n}} ({{list .first}})`},
	fact.Packed:         {words: `rows of {{.dimension}} numbers from 0 to 255: if these are packed bits, distances are wrong: write a number 0 or 1 per bit, numpy.unpackbits(rows, axis=1)`},
	fact.Placement:      {paper: true, words: `windows of up to {{fixed 0 .px}} px extend beyond the patch of {{.patch}} px{{if .Has "keypoint"}}, by the keypoint of the OpenCV script{{end}}`},
	fact.NotDescribed:   {words: `{{.n}} of {{.of}} patches could not be described (NaN, count as not retrieved); sequences: {{list .sequences}}`},
	fact.GreyPatches:    {words: `all patches are grey: without colours, it compares them as SIFT does`},
	fact.ScriptStronger: {weight: note, words: `--keypoint opencv_script, as in published results of OpenCV's SIFT, is a stronger baseline on HPatches`},
	fact.NormDivided:    {weight: note, words: `rows divided by their {{list .norm}} norm (normalize: none keeps them)`},
	fact.OwnTasks:       {paper: true, inPaper: `tasks drawn from {{count .sequences "sequence"}}{{if .Has "patches"}} (patches per image: {{list .patches}}){{end}}, not those that HPatches released`, words: `the tasks are not those that HPatches released: descbench drew them from {{count .sequences "sequence"}}{{if .Has "patches"}} (patches per image: {{list .patches}}){{end}}`},
	fact.OtherStrips:    {paper: true, words: `tasks and descriptors are of different strips under the same names: {{list .sequences}}`, cure: `draw the tasks from the strips that are described`},
	fact.ShortPool:      {about: task("retrieval"), paper: true, words: `pools of {{span .first .last}} have {{span .least .most}} patches: too few distractors are from other sequences`},
	fact.CorrectMatches: {about: patchMAP, paper: true, words: `matching is averaged over correct matches only: it measures their order, not their number`},
	fact.NoiseOrder:     {about: task("matching"), words: `matching is worse at the easy noise level ({{percent .easy}}) than at the tough one ({{percent .tough}})`, cure: `are the files of e and t exchanged?`},
	fact.PatchesAtChance: {paper: true, main: "share", hides: []fact.Kind{fact.NoiseOrder}, cure: `are the rows in the order of the patches?`,
		words: `at chance: at the easy noise level, {{if .Has "share"}}{{percent .share}} of the nearest neighbours are correct{{if .alone}}, in a random order {{percent .chance}}{{end}}{{else}}the area under the ROC curve is {{percent .auc}} within sequences{{end}}`},
	fact.UnequalPairs:      {about: task("verification"), words: `{{.positives}} positive pairs, but {{.negatives}} negative pairs ({{list .list}}): each pair keeps its label here; the public Python code derives labels from the number of positives and would crash or mislabel pairs`},
	fact.InterSameSequence: {about: task("verification"), words: `{{.n}} of {{.of}} negative pairs between sequences have both patches in the same sequence, {{.place}} of them at the same place; the benchmark's own files contain such pairs, and they count as negatives`},
	fact.FewNegatives:      {about: balanced, paper: true, words: `{{.positives}} positives, but only {{.negatives}} negatives: the balanced protocol cannot use equal numbers`},
	fact.QueryNotFirst:     {about: task("retrieve"), words: `{{.n}} of {{.of}} queries have the same descriptor as an earlier patch of the pool (the first is {{list .first}}, equal to {{list .equal}}): the query was put first, as the evaluation requires`},
	fact.OneClass:          {words: `all pairs belong to one class: nothing to evaluate`},
}

var ofSetUp = map[fact.Kind]entry{
	fact.BorderLeftBehind:  {words: `the border of {{list .of}} ({{.px}} px) holds for image 1 only: projected keypoints may lie at the edges of the other images`, cure: `give this set a border, too`},
	fact.Unfilled:          {words: `detector {{list .detector}} keeps only {{.most}} keypoints per image ({{list .param}}), so {{list .selection}} {{.wanted}} cannot be filled`, cure: `raise {{list .param}} of keypoint set {{list .origin}}`},
	fact.NumbersAll:        {words: `the row numbers of its matches count all keypoints of the HDF5 file; scenes fail where the keypoint set leaves some out ({{list .recipe}})`, cure: `define a set with border: 0 and no selection, and name it in keypoints`},
	fact.SmallTolerance:    {words: `few queries have a ground truth within {{.px}} px, since keypoints are less exact`, cure: `papers count 1 to 5 px (evaluation.tolerance_px)`},
	fact.CornerOrigin:      {words: `preset {{list .preset}} takes principal points from the corner of the first pixel, as COLMAP writes them`, cure: `for cameras that count from its center, as OpenCV calibrates them: dataset.origin: center`},
	fact.UnitPixels:        {words: `std {{list .std}} is for pixels from 0 to 1, but patches have pixels from 0 to 255`, cure: `multiply mean and std by 255`},
	fact.MatcherNotApplied: {words: `all of its matches are evaluated, since evaluation.matcher does not apply to matches of a program or file`, cure: `to select from them, set {{list .key}}`},
	fact.ProgramSays:       {weight: note, paper: true, words: `{{list .note}}`},
	fact.AnglesTurn:        {weight: note, paper: true, words: `angles turn against the images`, cure: `give degrees clockwise in the image, whose y points down: 360 minus the mathematical angle`},
	fact.Upright:           {paper: true, words: `computed upright at keypoints without an angle: {{list .descriptors}}`},
	fact.SmallSizes:        {paper: true, words: `the median size is below 2 px`, cure: `give diameters in px, not radii, scores or scale factors such as the third column of D2-Net`},
	fact.DefaultSize:       {weight: note, paper: true, words: `default size {{.px}} px at keypoints without a size: {{list .descriptors}}`},
	fact.DefaultSizeUnused: {weight: note, paper: true, words: `default_size is not used where the files have sizes`, inPaper: `its default size is not used where the files have sizes`},
	fact.CutPositions:      {weight: note, paper: true, words: `keypoints outside the part of the image that the run keeps are left out, with their matches`},
	fact.MovedPositions:    {weight: note, paper: true, words: `its files give image_size: positions and sizes, also default_size, refer to the stored image and are scaled with it, by (x+0.5)*s-0.5`, inPaper: `positions and sizes refer to the stored image and are scaled with it`},
	fact.HalfFloats:        {weight: note, paper: true, words: `its files store positions as half floats, which are rounded to 0.5 px above 512 px, to 1 px above 1024 px, to 2 px above 2048 px`},
	fact.Unpinned:          {words: `none of the files of the program is listed, so that a change of it goes unnoticed`, cure: `list them under files`},
	fact.NotReproducible:   {words: `not reproducible: {{if .Has "strip"}}two calls of the program with {{list .strip}} differ{{else}}the program gives other results for the same images each time{{end}}`, cure: `{{if not (.Has "strip")}}small differences may be noise: run it again under another name with another --cache folder to see how large it is{{end}}`},
	fact.TasksLeftOut:      {words: `workbench_tasks left out (keypoint_verification_ap, keypoint_retrieval_ap): the run counted its matches within {{.px}} px`, cure: `for another tolerance, rerun the experiment under a new name`},
	fact.SingleDraw:        {paper: true, words: `one draw of the estimator's samples`, cure: `{{if .Has "own"}}a rerun with{{else}}descbench eval RUN{{end}} --set evaluation.{{list .key}}=5 shows the spread of several`},
	fact.NotScenes:         {words: `not scenes, so not evaluated: {{list .folders}}`, cure: `scenes must lie directly in the folder of the data set`},
	fact.NotCalled:         {apart: true, words: `all results were here, so no program was called ({{list .programs}})`, cure: `if one has changed in a file that its key files does not list, list the file or raise version, and use --overwrite`},
	fact.Deviation:         {paper: true, deviates: true, words: `{{list .key}}: ours {{list .ours}}, published {{list .published}}`, inPaper: `{{spoken .key}}: {{if .Has "sizes"}}ours {{index .sizes 0}}, published {{index .sizes 1}}{{else}}ours {{value .ours}}, published {{value .published}}{{end}}`},
	fact.PresetScenes:      {paper: true, deviates: true, words: `{{.n}} of its {{.of}} scenes`},
	fact.PresetPairs:       {paper: true, deviates: true, words: `{{count .n "scene"}} of a pair each, of which it has {{.of}}`},
	fact.OutsidePreset:     {paper: true, where: true, deviates: true, words: `scenes that it does not have: {{list .scenes}}`},
	fact.PresetDiffers:     {weight: light, deviates: true, words: `{{list .note}}`},
	fact.NotRestricted:     {paper: true, deviates: true, words: `{{list .key}}: not restricted to those of the best {{.n}} keypoints of both images`, inPaper: `{{spoken .key}} not restricted to those of the best {{.n}} keypoints of both images`},
}

var ofRuns = map[fact.Kind]entry{
	fact.OtherEnvironment: {paper: true, words: `computed in another environment than {{list .run}} ({{list .differs}})`, cure: `extract both in one environment to compare the descriptors alone`},
	fact.OtherFile:        {paper: true, words: `other content of {{list .file}} than in {{list .run}}`},
	fact.OtherImages:      {where: true, paper: true, words: `other images or homographies of {{list .scenes}} than in {{list .run}}`},
	fact.ComparedOnce:     {weight: note, words: `{{range $i, $system := .systems}}{{if $i}}, {{end}}{{$system}} equals {{index $.others $i}}{{end}} in all that is compared, bit by bit: compared once`},
	fact.OtherMatches:     {paper: true, words: `matches differ{{if .Has "metric"}}, which affects {{list .metric}}{{end}}: {{range $i, $matcher := .matchers}}{{if $i}} and {{end}}{{list (index $ $matcher)}} ({{$matcher}}){{end}}`},
	fact.OtherKeypoints: {paper: true, words: `keypoints differ from those of {{list .baseline}} in {{.n}} of {{.of}} scenes, which affects {{list .metric}}` +
		`{{if .Has "coverage"}}: coverage {{percent .coverage}} against {{percent .theirs}}, mean gallery {{fixed 0 .gallery}} against {{fixed 0 .gallery_theirs}}{{end}}`},
	fact.UnknownKeypoints: {paper: true, words: `{{list .with}} has only matches: descbench cannot say whether the keypoints are the same`},
	fact.SimilarKeypoints: {paper: true, words: `keypoints differ from those of {{list .baseline}} in {{.n}} of {{.of}} scenes, though not in coverage and gallery: they may be the same positions with other sizes, angles or responses`},
	fact.Apart:            {weight: note, paper: true, words: `not compared, since on other keypoints: {{list .descriptors}}`, cure: `for them, use one of them as --baseline, or name them with --only`},
	fact.CountedApart:     {weight: note, words: `Holm's correction counts {{count .n "descriptor"}} on other keypoints`, cure: `with --only {{list .only}}, it does not`},
	fact.LacksScenes:      {paper: true, where: true, words: `over {{count .n "scene"}} only, without {{list .scenes}}`, cure: `descbench compare uses the shared scenes`},
	fact.OtherProtocols:   {paper: true, words: `the runs have different protocols`, cure: `do not compare values of one with those of another`},
	fact.OtherRelevance:   {weight: note, paper: true, words: `mAP of runs with different rules of relevance cannot be compared: {{range $i, $rule := .rules}}{{if $i}}; {{end}}{{list (index $ $rule)}} counts {{if eq $rule "position"}}all keypoints at the position of the ground truth{{else if eq $rule "identity"}}the projection of the query itself{{else}}the ground truth alone{{end}} as correct{{end}}`},
	fact.OtherScenes:      {paper: true, words: `the runs have different scenes`, cure: `do not compare values of one with those of another; descbench compare uses the shared scenes`},
	fact.NotComputed:      {words: `not computed or undefined: {{all .metrics}}`},
	fact.MatchesPerPair:   {weight: note, paper: true, main: "matches", words: `matches per pair: {{fixed 1 .matches}}; match_recall@3 is the share of possible correct matches that were found`},
	fact.IntervalDiffers:  {weight: note, paper: true, words: `where an interval excludes 0 and the mark is ~, go by the mark: {{list .why}}`},
	fact.Unshared: {where: true, paper: true, words: `compared on {{count .n "shared scene"}}{{if .Has "base"}}; only in {{list .baseline}}: {{list .base}}{{end}}{{if .Has "other"}}; not in {{list .baseline}}: {{list .other}}{{end}}` +
		`{{if .Has "images"}}; different images or homographies under the same name{{if .Has "resized"}} (images {{list .resized}}, those of the baseline {{list .base_resized}}){{end}}: {{list .images}}{{end}}` +
		`{{if .Has "undefined"}}; without {{list .metric}}: {{list .undefined}}{{end}}{{if .Has "base_undefined"}}; {{list .baseline}} without {{list .metric}}: {{list .base_undefined}}{{end}}`},
	fact.OtherProtocol: {paper: true, inPaper: `not compared: another protocol`, words: `not compared: different protocol ({{list .differs}})`,
		cure: `{{if .Has "sets"}}to evaluate all runs again under one protocol, where their records allow it:{{range .sets}} --set {{.}}{{end}}{{else}}run both under one protocol{{end}}`},
	fact.NoValues:        {words: `not compared: {{if .Has "metric"}}no scene has {{list .metric}}{{if .Has "matches"}}: matches have no ranks (mma@3 needs none){{end}}{{else}}failed in all scenes{{end}}`},
	fact.Unpaired:        {paper: true, words: `left out: {{list .out}}, {{if .Has "factor"}}without the factor {{list .factor}}{{else}}without results for {{list .missing}}{{end}}`},
	fact.OlderResults:    {words: `not compared: {{count .n "result"}} of earlier descriptor files`},
	fact.OtherEvaluation: {words: `not compared: evaluated differently ({{list .differs}})`},
	fact.AmbiguousMetric: {weight: note, words: `--metric {{list .word}} stands for {{list .metrics}}; this compares {{list .metric}}`},
}
