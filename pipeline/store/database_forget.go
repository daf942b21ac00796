package store

import (
	"context"
	"database/sql"
)

// Forget removes the runs of rows from the shared SQLite file in one transaction.
func Forget(ctx context.Context, path string, rows []ResultRow) error {
	return enter(ctx, path, busyTimeoutMs, func(tx *sql.Tx) error {
		for _, r := range rows {
			if err := removeRun(ctx, tx, r.Experiment, r.Identity); err != nil {
				return err
			}
		}
		return nil
	})
}
