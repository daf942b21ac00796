package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"descbench/eval/fact"
	"descbench/eval/ranking"
	"descbench/eval/scope"
	"descbench/pipeline/notes"
)

// A Summary is the content of summary.json. Keys may be added but never renamed.
type Summary struct {
	Experiment      string               `json:"experiment"`       // name in the config
	Protocol        Protocol             `json:"protocol"`         // see below
	ScenesRequested int                  `json:"scenes_requested"` // count
	ScenesEvaluated int                  `json:"scenes_evaluated"` // count of those with results of every descriptor
	FailedScenes    map[string][]Failure `json:"failed_scenes"`    // by scene, see below
	Warnings        Facts                `json:"warnings"`         // see below
	Descriptors     []SummaryDescriptor  `json:"descriptors"`      // see below, in the order of the config
}

// A Failure is a reason why a scene has no results.
type Failure struct {
	Descriptors []string `json:"descriptors"` // without results of the scene for this reason, in the order of the config
	Reason      string   `json:"reason"`      // one line
}

// Of returns the reason without the scene's name before it, and its text without the scene of a file, which is
// equal in scenes that failed alike.
func (f Failure) Of(scene string) (reason, text string) {
	reason = strings.TrimPrefix(f.Reason, scene+": ")
	return reason, strings.TrimPrefix(reason, scene+"/")
}

// Facts are facts whose JSON also says each in words, which are for people: nothing reads them.
type Facts []fact.Fact

