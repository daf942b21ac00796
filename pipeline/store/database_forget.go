package store

import (
	"context"
	"database/sql"
	"net/url"
)

// Forget removes runs from the shared SQLite file in one transaction. choose gets
// all rows and returns those whose runs are removed.
func Forget(ctx context.Context, path string, choose func([]ResultRow) ([]ResultRow, error)) error {
	if err := checkShared(path); err != nil {
		return err
	}
	rows, err := ReadResults(ctx, path, Selection{}) // checks the file, too
	if err != nil {
		return err
	}
	chosen, err := choose(rows)
	if err != nil || len(chosen) == 0 {
		return err
	}
	return changeShared(ctx, path, func(options url.Values) error {
		options.Set("mode", "rw")
		return inTransaction(ctx, path, options, func(tx *sql.Tx) error {
			for _, r := range chosen {
				if _, err := tx.ExecContext(ctx, "DELETE FROM experiments WHERE name = ? AND identity = ?", r.Experiment, r.Identity); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
