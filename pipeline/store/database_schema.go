package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// An executor is a database or a transaction.
type executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// migrate upgrades the database to the newest schema version of the ladder.
func migrate(ctx context.Context, db executor, ladder []string) error {
	version, err := schemaVersion(ctx, db, len(ladder))
	if err != nil {
		return err
	}
	if version == 0 {
		var tables int
		if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&tables); err != nil {
			return err
		}
		if tables > 0 {
			return errors.New("not a descbench database: it contains other tables; choose a new file")
		}
	} else if err := checkSchema(ctx, db, ladder[:version]); err != nil {
		return err
	}
	if version == len(ladder) {
		return nil
	}
	for ; version < len(ladder); version++ {
		if _, err := db.ExecContext(ctx, ladder[version]); err != nil {
			return fmt.Errorf("migrate from schema version %d: %w", version, err)
		}
	}
	if err := rewriteProtocols(ctx, db); err != nil {
		return fmt.Errorf("migrate protocols: %w", err)
	}
	_, err = db.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
	return err
}

// schemaVersion returns the schema version of the database. It returns an error
// if the version is above newest.
func schemaVersion(ctx context.Context, db executor, newest int) (int, error) {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, err
	}
	if version < 0 || version > newest {
		return 0, newer("schema", version, newest)
	}
	return version, nil
}

// checkSchema checks that every table and view is defined as in the schema. In a
// forged database it could be a view, or have computed columns, that never end or
// fill the memory. Other tables are ignored.
func checkSchema(ctx context.Context, db executor, ladder []string) error {
	blank, err := openDatabase(":memory:", url.Values{"mode": {"memory"}})
	if err != nil {
		return err
	}
	defer blank.Close()
	for _, step := range ladder {
		if _, err := blank.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	want, err := definitions(ctx, blank)
	if err != nil {
		return err
	}
	found, err := definitions(ctx, db)
	if err != nil {
		return err
	}
	actual := make(map[string]string)
	for _, d := range found {
		if d.kind == "trigger" {
			return fmt.Errorf("not a descbench database: it has the trigger %s", d.name)
		}
		actual[d.name] = d.sql
	}
	for _, d := range want {
		switch definition, ok := actual[d.name]; {
		case !ok:
			return fmt.Errorf("not a descbench database: its %s %s is missing", d.kind, d.name)
		case definition != d.sql:
			return fmt.Errorf("not a descbench database: %s is not defined as in schema version %d", d.name, len(ladder))
		}
	}
	return nil
}

type definition struct{ kind, name, sql string }

var (
	sqlComment = regexp.MustCompile(`--[^\n]*`)
	sqlSpace   = regexp.MustCompile(`\s+`)
)

// definitions returns the tables, views and triggers in the order of their
// creation. SQLite keeps the text that created them. Comments are removed.
func definitions(ctx context.Context, db executor) (list []definition, err error) {
	rows, err := db.QueryContext(ctx, "SELECT type, name, sql FROM sqlite_master WHERE type <> 'index' ORDER BY rowid")
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, rows.Close()) }()
	for rows.Next() {
		var d definition
		if err := rows.Scan(&d.kind, &d.name, &d.sql); err != nil {
			return nil, err
		}
		d.sql = strings.TrimSpace(sqlSpace.ReplaceAllString(sqlComment.ReplaceAllString(d.sql, ""), " "))
		list = append(list, d)
	}
	return list, rows.Err()
}
