package fold

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"descbench/eval/binary"
	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/matching"
	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/eval/truth"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/estimate"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

// SameProtocol reports whether two configs evaluate metrics alike, so that their values can be
// compared.
func SameProtocol(a, b *config.Config) bool {
	p, q := protocol(a), protocol(b)
	p.Preset, q.Preset = "", ""
	return p.Key() == q.Key()
}

// Protocol says the protocol of a config in short, or names its preset, as a sentence of a caption.
func Protocol(c *config.Config) string {
	if p := c.Preset(); p != nil {
		return "Preset " + p.Name
	}
	return protocol(c).Short()
}

// Setup describes in sentences how a config evaluates metrics.
func Setup(c *config.Config, metrics ...*catalogue.Metric) (sentences []string) {
	if p := c.Preset(); p != nil {
		sentences = []string{fmt.Sprintf("Preset %s (%s)", p.Name, p.Source())}
	}
	return append(sentences, protocol(c).Sentence(slices.ContainsFunc(metrics, func(m *catalogue.Metric) bool { return m.Of == catalogue.Ranks })))
}

func protocol(c *config.Config) store.Protocol {
	resized := ""
	if c.Dataset.Resize != nil {
		resized = c.Dataset.Resize.String()
	}
	region := ""
	if c.Evaluation.KeynetRegion {
		region = "keynet"
	}
	preset, source := "", ""
	if p := c.Preset(); p != nil {
		preset, source = p.Name, p.Source()
	}
	return store.Protocol{
		Options: Options(c.Evaluation), OfPoses: c.Evaluation.Posed(), DepthTolerance: c.Dataset.DepthTolerance,
		SharedTopK: c.Evaluation.SharedTopK, SharedRegion: region, Preset: preset, PresetSource: source, Resized: resized,
	}
}

// A judge computes the metrics of one descriptor from its records: ranking,
// matching quality and binary classification.
type judge struct {
	config     *config.Config
	descriptor config.Descriptor
	imported   bool                  // matches without descriptors
	units      int                   // added so far
	placeless  bool                  // cameras that do not say where points lie, in all of them
	scenes     []ranking.SceneResult // of either, for which only matching metrics are computed
	scored     bool                  // they have scores or distances
	scores     *binary.Samples       // of the matches, if these select or weight them
	ranking    *ranking.Accumulator
	matching   *matching.Accumulator
	nearest    *nearestPairs
	subsets    subsets

	others  bool // programs or files of others have positions
	outside int  // queries with a position outside of its image
	counted int  // queries
	// residuals are those of the pairs of each scene, if others have positions.
	residuals [][]truth.Residual
}

// newJudge returns a judge of a descriptor of a config.
func newJudge(c *config.Config, d config.Descriptor) *judge {
	e, matcher := c.Evaluation, c.MatcherOf(d)
	j := &judge{
		config: c, descriptor: d, imported: d.Matches != nil,
		ranking: ranking.NewAccumulator(d.Name, Options(e)), matching: matching.NewAccumulator(d.Name, matcher, e.TolerancePx), nearest: newNearestPairs(e.TolerancePx),
	}
	j.others = j.imported || slices.ContainsFunc(c.Graph().Chain(c.SetOf(d)), func(s *config.KeypointSet) bool {
		return s.Import != nil || s.Detect != nil && s.Detect.Command != nil
	})
	if j.imported && (matcher.TopK > 0 || slices.ContainsFunc(e.Estimators, func(name string) bool {
		at, _ := matching.ParseEstimator(name)
		return at.Weighted || at.Type == matching.UsacProsac
	})) {
		j.scores = &binary.Samples{}
	}
	return j
}

// Options returns how an evaluation section judges ranks.
func Options(e config.Evaluation) ranking.Options {
	o := e.Options
	o.FixedGallery, o.ExcludeInvalidTruths = e.FixedGallery != nil, o.ExcludeInvalid && o.ExcludeInvalidTruths
	return o
}

