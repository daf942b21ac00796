package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/ranking"
	"descbench/eval/scope"
	"descbench/pipeline/notes"
)

// insertExperiment inserts a run without its results, removes an earlier one with
// the same name and identity, and returns the new id.
func insertExperiment(ctx context.Context, tx *sql.Tx, r Run) (id int64, err error) {
	if _, err := tx.ExecContext(ctx, "DELETE FROM experiments WHERE name = ? AND identity = ?", r.Experiment, r.Identity); err != nil {
		return 0, err
	}
	entered, err := tx.ExecContext(ctx,
		`INSERT INTO experiments (name, identity, description, config, environment, started, finished, scenes_requested, scenes_evaluated, kind, protocol, data_digest)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.Experiment, r.Identity, r.Description, r.Config, r.Environment, timeText(r.Started), timeText(r.Finished), r.ScenesRequested, r.evaluated(),
		r.kind(), orNull(r.ProtocolKey), orNull(r.DataDigest))
	if err != nil {
		return 0, err
	}
	return entered.LastInsertId()
}

// orNull returns nil for the zero value, which stands for what is not known.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// timeText returns t as text, or nil if t is not known.
func timeText(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// An inserter inserts rows of one experiment until an error occurs.
type inserter struct {
	tx         *sql.Tx
	experiment int64
	warnings   int // inserted so far
	err        error
}

// rowsPerInsert is the number of rows that one statement inserts. The driver binds the
// values of one statement in quadratic time.
const rowsPerInsert = 16

// into calls rows with a function that inserts one row into the table. It adds
// the first column, experiment_id, itself. Rows in the order of the primary key are
// inserted fastest. A statement binds each of the first columns, as many as same says,
// once for rows that have the same values there.
func (in *inserter) into(ctx context.Context, table string, same int, columns []string, rows func(insert func(values ...any))) {
	if in.err != nil {
		return
	}
	statement, err := in.tx.PrepareContext(ctx, in.statement(table, same, columns, rowsPerInsert))
	if err != nil {
		in.err = err
		return
	}
	full := same + rowsPerInsert*(len(columns)-same)
	waiting := make([]any, 0, full)
	flush := func() {
		if len(waiting) == full {
			_, err = statement.ExecContext(ctx, waiting...)
		} else {
			n := (len(waiting) - same) / (len(columns) - same)
			_, err = in.tx.ExecContext(ctx, in.statement(table, same, columns, n), waiting...)
		}
		waiting = waiting[:0]
	}
	rows(func(values ...any) {
		if len(waiting) > 0 && err == nil && !slices.Equal(waiting[:same], values[:same]) {
			flush()
		}
		if err != nil {
			return
		}
		if len(waiting) == 0 {
			waiting = append(waiting, values[:same]...)
		}
		if waiting = append(waiting, values[same:]...); len(waiting) == full {
			flush()
		}
	})
	if len(waiting) > 0 && err == nil {
		flush()
	}
	if err = cmp.Or(err, statement.Close()); err != nil {
		in.err = fmt.Errorf("table %s: %w", table, err)
	}
}

// statement returns a statement that inserts rows into the table.
func (in *inserter) statement(table string, same int, columns []string, rows int) string {
	var row strings.Builder
	fmt.Fprintf(&row, "(%d", in.experiment)
	for i := range columns {
		row.WriteString(", ?")
		if i < same {
			row.WriteString(strconv.Itoa(i + 1))
		}
	}
	row.WriteByte(')')
	return fmt.Sprintf("INSERT INTO %s (experiment_id, %s) VALUES %s%s", table, strings.Join(columns, ", "), &row, strings.Repeat(", "+row.String(), rows-1))
}

func (in *inserter) insertResult(ctx context.Context, d Descriptor, res ranking.Result, timings []Timing) {
	sum := totals(res)
	wide := wideFigures(res, timings)
	columns := []string{"descriptor", "descriptor_type", "dimension", "keypoint_set", "scenes_evaluated", "queries_processed", "queries_excluded", "metadata"}
	values := []any{d.Name, orNull(d.Type), orNull(d.Dimension), d.KeypointSet, len(res.Scenes), sum.Processed, sum.Excluded, metadata(res)}
	if d.KeypointSet == "" { // of patches: the metrics are all there is
		values, wide = []any{d.Name, orNull(d.Type), orNull(d.Dimension), nil, len(res.Scenes), nil, nil, nil}, nil
		res.Scenes = nil
	}
	for _, f := range wide {
		columns = append(columns, f.Name)
		values = append(values, f.Value)
	}
	in.into(ctx, "results", 0, columns, func(insert func(...any)) { insert(values...) })

	in.insertFacts(ctx, d.Name, res.Facts)
	in.into(ctx, "metrics", 1, []string{"descriptor", "scope", "metric", "value", "ci_low", "ci_high", "n"}, func(insert func(...any)) {
		byKey := make([]int32, len(res.Metrics)) // the metrics themselves take many times as much memory
		for i := range byKey {
			byKey[i] = int32(i)
		}
		slices.SortFunc(byKey, func(i, j int32) int {
			a, b := &res.Metrics[i], &res.Metrics[j]
			return cmp.Or(cmp.Compare(a.Scope, b.Scope), cmp.Compare(a.Name, b.Name))
		})
		for _, i := range byKey {
			m := &res.Metrics[i]
			insert(d.Name, m.Scope, m.Name, m.Value, defined(m.Low), defined(m.High), m.N)
		}
	})
	in.into(ctx, "scene_results", 1, []string{"descriptor", "scene", "category", "true_map", "true_map_including_zeros", "precision",
		"queries_processed", "queries_excluded", "matches", "keypoints", "images", "invalid", "scene_digest", "set_digest"}, func(insert func(...any)) {
		for _, s := range res.Scenes {
			insert(d.Name, s.Name, scope.Category(s.Name), defined(s.TrueMAP), defined(s.TrueMAPIncludingZeros), defined(s.Precision),
				s.Processed, s.Excluded, s.Matches, s.Keypoints, s.Images, s.Invalid,
				orNull(d.Digests[s.Name].Scene), orNull(d.Digests[s.Name].Set))
		}
	})
	in.into(ctx, "pair_results", 1, []string{"descriptor", "scene", "k", "true_map", "precision",
		"queries_processed", "queries_excluded", "matches", "keypoints_1", "keypoints_k", "corner_errors", "pose_errors"}, func(insert func(...any)) {
		for _, s := range res.Scenes {
			for _, p := range s.Pairs {
				insert(d.Name, s.Name, p.K, defined(p.TrueMAP), defined(p.Precision), p.Processed, p.Excluded, p.Matches, p.Keypoints1, p.KeypointsK, orNull(p.CornerErrors), orNull(p.PoseErrors))
			}
		}
	})
	in.into(ctx, "histograms", 2, []string{"descriptor", "scope", "rank", "queries", "cumulative_share"}, func(insert func(...any)) {
		byKey := slices.SortedFunc(slices.Values(res.Histograms), func(a, b ranking.Histogram) int { return cmp.Compare(a.Scope, b.Scope) })
		for _, h := range byKey {
			all, soFar := 0, 0
			for _, bar := range h.Bars {
				all += bar.Queries
			}
			for _, bar := range h.Bars {
				soFar += bar.Queries
				insert(d.Name, h.Scope, bar.Rank, bar.Queries, float64(soFar)/float64(all))
			}
		}
	})
}

func (in *inserter) insertKeypointSets(ctx context.Context, sets []KeypointSet) {
	in.into(ctx, "keypoint_sets", 0, []string{"name", "scenes", "images", "keypoints", "min_per_image", "max_per_image"}, func(insert func(...any)) {
		for _, s := range sets {
			var fewest, most any // NULL for a set without images
			if s.Images > 0 {
				fewest, most = s.MinPerImage, s.MaxPerImage
			}
			insert(s.Name, s.Scenes, s.Images, s.Keypoints, fewest, most)
		}
	})
}

// insertFacts inserts the facts about a descriptor, or about the run if descriptor is "".
func (in *inserter) insertFacts(ctx context.Context, descriptor string, facts []fact.Fact) {
	in.into(ctx, "warnings", 0, []string{"number", "descriptor", "kind", "text", "fact"}, func(insert func(...any)) {
		for _, f := range fact.About(descriptor, facts) {
			in.warnings++
			text, err := json.Marshal(f)
			if in.err = cmp.Or(in.err, err); err == nil {
				insert(in.warnings, orNull(descriptor), string(f.Kind), notes.Text(f), string(text))
			}
		}
	})
}

// metricColumns lists the columns of results that hold the metric of the same
// name in scope "all".
var metricColumns = []string{
	catalogue.MicroMAP, "true_map_macro", "viewpoint_map", "illumination_map",
	"keypoint_verification_ap", "verification_viewpoint_ap", "verification_illumination_ap",
	"keypoint_retrieval_ap", "retrieval_viewpoint_ap", "retrieval_illumination_ap",
	"retrieval_num_true_positives", "retrieval_num_hard_negatives", "retrieval_num_distractors",
	"precision_at_1", "precision_at_5", "precision_at_10",
	"recall_at_1", "recall_at_5", "recall_at_10",
	"mean_average_precision", "legacy_mean_precision",
}

// renamedColumns maps those of metricColumns that are named as in the reference
// system to the names of their metrics.
var renamedColumns = map[string]string{
	"true_map_macro":        catalogue.MAP,
	"legacy_mean_precision": "mean_precision",
}

// wideFigures returns the values of the numeric columns for res.
func wideFigures(res ranking.Result, timings []Timing) Figures {
	metrics := overall(res)
	// As in the reference system: the macro mean if there is one, else the micro mean.
	if macro, ok := metrics.Get(catalogue.MAP); ok && macro > 0 {
		metrics = append(metrics, Figure{"mean_average_precision", macro})
	} else if micro, ok := metrics.Get("true_map_micro"); ok {
		metrics = append(metrics, Figure{"mean_average_precision", micro})
	}
	var wide Figures
	for _, column := range metricColumns {
		name := column
		if other, ok := renamedColumns[column]; ok {
			name = other
		}
		if v, ok := metrics.Get(name); ok {
			wide = append(wide, Figure{column, v})
		}
	}
	sum := totals(res)
	wide = append(wide, Figure{"total_matches", float64(sum.Matches)}, Figure{"total_keypoints", float64(sum.Keypoints)})
	seconds, timed, whole := 0.0, false, true
	for _, t := range timings {
		if t.Descriptor == res.Descriptor {
			seconds += t.Seconds
			timed = true
			whole = whole && t.OfAllWork()
		}
	}
	if timed && whole {
		wide = append(wide, Figure{"processing_time_ms", 1000 * seconds})
	}
	return wide
}

// metadata returns the metadata text that scripts for the reference system parse.
// It omits undefined metrics.
func metadata(res ranking.Result) string {
	figures := overall(res)
	var b strings.Builder
	add := func(key, value string) {
		if b.Len() > 0 {
			b.WriteByte(';')
		}
		b.WriteString(key + "=" + value)
	}
	for _, f := range figures {
		switch {
		case f.Name == catalogue.MicroMAP, f.Name == catalogue.MAP, catalogue.Of(f.Name).Family == "precision_at_K",
			f.Name == "total_queries_processed", f.Name == "total_queries_excluded":
			add(f.Name, formatFloat(f.Value))
		}
	}
	for _, s := range res.Scenes {
		if s.Processed > 0 {
			add(s.Name+"_true_map", formatFloat(s.TrueMAP))
		}
		add(s.Name+"_query_count", strconv.Itoa(s.Processed))
		add(s.Name+"_excluded_count", strconv.Itoa(s.Excluded))
	}
	return b.String()
}
