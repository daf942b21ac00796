package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
)

// copyRun copies the run in the SQLite file own, an absolute path, which has the newest schema. It
// removes an earlier one with the same name and identity, and what was entered of the same run
// before, with fewer scenes: from the same folder, begun at the same time.
func copyRun(ctx context.Context, tx *sql.Tx, own string) error {
	if err := attachOwn(ctx, tx, own); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM main.experiments WHERE EXISTS (SELECT 1 FROM own.experiments o
		WHERE o.name = experiments.name AND (o.identity = experiments.identity OR o.started = experiments.started AND experiments.folder = ?))`, filepath.Dir(own))
	if err != nil {
		return err
	}
	columns, err := columnsOf(ctx, tx, "own", "t.type = 'table' AND c.name NOT IN ('id', 'experiment_id', 'folder')")
	if err != nil {
		return err
	}
	const experiments = "experiments"
	entered, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO main.%s (folder, %s) SELECT ?, %[2]s FROM own.%[1]s", experiments, columns[experiments]), filepath.Dir(own))
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

// attachOwn attaches the database of a run. Nobody changes the file, so it needs no locks.
func attachOwn(ctx context.Context, tx *sql.Tx, own string) error {
	absolute, err := filepath.Abs(own)
	if err != nil {
		return err
	}
	from := url.URL{Path: absolute}
	_, err = tx.ExecContext(ctx, "ATTACH DATABASE ? AS own", "file:"+from.EscapedPath()+"?immutable=1")
	return err
}

// Differing returns the tables and views that the database of a run has otherwise than the
// one at path, which was just written from its units. Dates, times and paths in the config may
// differ. If it has other tables, views, indexes or triggers, it returns only these.
func Differing(ctx context.Context, path, own string) (names []string, err error) {
	if err := readDatabase(ctx, own, func(*sql.Tx) error { return nil }); err != nil {
		return nil, err // such as that of another schema
	}
	err = readDatabase(ctx, path, func(tx *sql.Tx) error {
		if err := attachOwn(ctx, tx, own); err != nil {
			return err
		}
		const parts = "SELECT type, name, tbl_name, sql FROM %s.sqlite_master"
		ours, theirs := fmt.Sprintf(parts, "main"), fmt.Sprintf(parts, "own")
		err := query(ctx, tx, fmt.Sprintf("SELECT DISTINCT type || ' ' || name FROM (SELECT * FROM (%[1]s EXCEPT %[2]s) UNION ALL SELECT * FROM (%[2]s EXCEPT %[1]s)) ORDER BY 1", ours, theirs), func(scan func(...any) error) error {
			var part string
			err := scan(&part)
			names = append(names, part)
			return err
		})
		if err != nil || names != nil { // views of others may take for ever
			return err
		}
		columns, err := columnsOf(ctx, tx, "main", "c.name NOT IN ('config', 'started', 'finished', 'processing_time_ms')")
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(columns)) {
			var differs bool
			query := fmt.Sprintf(`SELECT EXISTS (SELECT %[2]s FROM main.%[1]s EXCEPT SELECT %[2]s FROM own.%[1]s)
				OR EXISTS (SELECT %[2]s FROM own.%[1]s EXCEPT SELECT %[2]s FROM main.%[1]s)`, name, columns[name])
			if err := tx.QueryRowContext(ctx, query).Scan(&differs); err != nil {
				return err
			}
			if differs {
				names = append(names, name)
			}
		}
		return nil
	})
	return names, err
}

// columnsOf returns the columns that a condition selects, of every table and view, as text.
func columnsOf(ctx context.Context, tx *sql.Tx, database, condition string) (columns map[string]string, err error) {
	columns = make(map[string]string)
	return columns, query(ctx, tx, fmt.Sprintf(`SELECT t.name, group_concat('"' || c.name || '"', ', ') FROM %[1]s.sqlite_master t, pragma_table_info(t.name, '%[1]s') c
		WHERE t.type IN ('table', 'view') AND %[2]s GROUP BY t.name`, database, condition), func(scan func(...any) error) error {
		var table, names string
		err := scan(&table, &names)
		columns[table] = names
		return err
	})
}
