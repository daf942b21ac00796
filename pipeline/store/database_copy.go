package store

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
)

// copyRun copies the run in the SQLite file own, which has the newest schema, and
// removes an earlier one with the same name and identity.
func copyRun(ctx context.Context, tx *sql.Tx, own string) error {
	absolute, err := filepath.Abs(own)
	if err != nil {
		return err
	}
	// Nobody changes the file, so it needs no locks.
	from := url.URL{Path: absolute}
	if _, err := tx.ExecContext(ctx, "ATTACH DATABASE ? AS own", "file:"+from.EscapedPath()+"?immutable=1"); err != nil {
		return err
	}
	var name, identity string
	if err := tx.QueryRowContext(ctx, "SELECT name, identity FROM own.experiments").Scan(&name, &identity); err != nil {
		return err
	}
	if err := removeRun(ctx, tx, name, identity); err != nil {
		return err
	}
	columns, err := ownColumns(ctx, tx)
	if err != nil {
		return err
	}
	const experiments = "experiments"
	entered, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO main.%s (%s) SELECT %[2]s FROM own.%[1]s", experiments, columns[experiments]))
	if err != nil {
		return err
	}
	id, err := entered.LastInsertId()
	if err != nil {
		return err
	}
	delete(columns, experiments)
	for table, columns := range columns {
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO main.%s (experiment_id, %s) SELECT ?, %[2]s FROM own.%[1]s", table, columns), id); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
	}
	return nil
}

// ownColumns returns the columns of every table as text, without the columns that
// number rows and experiments.
func ownColumns(ctx context.Context, tx *sql.Tx) (columns map[string]string, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT t.name, group_concat(c.name, ', ') FROM own.sqlite_master t, pragma_table_info(t.name, 'own') c
		WHERE t.type = 'table' AND c.name NOT IN ('id', 'experiment_id') GROUP BY t.name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns = make(map[string]string)
	for rows.Next() {
		var table, names string
		if err := rows.Scan(&table, &names); err != nil {
			return nil, err
		}
		columns[table] = names
	}
	return columns, rows.Err()
}
