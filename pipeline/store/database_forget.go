package store

import (
	"context"
	"database/sql"
)

// Forget removes runs from the shared SQLite file in one transaction. choose gets
// all rows and returns those whose runs are removed.
func Forget(ctx context.Context, path string, choose func([]ResultRow) ([]ResultRow, error)) error {
	rows, err := ReadResults(ctx, path, Selection{})
	if err != nil {
		return err
	}
	chosen, err := choose(rows)
	if err != nil || len(chosen) == 0 {
		return err
	}
	return enter(ctx, path, busyTimeoutMs, func(tx *sql.Tx) error {
		for _, r := range chosen {
			if err := removeRun(ctx, tx, r.Experiment, r.Identity); err != nil {
				return err
			}
		}
		return nil
	})
}
