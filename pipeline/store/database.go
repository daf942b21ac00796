package store

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// busyTimeoutMs is how long to wait for others that write a shared database.
const busyTimeoutMs = 60_000

//go:embed schema_1.sql
var schema1 string

// ladder[v] lifts a database from schema version v to v+1; version 0 is the
// empty file. The version is in PRAGMA user_version.
var ladder = []string{schema1}

// WriteDatabase writes the SQLite file path with the run alone. It is built
// under a temporary name without locks, which network file systems may lack,
// and then renamed.
func WriteDatabase(ctx context.Context, path string, r Run) error {
	p, err := createPending(path)
	if err != nil {
		return err
	}
	defer p.abort()
	// Nobody else knows the temporary file, and if this process dies it is
	// rubbish: neither locks nor a journal have a use.
	options := url.Values{"nolock": {"1"}, "_pragma": {"journal_mode(OFF)", "synchronous(OFF)"}}
	if err := enter(ctx, p.temporary(), options, r); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return p.commit()
}

// EnterShared enters the run into the SQLite file path, which it makes if need
// be, in one transaction. It replaces an earlier run of the same name and
// identity. Any number of processes may do so at the same time.
func EnterShared(ctx context.Context, path string, r Run) error {
	options := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeoutMs), "foreign_keys(ON)"}, "_txlock": {"immediate"}}
	if err := enter(ctx, path, options, r); err != nil {
		return fmt.Errorf("database %s: %w", path, err)
	}
	return nil
}

func enter(ctx context.Context, path string, options url.Values, r Run) (err error) {
	if err := r.check(); err != nil {
		return err
	}
	db, err := openDatabase(path, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := migrate(ctx, tx, ladder); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if err := insertRun(ctx, tx, r); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// openDatabase opens a SQLite file on one connection, so that pragmas hold.
func openDatabase(path string, options url.Values) (*sql.DB, error) {
	// Absolute, because the URI of a relative one may mean another.
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	name := url.URL{Path: absolute}
	db, err := sql.Open("sqlite", "file:"+name.EscapedPath()+"?"+options.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// migrate lifts the database to the schema on top of the ladder.
func migrate(ctx context.Context, tx *sql.Tx, ladder []string) error {
	version, err := schemaVersion(ctx, tx, len(ladder))
	if err != nil {
		return err
	}
	if version == 0 {
		var tables int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&tables); err != nil {
			return err
		}
		if tables > 0 {
			return errors.New("want a database of descbench or a new file, found other tables")
		}
	}
	for ; version < len(ladder); version++ {
		if _, err := tx.ExecContext(ctx, ladder[version]); err != nil {
			return fmt.Errorf("lift schema from version %d: %w", version, err)
		}
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
	return err
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// schemaVersion returns the version of the database, which must not be above
// newest.
func schemaVersion(ctx context.Context, db querier, newest int) (int, error) {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, err
	}
	if version < 0 || version > newest {
		return 0, fmt.Errorf("want schema version %d or older, found %d: use a descbench at least as new as the one that wrote it", newest, version)
	}
	return version, nil
}