// MarshalJSON encodes the facts with their text.
func (f Facts) MarshalJSON() ([]byte, error) {
	type said struct {
		fact.Fact
		Text string `json:"text"`
	}
	list := make([]said, len(f))
	for i, of := range f {
		list[i] = said{of, notes.Text(of)}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(list)
	return b.Bytes(), err
}

// A SummaryDescriptor is the part of the summary about one descriptor.
type SummaryDescriptor struct {
	Name          string                  `json:"name"`                // name in the config
	Dimension     int                     `json:"dimension,omitempty"` // elements per row: numbers or bits, count; absent: imported matches, without rows
	Metrics       Figures                 `json:"metrics"`             // value by metric over all scenes; undefined metrics are absent
	Intervals     map[string]Limits       `json:"intervals"`           // 95 % interval by metric: low, high; metrics without one are absent
	RankHistogram []int64                 `json:"rank_histogram"`      // processed queries with rank 1, 2, ... (rounded up), counts; it ends at the largest rank that occurs
	Scenes        map[string]SummaryScene `json:"scenes"`              // by name, see below
}

// Limits are the limits of a 95 % confidence interval: low, high.
type Limits [2]float64

// A SummaryScene is the part of the summary about one scene. Undefined means are
// nil.
type SummaryScene struct {
	TrueMAP               *float64 `json:"true_map,omitempty"`                 // mean average precision of the processed queries, a share, 0 to 1; absent: no processed query
	TrueMAPIncludingZeros *float64 `json:"true_map_including_zeros,omitempty"` // the same with excluded queries counted as 0, and 0 without keypoints in image 1; absent: imported matches
	Precision             *float64 `json:"precision,omitempty"`                // mean over pairs of the share of all queries whose nearest neighbour is correct, 0 to 1; absent: no query
	QueriesProcessed      int      `json:"queries_processed"`                  // queries with a ground truth that the evaluation does not exclude, count over all pairs
	QueriesExcluded       int      `json:"queries_excluded"`                   // all other queries, count over all pairs
	Matches               int      `json:"matches"`                            // queries with a nearest neighbour, count over all pairs
	Keypoints             int      `json:"keypoints"`                          // count over all images
	Images                int      `json:"images"`                             // count
	Subsets               []string `json:"subsets,omitempty"`                  // that a list of pairs puts it in
}

// SceneNames returns the names of all scenes, evaluated or failed, sorted.
func (s *Summary) SceneNames() []string {
	names := slices.AppendSeq(s.Evaluated(), maps.Keys(s.FailedScenes))
	slices.Sort(names)
	return slices.Compact(names)
}

// Evaluated returns the names of the scenes with results of any descriptor, sorted.
func (s *Summary) Evaluated() []string {
	var names []string
	for _, d := range s.Descriptors {
		names = slices.AppendSeq(names, maps.Keys(d.Scenes))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// HasResults reports whether some descriptor has results for a scene.
func (s *Summary) HasResults() bool {
	return slices.ContainsFunc(s.Descriptors, func(d SummaryDescriptor) bool { return len(d.Scenes) > 0 })
}

// WithoutQueries returns the number of evaluated scenes of descriptors with rows if no scene
// has queries or imported matches for any descriptor, else 0. Imported matches have no
// queries: a run of them alone that has no match is a result.
func (s *Summary) WithoutQueries() int {
	n := 0
	for _, d := range s.Descriptors {
		for _, of := range d.Scenes {
			if of.QueriesProcessed+of.QueriesExcluded+of.Matches > 0 {
				return 0
			}
		}
		if d.Dimension > 0 {
			n = max(n, len(d.Scenes))
		}
	}
	return n
}

// NewSummary returns the summary of a run.
func NewSummary(r Run) Summary {
	s := Summary{
		Experiment:      r.Experiment,
		Protocol:        r.Protocol,
		ScenesRequested: r.ScenesRequested,
		ScenesEvaluated: r.evaluated(),
		FailedScenes:    r.failed(),
		Warnings:        slices.Clip(r.Facts),
		Descriptors:     []SummaryDescriptor{},
	}
	for i, res := range r.Results {
		s.Warnings = append(s.Warnings, fact.About(res.Descriptor, res.Facts)...)
		d := SummaryDescriptor{
			Name: res.Descriptor, Dimension: r.Descriptors[i].Dimension,
			Metrics:       overall(res),
			Intervals:     intervals(res),
			RankHistogram: append([]int64{}, res.RankHistogram...),
			Scenes:        map[string]SummaryScene{},
		}
		for _, scene := range res.Scenes {
			d.Scenes[scene.Name] = summaryScene(scene)
		}
		s.Descriptors = append(s.Descriptors, d)
	}
	return s
}

// intervals returns the intervals of the metrics of res with scope "all".
func intervals(res ranking.Result) map[string]Limits {
	found := make(map[string]Limits)
	for _, m := range res.Metrics {
		if m.Scope == "all" && finite(m.Low) && finite(m.High) {
			found[m.Name] = Limits{m.Low, m.High}
		}
	}
	return found
}

func summaryScene(s ranking.SceneResult) SummaryScene {
	return SummaryScene{
		Subsets: s.Subsets,
		TrueMAP: defined(s.TrueMAP), TrueMAPIncludingZeros: defined(s.TrueMAPIncludingZeros), Precision: defined(s.Precision),
		QueriesProcessed: s.Processed, QueriesExcluded: s.Excluded,
		Matches: s.Matches, Keypoints: s.Keypoints, Images: s.Images,
	}
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// defined returns nil for NaN.
func defined(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// WriteSummary writes summary.json.
func WriteSummary(path string, s Summary) error {
	return WriteFile(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(s)
	})
}

// maxSummary limits summary.json in bytes. It has room for 100 descriptors on
// 1000 scenes.
const maxSummary = 256 << 20

// ReadSummary reads a file written by WriteSummary. Errors about the content wrap
// ErrDamaged.
func ReadSummary(path string) (Summary, error) {
	f, err := OpenResult(path, maxSummary)
	if err != nil {
		return Summary{}, err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		return Summary{}, err
	}
	var s Summary
	if err := json.Unmarshal(b, &s); err != nil {
		return Summary{}, Damaged(path, err)
	}
	if s.Experiment == "" || s.Descriptors == nil {
		return Summary{}, Damaged(path, errors.New("want the summary of a run, found no experiment or no descriptors"))
	}
	if err := s.checkNames(); err != nil {
		return Summary{}, Damaged(path, err)
	}
	return s, nil
}

// checkNames returns an error if a name could do harm: they become names of files, and the
// run may come from somebody else. It also returns one for a failed scene without a reason.
func (s *Summary) checkNames() error {
	err := scope.CheckName(s.Experiment)
	for scene, reasons := range s.FailedScenes {
		err = cmp.Or(err, scope.CheckSceneName(scene))
		if len(reasons) == 0 {
			err = cmp.Or(err, fmt.Errorf("failed_scenes: found no reason for %s", scene))
		}
	}
	for _, d := range s.Descriptors {
		err = cmp.Or(err, scope.CheckName(d.Name))
		for scene := range d.Scenes {
			err = cmp.Or(err, scope.CheckSceneName(scene))
		}
	}
	return err
}
