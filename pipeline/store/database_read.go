package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
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
