package store

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"net/url"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// busyTimeoutMs is how long to wait while other processes write to a shared
// database, in ms.
const busyTimeoutMs = 60_000

// databaseName is the name of a run's own database in its folder.
const databaseName = "results.sqlite"

//go:embed schema_1.sql
var schema1 string

//go:embed schema_2.sql
var schema2 string

// ladder[v] migrates a database from schema version v to v+1. Version 0 is the
// empty file. PRAGMA user_version stores the version.
var ladder = []string{schema1, schema2}

// WriteDatabase writes a SQLite file that contains only the run. It builds the
// file under a temporary name, without locks, which network file systems may not
// support, and then renames it to path.
func WriteDatabase(ctx context.Context, path string, r Run) error {
	p, err := createPending(path)
	if err != nil {
		return err
	}
	defer p.abort()
	// No other process uses the temporary file, and it is discarded if this
	// process dies. It needs neither locks nor a journal.
	options := url.Values{"nolock": {"1"}, "_pragma": {"journal_mode(OFF)", "synchronous(OFF)"}}
	if err := inTransaction(ctx, p.temporary(), options, func(tx *sql.Tx) error { return insertRun(ctx, tx, r) }); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return p.commit()
}

// EnterShared adds the run to the SQLite file path in one transaction, and
// creates the file if necessary. It replaces an earlier run with the same name and
// identity. Any number of processes may call it concurrently. It refuses the
// database of a single run.
func EnterShared(ctx context.Context, path string, r Run) error {
	return enter(ctx, path, func(tx *sql.Tx) error { return insertRun(ctx, tx, r) })
}

// enter changes a database that other processes may use. It refuses the database
// of a single run. Errors contain the path.
func enter(ctx context.Context, path string, change func(*sql.Tx) error) error {
	if isOwnDatabase(path) {
		return fmt.Errorf("database %s: belongs to the other results in its folder and is replaced with them; choose another file", path)
	}
	options := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeoutMs), "foreign_keys(ON)"}, "_txlock": {"immediate"}}
	if err := inTransaction(ctx, path, options, change); err != nil {
		return fmt.Errorf("database %s: %w", path, err)
	}
	return nil
}

// inTransaction migrates a database and changes it, all or nothing.
func inTransaction(ctx context.Context, path string, options url.Values, change func(*sql.Tx) error) (err error) {
	db, err := openDatabase(path, options)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	// Has no effect after Commit. SQLite itself rolls back if the disk is full;
	// doing so again would be a second, misleading error.
	defer func() { _ = tx.Rollback() }()
	if err := migrate(ctx, tx, ladder); err != nil {
		return err
	}
	if err := change(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// openDatabase opens a SQLite file on a single connection, so that pragmas stay
// in effect.
func openDatabase(path string, options url.Values) (*sql.DB, error) {
	// Absolute, because the URI of a relative path may refer to a different file.
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
