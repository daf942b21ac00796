package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"descbench/eval/fact"
	"descbench/eval/ranking"
	"descbench/eval/scope"
	"descbench/eval/spelling"
)

// The kinds of experiments in a database.
const (
	Sequences = "sequences" // a run on image sequences
	Patches   = "patches"   // one descriptor on the patch benchmark
)

// PatchPrefix is the prefix of all metric names of the patch benchmark.
const PatchPrefix = "patch_"

// A Run holds the results of a finished experiment for the summary and the
// databases.
type Run struct {
	Experiment  string // name
	Description string
	Identity    string // digest of what determines the results
	Config      string // effective config, YAML
	Environment string // versions, CPU, data digests; JSON
	DataDigest  string // of the images and homographies of all scenes with results; "" for patches
	Started     time.Time
	Finished    time.Time

	Protocol        Protocol
	ProtocolKey     string // of the protocol: results with equal ones can be compared
	ScenesRequested int
	Descriptors     []Descriptor     // in the order of Results
	Results         []ranking.Result // one per descriptor; of Brief, if they were written before
	KeypointSets    []KeypointSet
	Timings         []Timing
	Facts           []fact.Fact // about the run as a whole
}

// A Protocol holds the settings for evaluating ranks, and those that concern all metrics.
type Protocol struct {
	ranking.Options

	SharedTopK     int     `json:"shared_top_k,omitempty"`    // keypoints of each image of a pair that are used, the best in both images (0 ≤ x < width, 0 ≤ y < height); absent: all
	SharedRegion   string  `json:"shared_region,omitempty"`   // keynet: both images without a border, by the rule of Key.Net; absent: the whole images
	Preset         string  `json:"preset,omitempty"`          // evaluation of a paper whose defaults the config takes; warnings of kinds such as deviation say what differs; absent: none
	PresetSource   string  `json:"preset_source,omitempty"`   // repository and commit that it follows; absent: none
	OfPoses        bool    `json:"of_poses,omitempty"`        // images have cameras: without depth, there is no ground truth of points; absent: false
	DepthTolerance float64 `json:"depth_tolerance,omitempty"` // share of a depth by which that of the same point may differ; absent: images have no depth
	Resized        string  `json:"resized,omitempty"`         // rule by which images were resized, such as short side 480 px; absent: images as they are
}

// A setting is one of a Protocol.
type setting struct {
	name    string
	value   any
	differs bool   // from its default
	words   string // for captions; "": another sentence says it
	isRule  bool   // of ranks, which a full description also names where it is the default
	ofRanks bool
}

func (p Protocol) settings() []setting {
	invalid := "invalid queries excluded"
	if p.ExcludeInvalidTruths {
		invalid = "invalid queries and ground truths excluded"
	}
	return []setting{
		{"tolerance_px", p.TolerancePx, p.TolerancePx != 3, "", false, false},
		{"ties", p.Ties, p.Ties != ranking.Mean, ties[p.Ties], true, true},
		{"relevance", p.Relevance, p.Relevance != ranking.NearestRelevant, relevance[p.Relevance], true, true},
		{"exclude_invalid", true, p.ExcludeInvalid, invalid, false, true},
		{"exclude_invalid_truths", true, p.ExcludeInvalidTruths, "", false, true},
		{"exclude_beyond_px", p.ExcludeBeyondPx, p.ExcludeBeyondPx > 0, fmt.Sprintf("queries beyond %g px excluded", p.ExcludeBeyondPx), false, true},
		{"depth_tolerance", p.DepthTolerance, p.DepthTolerance > 0, "", false, false},
		{"shared_top_k", p.SharedTopK, p.SharedTopK > 0, fmt.Sprintf("the best %d keypoints in both images of a pair", p.SharedTopK), false, false},
		{"shared_region", p.SharedRegion, p.SharedRegion != "", "the shared region by the rule of " + p.SharedRegion, false, false},
		{"resized", strconv.Quote(p.Resized), p.Resized != "", "images resized to " + p.Resized, false, false},
		{"preset", p.Preset, p.Preset != "", "", false, false},
	}
}

