package store

import (
	"context"
	"database/sql"
	"errors"
	"math"

	"descbench/eval"
)

// PatchPrefix is the prefix of all metric names of the patch benchmark.
const PatchPrefix = "patch_"

// An Evaluated is one descriptor of one experiment in a database, with the
// requested metrics.
type Evaluated struct {
	Experiment, Identity string
	Config               string // YAML
	Descriptor           string
	Metrics              []eval.Metric
}

// ReadPatchMetrics returns every descriptor in the SQLite file that has metrics of
// the patch benchmark, in the order of insertion.
func ReadPatchMetrics(ctx context.Context, path string) ([]Evaluated, error) {
	return readMetrics(ctx, path, "substr(m.metric, 1, ?) = ?", len(PatchPrefix), PatchPrefix)
}

// ReadScope returns every descriptor in the SQLite file that has metrics in the
// given scope, in the order of insertion.
func ReadScope(ctx context.Context, path, scope string) ([]Evaluated, error) {
	return readMetrics(ctx, path, "m.scope = ?", scope)
}

func readMetrics(ctx context.Context, path, which string, values ...any) (list []Evaluated, err error) {
	err = readDatabase(ctx, path, func(db *sql.DB) error {
		list, err = selectMetrics(ctx, db, which, values)
		return err
	})
	return list, err
}

func selectMetrics(ctx context.Context, db *sql.DB, which string, values []any) (list []Evaluated, err error) {
	rows, err := db.QueryContext(ctx, `SELECT e.id, e.name, e.identity, e.config, m.descriptor, m.scope, m.metric, m.value, m.ci_low, m.ci_high, m.n
		FROM metrics m JOIN experiments e ON e.id = m.experiment_id
		WHERE `+which+` ORDER BY e.id, m.descriptor, m.scope, m.metric`, values...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	last := int64(-1)
	for rows.Next() {
		var id int64
		var e Evaluated
		var m eval.Metric
		var low, high sql.NullFloat64
		if err := rows.Scan(&id, &e.Experiment, &e.Identity, &e.Config, &e.Descriptor, &m.Scope, &m.Name, &m.Value, &low, &high, &m.N); err != nil {
			return nil, err
		}
		m.Low, m.High = orNaN(low), orNaN(high)
		if n := len(list); n == 0 || id != last || list[n-1].Descriptor != e.Descriptor {
			list = append(list, e)
			last = id
		}
		of := &list[len(list)-1]
		of.Metrics = append(of.Metrics, m)
	}
	return list, rows.Err()
}

func orNaN(v sql.NullFloat64) float64 {
	if !v.Valid {
		return math.NaN()
	}
	return v.Float64
}