// add adds the records of one scene. In a re-evaluation, it enters the corner errors of the
// estimators that the records lack.
func (j *judge) add(unit unitfile.EvalUnit) error {
	e, matcher, at := j.config.Evaluation, j.config.MatcherOf(j.descriptor), -1
	without := placeless(unit)
	j.placeless = without && (j.placeless || j.units == 0)
	if j.units++; without {
		j.scenes = append(j.scenes, unrankedScene(unit, matcher.Accepts))
	} else if j.imported {
		j.scenes = append(j.scenes, unrankedScene(unit, func(q *record.Query) bool { return q.Nearest >= 0 }))
	}
	if j.imported && !without {
		samples, _, _ := NearestSamples(unit.Queries, j.nearest.tolerancePx)
		positives, negatives := samples.Len()
		j.scored = j.scored || positives+negatives > 0
		if j.scores != nil {
			j.scores.Merge(&samples)
		}
	}
	j.residuals = append(j.residuals, nil)
	err := EachPair(unit, func(records record.Records) error {
		at++
		j.subsets.add(records.Pair)
		if j.others {
			j.counted += len(records.Queries)
			j.outside += outside(records)
			if r, ok := residual(records, j.imported); ok {
				last := len(j.residuals) - 1
				j.residuals[last] = append(j.residuals[last], r)
			}
		}
		if !estimate.Entered(&records.Pair, matcher, e.Estimators, e.Draws) {
			if err := estimate.Enter(&records.Pair, records.Queries, matcher, e.Estimators, e.Draws, e.SharedTopK > 0 && !j.imported, nil); err != nil {
				return err
			}
			unit.Pairs[at] = records.Pair
		}
		if !j.imported {
			if err := cmp.Or(contradiction(records.Queries), j.ranking.Add(records)); err != nil {
				return err
			}
		}
		return j.matching.Add(records)
	})
	if err == nil && !j.imported && !without { // records that were checked
		j.nearest.add(unit.Queries)
	}
	return err
}

// contradiction returns an error if a rank contradicts the nearest candidate of the same
// query, as in records that somebody has changed.
func contradiction(queries []record.Query) error {
	const samePx = 0.01 // candidates as near as this may be one answer
	for i := range queries {
		q := &queries[i]
		first := math.Hypot(float64(q.NearestX)-float64(q.TruthX), float64(q.NearestY)-float64(q.TruthY)) <= samePx
		if q.Truth >= 0 && q.Nearest >= 0 && (q.Less > 0 && q.Nearest == q.Truth || q.Less+q.Equal == 0 && !first) {
			return fmt.Errorf("1_%d, query %d: %d candidates are nearer than the ground truth (row %d), but the nearest is row %d", q.K, q.Row, q.Less, q.Truth, q.Nearest)
		}
	}
	return nil
}

// placeless reports whether the records of a scene do not say where points lie.
func placeless(unit unitfile.EvalUnit) bool {
	return len(unit.Pairs) > 0 && !slices.ContainsFunc(unit.Pairs, func(p record.Pair) bool { return !p.Placeless() })
}

// unrankedScene summarises the matches of a scene that has no ranks.
func unrankedScene(unit unitfile.EvalUnit, matched func(*record.Query) bool) ranking.SceneResult {
	nan := math.NaN()
	s := ranking.SceneResult{TrueMAP: nan, TrueMAPIncludingZeros: nan, Precision: nan, Images: len(unit.Pairs) + 1}
	for i, p := range unit.Pairs {
		if s.Name = p.Scene; i == 0 || p.Imported == record.ImportedPoints {
			s.Keypoints += int(p.Keypoints1)
		}
		s.Keypoints += int(p.KeypointsK)
		s.Pairs = append(s.Pairs, ranking.PairResult{K: int(p.K), TrueMAP: nan, Precision: nan})
	}
	for i := range unit.Queries {
		if q := &unit.Queries[i]; matched(q) {
			s.Matches++
			s.Pairs[slices.IndexFunc(unit.Pairs, func(p record.Pair) bool { return p.K == q.K })].Matches++
		}
	}
	return s
}

// leftOut tells what is not computed for imported matches.
func (j *judge) leftOut() fact.Fact {
	if j.placeless {
		return fact.New(fact.NoPlaces)
	}
	f := fact.New(fact.MatchesHaveNone)
	if j.descriptor.Keypoints == "" {
		f = f.Naming("sets", "none")
	}
	if j.scored {
		f = f.Naming("scored", "yes")
	}
	return f
}

