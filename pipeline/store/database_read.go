package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"descbench/keypoints/openfile"
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
	err = readDatabase(ctx, path, func(db *sql.DB) error {
		rows, err = selectResults(ctx, db)
		return err
	})
	return rows, err
}

// readDatabase opens a SQLite file, checks it and calls read. A run's own file
// is checked against the SumsFile in its folder, which notices every altered
// byte. A shared file changes with every run that is entered, so it is checked by
// SQLite itself, which notices damage to its structure, but not an altered digit
// of a number.
func readDatabase(ctx context.Context, path string, read func(*sql.DB) error) (err error) {
	f, err := openfile.Open(path, math.MaxInt64)
	if err != nil {
		return err // more specific than SQLite's error
	}
	defer f.Close()
	own := isOwnDatabase(path)
	if own {
		if err := checkSum(f, path); err != nil {
			return damaged(path, err)
		}
	}
	// Not "ro", because the transaction of a killed process may have to be rolled
	// back first.
	db, err := openDatabase(path, url.Values{"mode": {"rw"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeoutMs)}})
	if err == nil {
		defer func() { err = errors.Join(err, db.Close()) }()
		if !own {
			err = quickCheck(ctx, db)
		}
		if err == nil {
			err = checkReadable(ctx, db)
		}
		if err == nil {
			err = read(db)
		}
	}
	if err != nil {
		return fmt.Errorf("database %s: %w", path, err)
	}
	return nil
}

// isOwnDatabase reports whether a SQLite file is the database of a run, or of an
// evaluation of patches, in its folder.
func isOwnDatabase(path string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(path), SumsFile))
	return err == nil && filepath.Base(path) == databaseName
}

// quickCheck makes SQLite check the structure of a database.
func quickCheck(ctx context.Context, db *sql.DB) error {
	var found string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("%w: %s; restore a copy, or enter the runs into a new file with descbench fold", ErrDamaged, strings.Join(strings.Fields(found), " "))
	}
	return nil
}

// checkReadable returns an error unless the database has a schema that this
// program reads.
func checkReadable(ctx context.Context, db *sql.DB) error {
	version, err := schemaVersion(ctx, db, len(ladder))
	if err == nil && version == 0 {
		err = errors.New("not a descbench database: its tables are missing")
	}
	return err
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