// What the rules of ranks say.
var (
	ties = map[ranking.TieRule]string{
		ranking.Mean:      "equal distances at their mean rank",
		ranking.Strict:    "equal distances at their best rank",
		ranking.Workbench: "equal distances at their mean rank, rounded up",
	}
	relevance = map[ranking.Relevance]string{
		ranking.NearestRelevant:  "only the keypoint nearest to the projection is correct",
		ranking.PositionRelevant: "all keypoints at the position of the nearest one are correct",
		ranking.IdentityRelevant: "only the projection of the query itself is correct",
	}
)

// Key names the protocol and preset for databases: r1, then every setting that differs from its
// defaults, as "r1 tolerance_px=1 preset=d2net". Results with different keys cannot be compared.
func (p Protocol) Key() string {
	key := "r1"
	for _, s := range p.settings() {
		if s.differs {
			key += fmt.Sprintf(" %s=%v", s.name, s.value)
		}
	}
	return key
}

// Short says for a caption within which limit truths are sought, and what differs from the defaults
// otherwise; "" for poses under the defaults.
func (p Protocol) Short() string { return spelling.Capital(strings.Join(p.words(true, false), ", ")) }

// words returns the limit, unless it is not known where points lie, and what other settings say that
// differ from the defaults: if ranked, also those of ranks, and of these the rules in any case.
func (p Protocol) words(ranked, rules bool) (parts []string) {
	placeless := p.OfPoses && p.DepthTolerance == 0
	if !placeless {
		parts = []string{fmt.Sprintf("ground truth within %g px", p.TolerancePx)}
	}
	for _, s := range p.settings() {
		if s.words != "" && (s.differs || rules && s.isRule) && !(s.ofRanks && (placeless || !ranked)) {
			parts = append(parts, s.words)
		}
	}
	return parts
}

// Sentence describes the protocol in full, for a paper; if ranked, also how ranks are scored.
func (p Protocol) Sentence(ranked bool) string {
	const ofPoses = "the error of a pose is the larger of the angles of its rotation and of its translation"
	parts := p.words(ranked, true)
	if p.OfPoses && p.DepthTolerance == 0 {
		parts = append([]string{ofPoses}, parts...)
	}
	text := spelling.Capital(strings.Join(parts, ", "))
	if p.DepthTolerance > 0 {
		text += fmt.Sprintf("; points are visible where depth differs by at most %g %%, and queries without depth are left out", 100*p.DepthTolerance)
		if p.OfPoses {
			text += "; " + ofPoses
		}
	}
	return text
}

// A Descriptor describes the descriptor of a Result.
type Descriptor struct {
	Name        string
	Type        string             // a descriptors.Kind
	Dimension   int                // elements per row: numbers or bits
	KeypointSet string             // name of its keypoint set; "" for results of patches
	Digests     map[string]Digests // by scene
}

// Digests identify the data of a scene that a descriptor was evaluated on.
type Digests struct {
	Scene string // of the images and homographies
	Set   string // of the keypoints of all images
}

// A KeypointSet summarises one keypoint set of a run. Minimum and maximum are
// over its images and are undefined for a set without images.
type KeypointSet struct {
	Name                     string
	Scenes, Images           int
	Keypoints                int
	MinPerImage, MaxPerImage int
}

// The stages of a run, in their order.
const (
	DecodeStage   = "decode"   // shared by descriptors: reading and decoding images
	DetectStage   = "detect"   // shared by descriptors
	DescribeStage = "describe" // extraction of raw rows
	ImportStage   = "import"   // in place of describe: rows of other programs, whose time is unknown
	TruthStage    = "truth"    // ground truth, repeatability and other facts about positions
	SearchStage   = "search"   // nearest neighbours and ranks
	EstimateStage = "estimate" // homographies
	WriteStage    = "write"    // units
	TasksStage    = "tasks"    // tasks with distractors
	FoldStage     = "fold"     // shared by scenes and descriptors
)