// outside returns the number of queries that have their own position, or that of their
// nearest neighbour, outside of its image.
func outside(r record.Records) (n int) {
	beyond := func(v float32, size int32) bool { return float64(v) < -0.5 || float64(v) > float64(size)-0.5 } // false for NaN
	for i := range r.Queries {
		q, p := &r.Queries[i], &r.Pair
		if beyond(q.X, p.Width1) || beyond(q.Y, p.Height1) || beyond(q.NearestX, p.WidthK) || beyond(q.NearestY, p.HeightK) {
			n++
		}
	}
	return n
}

// outsideFacts tells how many positions of others are outside of their images.
func (j *judge) outsideFacts() []fact.Fact {
	if j.outside == 0 {
		return nil
	}
	return []fact.Fact{j.scripted(fact.New(fact.OutsideImage).Counting(j.outside, j.counted))}
}

// builtIn returns the facts about a built-in descriptor on built-in keypoints, which cannot be in the
// wrong order or of images of another size.
func builtIn(facts []fact.Fact) (out []fact.Fact) {
	for _, f := range fact.Without(facts, fact.EmptySides) {
		if slices.Contains([]fact.Kind{fact.ChanceLevel, fact.PlacesAtChance, fact.RandomMatches}, f.Kind) {
			f = f.Naming("built-in", "yes")
		}
		out = append(out, f)
	}
	return out
}

// ofRanks returns facts about ranks, with the preset of the config if it refuses other rules.
func (j *judge) ofRanks(facts []fact.Fact) []fact.Fact {
	for i, f := range facts {
		if j.config.Evaluation.Preset == config.Workbench && slices.Contains([]fact.Kind{fact.InvalidQueries, fact.ManyTies, fact.SamePosition}, f.Kind) {
			facts[i] = f.Naming("preset", config.Workbench)
		}
	}
	return facts
}

// scripted returns a fact about positions with the preset of the config. Scripts of presets do
// not check positions, and may scale images and positions by different rules.
func (j *judge) scripted(f fact.Fact) fact.Fact {
	if p := j.config.Preset(); p != nil {
		return f.Naming("preset", p.Name)
	}
	return f
}

// residual returns by how much the matches of a pair are off: imported ones, or mutual nearest
// neighbours.
func residual(r record.Records, imported bool) (truth.Residual, bool) {
	m, ok := r.Pair.Mapping()
	found := truth.NewResiduals(m.Homography(), matching.TolerancePx)
	for i := range r.Queries {
		if q := &r.Queries[i]; ok && q.Nearest >= 0 && (q.Mutual || imported) {
			found.Add(q.X, q.Y, q.NearestX, q.NearestY)
		}
	}
	return found.Median()
}

// shiftFacts tells by which constant the positions of others are off. OpenCV's SIFT is off by
// 0.25 px (opencv/opencv#23123).
func (j *judge) shiftFacts() []fact.Fact {
	px, ok := truth.Shift(j.residuals)
	if !ok || math.Abs(px) < 0.4 {
		return nil
	}
	f := fact.New(fact.Shifted).With("px", px)
	if px < 0 {
		f = f.Naming("sign", "negative")
	}
	return []fact.Fact{j.scripted(f)}
}

// MisreadScores tells if the scores of matches are clearly worse than chance.
func MisreadScores(s binary.Summary) []fact.Fact {
	if !(s.ROCAUC < 0.45) {
		return nil
	}
	return []fact.Fact{fact.New(fact.MisreadScores).With("auc", s.ROCAUC)}
}

// EachPair calls do for the records of each pair of a unit. The unit's queries
// must be in the order of its pairs.
func EachPair(unit unitfile.EvalUnit, do func(record.Records) error) error {
	queries := unit.Queries
	for _, pair := range unit.Pairs {
		n := 0
		for n < len(queries) && queries[n].Scene == pair.Scene && queries[n].K == pair.K {
			n++
		}
		records, err := record.NewRecords(pair, queries[:n])
		if err != nil {
			return err
		}
		if err := do(records); err != nil {
			return err
		}
		queries = queries[n:]
	}
	if len(queries) > 0 {
		return fmt.Errorf("%d query records belong to no pair", len(queries))
	}
	return nil
}

