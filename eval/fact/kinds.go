package fact

// A Kind is a fixed word for what a fact says. Its comment names the numbers and names of its
// facts; n and of are how many, of how many.
type Kind string

// Kinds about scenes and their files.
const (
	Failure           Kind = "failure"             // reason: of the first of failed scenes, which are excluded from all metrics; others: if some failed for others
	FailedScenes      Kind = "failed-scenes"       // excluded from all metrics
	TrustedScene      Kind = "trusted-scene"       // evaluated by dataset.trust, although a homography differs, as in HomographyDiffers
	HomographyDiffers Kind = "homography-differs"  // k, and matches of the pair: fitting the homography, inliers of another; fits: what would instead; all: inverted or differ, for those of the other pairs; cameras: instead of a homography, what would fit or none
	CopiedScene       Kind = "copied-scene"        // images: the file, and the scene/file that is the same image
	CopiedPlanes      Kind = "copied-homographies" // scene: the other one, which has the same
	CopiedKeypoints   Kind = "copied-keypoints"    // scene: the other one, of which all images have the keypoints; set: of keypoints
	SameImages        Kind = "same-images"         // files: two of the scene
	SameHomographies  Kind = "same-homographies"   // files: two of a viewpoint scene
	MissingDepth      Kind = "missing-depth"       // files: images without depth, while others of the scene have some
	IdentityInView    Kind = "identity"            // file: of a viewpoint scene
	Mirrored          Kind = "mirrored"            // file: a homography that mirrors image 1
	BeyondInfinity    Kind = "beyond-infinity"     // file: a homography that maps parts of image 1 beyond infinity
	HardlyVisible     Kind = "hardly-visible"      // file, image: a homography that maps less than 1 % of image 1 into the image
	HardlyCovered     Kind = "hardly-covered"      // file, image: a homography that maps image 1 to less than 1 % of the image
	CapitalLetter     Kind = "capital-letter"      // prefix: the letter of a category as names have it
	RenamedScene      Kind = "renamed-scene"       // scene: of HPatches, whose name has another first letter
	UnreadFiles       Kind = "unread-files"        // files: that look like images or homographies of a scene, but have other names
	InexactHomography Kind = "inexact-homography"  // k: of H_1_k, that fits; x, y: by how much, in the median, the matches that agree with it are off, px
	NothingAgrees     Kind = "nothing-agrees"      // k, matches: none of which agrees with H_1_k; images: files
	SceneImages       Kind = "scene-images"        // pairs, n: of pairs and scenes; least, most: images of a scene
)

