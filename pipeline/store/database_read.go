package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"descbench/eval/fact"
	"descbench/eval/scope"
)

// A ResultRow is one descriptor of one experiment in a database.
type ResultRow struct {
	Experiment string
	Kind       string // Sequences or Patches
	Descriptor string
	Config     string         // YAML
	Metrics    []scope.Metric // those selected
	Facts      []fact.Fact    // about this descriptor, if metrics are selected

	experiment int64 // id, in the order of insertion
}

// OfPatches is the condition of ReadResults for metrics of the patch benchmark, in any scope.
const OfPatches = "substr(metric, 1, 6) = '" + PatchPrefix + "'"

// ReadResults returns every descriptor of every run in the SQLite file path, which
// is either a run's own database or a shared one. Rows are grouped by run, in the
// order of insertion. They have the metrics for which a condition in SQL holds, such as
// OfPatches, and warnings; none of these if it is "".
func ReadResults(ctx context.Context, path, metrics string) (rows []ResultRow, err error) {
	err = readDatabase(ctx, path, func(tx *sql.Tx) error {
		if rows, err = selectResults(ctx, tx); err != nil {
			return err
		}
		place := make(map[resultKey]*ResultRow, len(rows))
		for i := range rows {
			place[resultKey{rows[i].experiment, rows[i].Descriptor}] = &rows[i]
		}
		if metrics == "" {
			return nil
		}
		return cmp.Or(selectMetrics(ctx, tx, metrics, place), selectFacts(ctx, tx, place))
	})
	return rows, err
}

// Contradicts returns what the database of the run has otherwise than the summary, in words of
// summary.json, but for metrics. The database does not know why scenes failed.
func (s *Summary) Contradicts(ctx context.Context, database string) (keys []string, err error) {
	type value struct {
		key, text string
		number    float64
	}
	balance := map[value]int{
		{"experiment", s.Experiment, 0}: 1, {"protocol", s.Protocol.Key(), 0}: 1,
		{"scenes_requested", "", float64(s.ScenesRequested)}: 1, {"scenes_evaluated", "", float64(s.ScenesEvaluated)}: 1,
		{"failed_scenes", "", float64(len(s.FailedScenes))}: 1,
	}
	for _, w := range s.Warnings {
		text, err := json.Marshal(w)
		if err != nil {
			return nil, err
		}
		balance[value{"warnings", string(text), 0}]++
	}
	for _, d := range s.Descriptors {
		for name, scene := range d.Scenes {
			if scene.QueriesProcessed > 0 { // the database has no scenes of matches of points
				balance[value{d.Name + " " + name, "", float64(scene.QueriesProcessed)}]++
			}
		}
	}
	err = readDatabase(ctx, database, func(tx *sql.Tx) error {
		return query(ctx, tx, `SELECT 'experiment', name, 0 FROM experiments
			UNION ALL SELECT 'protocol', coalesce(protocol, ''), 0 FROM experiments
			UNION ALL SELECT 'scenes_requested', '', scenes_requested FROM experiments
			UNION ALL SELECT 'scenes_evaluated', '', scenes_evaluated FROM experiments
			UNION ALL SELECT 'failed_scenes', '', scenes_requested - scenes_evaluated FROM experiments
			UNION ALL SELECT 'warnings', fact, 0 FROM warnings
			UNION ALL SELECT descriptor || ' ' || scene, '', queries_processed FROM scene_results WHERE queries_processed > 0`,
			func(scan func(...any) error) error {
				var v value
				err := scan(&v.key, &v.text, &v.number)
				balance[v]--
				return err
			})
	})
	maps.DeleteFunc(balance, func(_ value, n int) bool { return n == 0 })
	for v := range balance {
		keys = append(keys, v.key)
	}
	slices.Sort(keys)
	return slices.Compact(keys), err
}

type resultKey struct {
	experiment int64
	descriptor string
}

// query calls scan for every row of a query.
func query(ctx context.Context, tx *sql.Tx, text string, scan func(scan func(...any) error) error) (err error) {
	rows, err := tx.QueryContext(ctx, text)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, rows.Close()) }()
	for rows.Next() {
		if err := scan(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func selectResults(ctx context.Context, tx *sql.Tx) (results []ResultRow, err error) {
	err = query(ctx, tx, `SELECT e.id, e.name, e.kind, e.config, r.descriptor
		FROM results r JOIN experiments e ON e.id = r.experiment_id ORDER BY e.id, r.id`,
		func(scan func(...any) error) error {
			var r ResultRow
			if err := scan(&r.experiment, &r.Experiment, &r.Kind, &r.Config, &r.Descriptor); err != nil {
				return err
			}
			results = append(results, r)
			return r.checkNames()
		})
	return results, err
}

// checkNames returns an error if a name could do harm, since the database may come from
// somebody else. Results of patches have names of files and folders.
func (r *ResultRow) checkNames() error {
	if r.Kind != Patches {
		return cmp.Or(scope.CheckName(r.Experiment), scope.CheckName(r.Descriptor))
	}
	for _, name := range []string{r.Experiment, r.Descriptor} {
		if strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) }) {
			return fmt.Errorf("found the name %.40q, want printable characters", name)
		}
	}
	return nil
}

func selectMetrics(ctx context.Context, tx *sql.Tx, condition string, place map[resultKey]*ResultRow) error {
	return query(ctx, tx, "SELECT experiment_id, descriptor, scope, metric, value, ci_low, ci_high, n FROM metrics WHERE "+
		condition+" ORDER BY experiment_id, descriptor, scope, metric",
		func(scan func(...any) error) error {
			var key resultKey
			var m scope.Metric
			var low, high sql.NullFloat64
			if err := scan(&key.experiment, &key.descriptor, &m.Scope, &m.Name, &m.Value, &low, &high, &m.N); err != nil {
				return err
			}
			m.Low, m.High = orNaN(low), orNaN(high)
			if r := place[key]; r != nil {
				r.Metrics = append(r.Metrics, m)
			}
			return scope.CheckScope(m.Scope)
		})
}

func selectFacts(ctx context.Context, tx *sql.Tx, place map[resultKey]*ResultRow) error {
	return query(ctx, tx, "SELECT experiment_id, descriptor, fact FROM warnings WHERE descriptor IS NOT NULL ORDER BY experiment_id, number",
		func(scan func(...any) error) error {
			var key resultKey
			var text []byte
			if err := scan(&key.experiment, &key.descriptor, &text); err != nil {
				return err
			}
			if r := place[key]; r != nil {
				r.Facts = append(r.Facts, fact.Fact{})
				return json.Unmarshal(text, &r.Facts[len(r.Facts)-1])
			}
			return nil
		})
}

func orNaN(v sql.NullFloat64) float64 {
	if !v.Valid {
		return math.NaN()
	}
	return v.Float64
}