// failAgain records a scene without records as failed, with the reason that the
// run stored.
func (j *judge) failAgain(from source, scene string) error {
	reason, failed := from.failure(j.descriptor.Name, scene)
	if !failed {
		return plan.Recreate(fmt.Errorf("%s: lacks the records of %s", from.path(j.descriptor.Name, scene), j.descriptor.Name))
	}
	j.ranking.Fail(scene, reason)
	return nil
}

// result returns all metrics of the records, once j.nearest is closed, and those of tasks.
func (j *judge) result(ctx context.Context, from source) (ranking.Result, error) {
	r := j.ranking.Result()
	if j.imported || j.placeless {
		r = ranking.Result{Descriptor: r.Descriptor, Scenes: j.scenes, Failed: r.Failed, Facts: []fact.Fact{j.leftOut()}}
		if j.scores != nil {
			r.Facts = append(r.Facts, MisreadScores(j.scores.Curve().Summary())...)
		}
		slices.SortFunc(r.Scenes, func(a, b ranking.SceneResult) int { return cmp.Compare(a.Name, b.Name) })
	}
	r.Experiment = j.config.Experiment.Name
	quality := j.matching.Result(j.subsets.list()...)
	tasks, ofTasks, err := from.tasks(ctx, r.Descriptor)
	if err != nil {
		return ranking.Result{}, err
	}
	for i := range r.Scenes {
		r.Scenes[i].Subsets = j.subsets.of[r.Scenes[i].Name]
	}
	r.Metrics = inScopes(r.Metrics, quality.Metrics, quality.Sweeps, j.nearest.metrics, tasks)
	if !j.others && j.descriptor.Command == nil && j.descriptor.Fusion == nil {
		r.Facts, quality.Facts = builtIn(r.Facts), builtIn(quality.Facts)
	}
	r.Facts = slices.Concat(j.ofRanks(r.Facts), j.outsideFacts(), j.shiftFacts(), quality.Facts, j.nearest.facts, ofTasks)
	return r, nil
}

// subsets collects the subsets of scenes that metrics of matches have a scope for.
type subsets struct {
	large bool                // some scenes are not in the subset of 108
	of    map[string][]string // the names of those of each scene in a list of pairs
}

func (s *subsets) add(p record.Pair) {
	s.large = s.large || !dataset.In108(p.Scene)
	if names := strings.Fields(p.Subsets); names != nil {
		if s.of == nil {
			s.of = make(map[string][]string)
		}
		s.of[p.Scene] = names
	}
}

// list returns the subsets, sorted by name; that of 108 if some scenes are not in it.
func (s *subsets) list() (list []scope.Subset) {
	if s.large {
		list = append(list, scope.Subset{Name: scope.Subset108, Contains: dataset.In108})
	}
	names := slices.Concat(slices.Collect(maps.Values(s.of))...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		list = append(list, scope.Subset{Name: name, Contains: func(scene string) bool { return slices.Contains(s.of[scene], name) }})
	}
	return list
}

// inScopes joins lists of metrics and groups them by scope, in the order in which
// the scopes first occur. Within a scope, metrics stay in the order of the lists.
// It drops later metrics with the same scope and name.
func inScopes(lists ...[]scope.Metric) []scope.Metric {
	out := slices.Concat(lists...)
	place := make(map[string]int) // of a scope among the scopes
	for _, m := range out {
		if _, ok := place[m.Scope]; !ok {
			place[m.Scope] = len(place)
		}
	}
	slices.SortStableFunc(out, func(a, b scope.Metric) int { return place[a.Scope] - place[b.Scope] })
	within, seen := "", make(map[string]bool)
	return slices.DeleteFunc(out, func(m scope.Metric) bool {
		if m.Scope != within {
			within = m.Scope
			clear(seen)
		}
		again := seen[m.Name]
		seen[m.Name] = true
		return again
	})
}