// Kinds about rankings.
const (
	FewGroups       Kind = "few-groups"        // n: groups of scenes, too few to draw groups
	FewScenes       Kind = "few-scenes"        // n: scenes; or viewpoint and illumination: those of a category, of which others have enough
	FewKeypoints    Kind = "few-keypoints"     // images: numbers of those without keypoints
	FewQueries      Kind = "few-queries"       // n of: queries of a scene with a ground truth; unknown: others, without depth
	NoQueries       Kind = "no-queries"        // scenes without keypoints in image 1, or with none in any other
	InvalidRows     Kind = "invalid-rows"      // n of: rows that are not finite or zero, or were not computed
	InvalidQueries  Kind = "invalid-queries"   // share, n of: queries with an invalid row; with, without: mAP micro; preset: refuses to change what is excluded
	LowCoverage     Kind = "low-coverage"      // share, n of: queries with a ground truth
	UncoveredPairs  Kind = "uncovered-pairs"   // pairs with hardly any ground truth, unlike others of their scene; px: tolerance
	AllTied         Kind = "all-tied"          // every query has the same distance to all candidates
	ManyTies        Kind = "many-ties"         // share: of the queries; distances: hamming; position: same, if it usually is; preset: refuses another relevance
	SamePosition    Kind = "same-position"     // share: of the queries in which another keypoint at the position of the ground truth ranks first; preset: as above
	ChanceLevel     Kind = "chance-level"      // map, chance: mAP micro, and that of a random order
	PlacesAtChance  Kind = "places-at-chance"  // places, n: scenes or pairs at the level of chance; built-in: no program or file is behind them
	EmptySides      Kind = "empty-sides"       // left, right, top, bottom: shares of width and height between which all queries are
	SmallGallery    Kind = "small-gallery"     // pairs: their number, with fewer keypoints than the fixed gallery
	NoPositives     Kind = "no-positives"      // scenes in which no query of a task has a ground truth
	FewDistractors  Kind = "few-distractors"   // SCENE others: how many other scenes there are to draw from; want: that number
	NoDistractors   Kind = "no-distractors"    // scenes in which retrieval is always perfect; excluded: metric that leaves them out
	FewReference    Kind = "few-reference"     // SCENE keypoints: how many reference keypoints are inside every target; want: that number
	TaskIncomplete  Kind = "task-incomplete"   // scenes that failed, and are no distractors either
	InvalidInTask   Kind = "invalid-in-task"   // n of: queries of a task with an invalid row
	OutsideImage    Kind = "outside-image"     // n of: queries with a position outside of its image; preset: of the run
	Shifted         Kind = "shifted"           // px: by which positions are off; sign: negative; preset: of the run
	OtherWindows    Kind = "windows"           // sizes: sides in keypoint sizes, and under each: the descriptors on the keypoint set
	OtherSets       Kind = "other-sets"        // sets: recipes of keypoints, without the steps at the end that all have; under each: the descriptors that have it
	OtherQueries    Kind = "other-queries"     // share: coverage of a descriptor, which differs on the same keypoints
	OtherKnown      Kind = "other-known"       // least and most: shares of the descriptors' queries that depth judges
	NoPlaces        Kind = "no-places"         // what is not computed with cameras without depth
	Identical       Kind = "identical"         // descriptors with equal results on the same keypoints
	MatchesHaveNone Kind = "matches-have-none" // what is not computed for matches of a program or file; scored: yes, classify uses their scores; sets: none
)

// Kinds about matches, homographies and classification.
const (
	NoMatches        Kind = "no-matches"        // n of: pairs without matches
	ExchangedPoints  Kind = "exchanged-points"  // pairs whose matches the inverse homography fits far better
	RandomMatches    Kind = "random-matches"    // places, n: scenes or pairs of whose matches hardly any is correct; px: tolerance; built-in
	OneKeypoint      Kind = "one-keypoint"      // n of: pairs in which more than a quarter of the matches are with one keypoint
	FailedEstimates  Kind = "failed-estimates"  // estimator: its name; n of: estimates without a homography
	FailedPoses      Kind = "failed-poses"      // estimator: its name; n of: estimates without a pose
	MisreadScores    Kind = "misread-scores"    // auc: of scores that are higher for wrong matches
	ConstantDistance Kind = "constant-distance" // samples: their number, all with the same distance
	Skewed           Kind = "skewed"            // share, n of: positives
	AUCBelowHalf     Kind = "auc-below-half"    // auc
	BelowDiagonal    Kind = "below-diagonal"    // j: Youden's J
	NoSamples        Kind = "no-samples"        // all metrics are undefined
	SingleClass      Kind = "single-class"      // class: positives or negatives, of which there are none; samples: number of the others
	FewSamples       Kind = "few-samples"       // positives, negatives
	Unscored         Kind = "unscored"          // n: matches without score or distance, which classification needs
	NoDistances      Kind = "no-distances"      // imported matches, which have no distances of all pairs
	AllClassified    Kind = "all-classified"    // top: matches of a pair that the matcher keeps; all are classified
	NotClassified    Kind = "not-classified"    // n: queries without a nearest neighbour, or without a match if it names matches
	InvalidPairs     Kind = "invalid-pairs"     // n: pairs of keypoints with an invalid descriptor
	BinnedAreas      Kind = "binned-areas"      // roc_auc, ap: by how much they can be off
	MergedFiles      Kind = "merged-files"      // files: of samples that are one system
)

