package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// A ResultRow is the row of one descriptor of one experiment in a database.
type ResultRow struct {
	Experiment       string  `json:"experiment"`
	Identity         string  `json:"identity"`
	Finished         string  `json:"finished,omitempty"` // RFC 3339, UTC; "" if not known
	ScenesRequested  int     `json:"scenes_requested"`
	Descriptor       string  `json:"descriptor"`
	Type             string  `json:"type"` // a descriptors.Kind
	Dimension        int     `json:"dimension"`
	KeypointSet      string  `json:"keypoint_set"`
	ScenesEvaluated  int     `json:"scenes_evaluated"`
	QueriesProcessed int     `json:"queries_processed"`
	QueriesExcluded  int     `json:"queries_excluded"`
	Figures          Figures `json:"figures"`  // by column name
	Metadata         string  `json:"metadata"` // key=value;...
}

// ReadResults returns the rows of the results table in the SQLite file path,
// which is either a run's own database or a shared one. Rows are grouped by
// experiment, in the order of insertion.
func ReadResults(ctx context.Context, path string) (rows []ResultRow, err error) {
	err = readDatabase(ctx, path, []string{"experiments", "results"}, func(db *sql.DB) (err error) {
		rows, err = selectResults(ctx, db)
		return err
	})
	return rows, err
}

func selectResults(ctx context.Context, db *sql.DB) (results []ResultRow, err error) {
	rows, err := db.QueryContext(ctx, `SELECT e.name, e.identity, coalesce(e.finished, ''), e.scenes_requested,
		r.descriptor, r.descriptor_type, r.dimension, r.keypoint_set, r.scenes_evaluated, r.queries_processed, r.queries_excluded,
		coalesce(r.metadata, ''), r.`+strings.Join(figureColumns(), ", r.")+`
		FROM results r JOIN experiments e ON e.id = r.experiment_id ORDER BY e.id, r.id`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r ResultRow
		values := make([]sql.NullFloat64, len(figureColumns()))
		into := []any{
			&r.Experiment, &r.Identity, &r.Finished, &r.ScenesRequested,
			&r.Descriptor, &r.Type, &r.Dimension, &r.KeypointSet, &r.ScenesEvaluated, &r.QueriesProcessed, &r.QueriesExcluded,
			&r.Metadata,
		}
		for i := range values {
			into = append(into, &values[i])
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		for i, name := range figureColumns() {
			if values[i].Valid {
				r.Figures = append(r.Figures, Figure{name, values[i].Float64})
			}
		}
		results = append(results, r)
	}
	return results, rows.Err()
}