// A Timing is the time that one stage took for one scene on one worker. That of
// decoding is what the run did; that of detection, description and estimates is the time of the
// work itself, whenever it was done, which the cache keeps. Descriptors that are
// extracted in one call are each charged the call's time per keypoint, for all of
// their keypoints; a call that also detects counts as description. Descriptors of the
// same keypoints are each charged the time of their ground truth.
type Timing struct {
	Descriptor string  `json:"descriptor"` // "" for stages shared by descriptors
	Scene      string  `json:"scene"`      // "" for stages shared by scenes
	Stage      string  `json:"stage"`
	Seconds    float64 `json:"seconds"`
	Images     int     `json:"images"`        // images processed by the stage, to derive the time per image
	Cached     int     `json:"cached_images"` // those of the images whose result came from the cache
	Keypoints  int     `json:"keypoints"`     // keypoints or descriptor rows processed by the stage
	// Untimed counts the images whose time is unknown and missing in Seconds: their
	// result came from another program.
	Untimed int `json:"untimed_images,omitempty"`
	// Waited is the share of the time in which threads of descbench, ready to run, waited for a
	// processor, until the timing was written; 0: not known.
	Waited float64 `json:"waited,omitempty"`
}

// OfAllWork reports whether the time is that of the whole stage.
func (t Timing) OfAllWork() bool { return t.Untimed == 0 }

// Lost reports whether the timing stands for those of a scene whose file is missing or damaged.
func (t Timing) Lost() bool { return t.Images == 0 && t.Untimed > 0 }

// kind returns Sequences or Patches.
func (r *Run) kind() string {
	if slices.ContainsFunc(r.Descriptors, func(d Descriptor) bool { return d.KeypointSet == "" }) {
		return Patches
	}
	return Sequences
}

// Brief returns the part of a result that a Run needs after the result was written
// to metrics.csv and a database: without the metrics of scopes other than "all",
// the histograms of scopes, and the pairs of scenes.
func Brief(res ranking.Result) ranking.Result {
	var all []scope.Metric
	for _, m := range res.Metrics {
		if m.Scope == "all" {
			all = append(all, m)
		}
	}
	res.Metrics, res.Histograms, res.Scenes = all, nil, slices.Clone(res.Scenes)
	for i := range res.Scenes {
		res.Scenes[i].Pairs = nil
	}
	return res
}

// evaluated returns the number of scenes on which all descriptors were evaluated.
func (r *Run) evaluated() int {
	count := map[string]int{}
	for _, res := range r.Results {
		for _, s := range res.Scenes {
			count[s.Name]++
		}
	}
	n := 0
	for _, c := range count {
		if c == len(r.Results) {
			n++
		}
	}
	return n
}

// failed returns the scenes that failed for at least one descriptor, with the
// reasons.
func (r *Run) failed() map[string][]Failure {
	failures := make(map[string][]Failure)
	for _, res := range r.Results {
		for scene, reason := range res.Failed {
			known := failures[scene]
			i := slices.IndexFunc(known, func(f Failure) bool { return f.Reason == reason })
			if i < 0 {
				i, known = len(known), append(known, Failure{Reason: reason})
			}
			known[i].Descriptors = append(known[i].Descriptors, res.Descriptor)
			failures[scene] = known
		}
	}
	return failures
}

// totals returns the sums over the scenes of a result.
func totals(res ranking.Result) (sum ranking.SceneResult) {
	for _, s := range res.Scenes {
		sum.Processed += s.Processed
		sum.Excluded += s.Excluded
		sum.Matches += s.Matches
		sum.Keypoints += s.Keypoints
		sum.Images += s.Images
	}
	return sum
}