// Kinds about the descriptors of patches.
const (
	NotFinite         Kind = "not-finite"          // n of: rows; first: of them
	Zeros             Kind = "zeros"               // n of: rows; first: of them
	RepeatedRows      Kind = "ties"                // n of: rows of reference images that equal another; first: of them
	CopiedImages      Kind = "copies"              // n: images with the rows of another of their sequence; first: sequence and both images
	Packed            Kind = "packed"              // dimension: of rows that may be packed bits
	Placement         Kind = "placement"           // px: largest window; patch: side of the patch, px; keypoint: opencv, of its script
	NotDescribed      Kind = "not-described"       // n of: patches; sequences: that have them
	GreyPatches       Kind = "grey-patches"        // without the colours that it describes
	ScriptStronger    Kind = "script-stronger"     // the keypoint of the OpenCV script is a stronger baseline
	NormDivided       Kind = "norm-divided"        // norm: by which rows of a program are divided
	OwnTasks          Kind = "own-tasks"           // sequences: their number; patches: of each image, if known
	OtherStrips       Kind = "other-strips"        // sequences: of which tasks and descriptors are of different strips
	ShortPool         Kind = "short-pool"          // first, last: sizes of pools; least, most: patches that these have
	CorrectMatches    Kind = "correct-matches"     // matching is over correct matches only
	NoiseOrder        Kind = "noise-order"         // easy, tough: mAP of matching, of which easy is lower
	PatchesAtChance   Kind = "patches-at-chance"   // share, chance: of the easy nearest neighbours that are correct, and in a random order; or auc: easy, against negatives of the same sequence
	UnequalPairs      Kind = "unequal-pairs"       // positives, negatives; list: of negatives
	InterSameSequence Kind = "inter-same-sequence" // n of: negative pairs between sequences with both patches in the same; place: at the same place
	FewNegatives      Kind = "few-negatives"       // positives, negatives: for the balanced protocol
	QueryNotFirst     Kind = "query-not-first"     // n of: queries that equal an earlier patch; first: of them, equal
	OneClass          Kind = "one-class"           // all pairs belong to one class
)

// Kinds about the set-up of a run.
const (
	Deviation         Kind = "deviation"           // of the run from its preset: key, ours, published
	PresetScenes      Kind = "preset-scenes"       // n of: scenes of the preset that the run has
	PresetPairs       Kind = "preset-pairs"        // n of: scenes of the run and pairs of the preset, a scene each, if their numbers differ
	OutsidePreset     Kind = "outside-preset"      // scenes in the means that the preset does not have
	PresetDiffers     Kind = "preset-differs"      // preset, note: what differs from the authors' code whatever the config says
	NotScenes         Kind = "not-scenes"          // folders of the data set without a scene's files, of a run over all scenes
	SingleDraw        Kind = "single-draw"         // of the samples of estimators; key: of their number; own: if an own function estimates, which eval does not call
	NotCalled         Kind = "not-called"          // programs, of which all results were here
	NotRestricted     Kind = "not-restricted"      // key, n: matches that are not restricted to those of the best keypoints in both images
	TasksLeftOut      Kind = "tasks-left-out"      // px: tolerance of the run within which workbench_tasks counted
	BorderLeftBehind  Kind = "border-left-behind"  // of, px: a set whose border holds for image 1 only
	Unfilled          Kind = "unfilled"            // most: keypoints per image by param of detector, in set origin; wanted: by selection, a key
	NumbersAll        Kind = "numbers-all"         // recipe: of the set; matches number all keypoints of a file of which a set leaves some out
	SmallTolerance    Kind = "small-tolerance"     // px: tolerance, below the accuracy of keypoints
	CornerOrigin      Kind = "corner-origin"       // preset: that measures principal points from the corner of the first pixel
	UnitPixels        Kind = "unit-pixels"         // std: of pixels from 0 to 1
	MatcherNotApplied Kind = "matcher-not-applied" // key: that selects among matches, to which evaluation.matcher does not apply
	ProgramSays       Kind = "program-note"        // note: what a program says for the readers of results; keys: of the config that start it
	AnglesTurn        Kind = "angles-turn"         // angles turn against the images
	Upright           Kind = "upright"             // descriptors: at keypoints without angles
	SmallSizes        Kind = "small-sizes"         // sizes have a median below 2 px
	DefaultSize       Kind = "default-size"        // px; descriptors: at keypoints without sizes
	DefaultSizeUnused Kind = "default-size-unused" // files have sizes
	CutPositions      Kind = "cut-positions"       // keypoints that a crop leaves out
	MovedPositions    Kind = "moved-positions"     // positions in stored images
	HalfFloats        Kind = "half-floats"         // positions in half floats
	Unpinned          Kind = "unpinned"            // nothing pins the program
	NotReproducible   Kind = "not-reproducible"    // other results for the same images each time; strip: other rows for it
	OtherEnvironment  Kind = "other-environment"   // run, differs: software
	OtherFile         Kind = "other-file"          // file, whose content in run is another
	OtherImages       Kind = "other-images"        // scenes with other images or homographies than in run
	ComparedOnce      Kind = "compared-once"       // systems, and the others that each equals, bit by bit, in all that is compared
	OtherMatches      Kind = "other-matches"       // metric; matchers, and under the name of each: the descriptors that have it
	OtherKeypoints    Kind = "other-keypoints"     // n of: scenes in which keypoints differ from those of baseline; metric; of rankings, coverage, gallery and theirs, gallery_theirs of the baseline
	UnknownKeypoints  Kind = "unknown-keypoints"   // with: descriptor that has only matches, about whose keypoints nothing is known
	SimilarKeypoints  Kind = "similar-keypoints"   // n of, baseline, metric: as in OtherKeypoints, without difference in coverage and gallery
	Apart             Kind = "keypoint-sets"       // descriptors on other keypoints, not compared
	CountedApart      Kind = "counted-apart"       // n: descriptors on other keypoints that Holm's correction counts; only: keypoints to leave them out
	LacksScenes       Kind = "lacks-scenes"        // scenes without results of a descriptor, unlike others; n: those with results
	OtherProtocols    Kind = "other-protocols"     // of runs in one table
	OtherRelevance    Kind = "other-relevance"     // of runs in one report: rules, and by rule the runs
	OtherScenes       Kind = "other-scenes"        // of runs in one table
	NotComputed       Kind = "not-computed"        // metrics that were asked for
	MatchesPerPair    Kind = "matches-per-pair"    // matches: mean number, which differs between those that are compared
	IntervalDiffers   Kind = "interval-differs"    // from what the test found; why
	Unshared          Kind = "unshared"            // n: scenes shared with baseline; base, other: scenes of one of both; images: with other data, and resized, base_resized: how; undefined, base_undefined: without a value of metric
	OtherProtocol     Kind = "other-protocol"      // not compared: differs: settings; sets: changes that make them equal or ask: whom, of which run; values: command that shows both
	NoValues          Kind = "no-values"           // not compared: metric that no scene has; matches: since these have no ranks; without metric: failed in all scenes
	Unpaired          Kind = "unpaired"            // not compared: out, since nothing is left of the missing, or since they do not have the factor
	OlderResults      Kind = "older-results"       // not compared: n, of earlier descriptor files
	OtherEvaluation   Kind = "other-evaluation"    // not compared: differs
	AmbiguousMetric   Kind = "ambiguous-metric"    // word, metrics that it stands for, metric that is compared
)
