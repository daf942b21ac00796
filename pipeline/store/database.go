package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"descbench/eval/ranking"

	"modernc.org/sqlite" // also the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// busyTimeoutMs is how long to wait while other processes write to a shared
// database, in ms.
const busyTimeoutMs = 60_000

// soonMs is how long CopyShared waits without a word.
const soonMs = 3000

// DatabaseName is the name of a run's own database in its folder.
const DatabaseName = "results.sqlite"

// A DatabaseWriter writes a SQLite file that contains only one run, descriptor by
// descriptor. It builds the file under a temporary name, without locks, which
// network file systems may not support. The file appears, complete, when Close
// succeeds.
type DatabaseWriter struct {
	file *Pending
	transaction
	in *inserter
}

// onlyExperiment is the id of the experiment in a run's own database.
const onlyExperiment = 1

// NewDatabaseWriter starts writing the database of a run.
func NewDatabaseWriter(ctx context.Context, path string) (*DatabaseWriter, error) {
	p, err := Create(path)
	if err != nil {
		return nil, err
	}
	// No other process uses the temporary file, and it is discarded if this
	// process dies. It needs neither locks nor a journal.
	t, err := begin(ctx, p.Temporary(), url.Values{"nolock": {"1"}, "_pragma": {"journal_mode(OFF)", "synchronous(OFF)"}})
	if err != nil {
		return nil, p.Commit(err)
	}
	return &DatabaseWriter{p, t, &inserter{tx: t.tx, experiment: onlyExperiment}}, nil
}

// Add adds the result of a descriptor and the time that its timings sum up to.
func (w *DatabaseWriter) Add(ctx context.Context, d Descriptor, res ranking.Result, timings []Timing) error {
	if w.in.insertResult(ctx, d, res, timings); w.in.err != nil {
		return w.file.Failure(w.in.err)
	}
	return nil
}

// Close adds what the run has apart from its results, and completes the file.
func (w *DatabaseWriter) Close(ctx context.Context, r Run) error {
	defer w.Abort()
	_, err := insertExperiment(ctx, w.tx, r) // onlyExperiment
	if err == nil {
		w.in.insertKeypointSets(ctx, r.KeypointSets)
		w.in.insertFacts(ctx, "", r.Facts)
		err = w.in.err
	}
	if err == nil {
		err = w.commit()
	}
	return w.file.Commit(err)
}

// Abort discards the file unless it has been closed.
func (w *DatabaseWriter) Abort() {
	w.abort()
	w.file.Abort()
}

// EnterShared adds the run to the SQLite file path in one transaction, and
// creates the file if necessary. It replaces an earlier run with the same name and
// identity. Any number of processes may call it concurrently. It refuses the
// database of a single run.
func EnterShared(ctx context.Context, path string, r Run) error {
	return enter(ctx, path, busyTimeoutMs, func(tx *sql.Tx) error {
		id, err := insertExperiment(ctx, tx, r)
		if err != nil {
			return err
		}
		in := &inserter{tx: tx, experiment: id}
		for i, res := range r.Results {
			in.insertResult(ctx, r.Descriptors[i], res, r.Timings)
		}
		in.insertKeypointSets(ctx, r.KeypointSets)
		in.insertFacts(ctx, "", r.Facts)
		return in.err
	})
}

// CopyShared is like EnterShared for the run in the SQLite file own, in its folder. waiting is
// called if another program has used the database for some seconds.
func CopyShared(ctx context.Context, path, own string, waiting func()) error {
	own, err := filepath.Abs(own)
	if err != nil {
		return err
	}
	enterOwn := func(tx *sql.Tx) error { return copyRun(ctx, tx, own) }
	if err = enter(ctx, path, soonMs, enterOwn); sqliteCode(err) == sqlite3.SQLITE_BUSY {
		waiting()
		err = enter(ctx, path, busyTimeoutMs, enterOwn)
	}
	return err
}

// CheckShared returns an error if no run can be entered into the SQLite file path, which need
// not exist; "" is none. It does not wait for processes that are writing to it.
func CheckShared(ctx context.Context, path string) error {
	if path == "" {
		return nil
	}
	var err error
	if _, absent := os.Stat(path); !errors.Is(absent, fs.ErrNotExist) {
		err = enter(ctx, path, 0, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", schemaVersion)) // writes what is there
			return err
		})
	} else if err = checkPlace(path); err == nil {
		var p *Pending
		if p, err = Create(path); err == nil {
			p.Abort()
		}
	}
	if err == nil || sqliteCode(err) == sqlite3.SQLITE_BUSY {
		return nil
	}
	return fmt.Errorf("%w; to run without a database: --set output.database=", err)
}

// enter changes a database that other processes may use, for which it waits up to busyMs. It
// refuses the database of a single run. Errors contain the path.
func enter(ctx context.Context, path string, busyMs int, change func(*sql.Tx) error) error {
	if err := checkPlace(path); err != nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		// SQLite would let nobody else write to it, whatever the umask. Its journal has the
		// permissions of the file.
		if err := Root(filepath.Dir(path)).CreateFile(path, nil); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("database: %w", err)
		}
	}
	t, err := begin(ctx, path, url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", busyMs), "foreign_keys(ON)"}, "_txlock": {"immediate"}})
	if err == nil {
		defer t.abort()
		err = change(t.tx)
	}
	if err == nil {
		err = t.commit()
	}
	if err != nil {
		return fmt.Errorf("database %s: %w%s", path, err, cures[sqliteCode(err)])
	}
	return nil
}

// checkPlace refuses the database of a single run, and one whose folder does not exist.
func checkPlace(path string) error {
	if isOwnDatabase(path) {
		return fmt.Errorf("database %s: belongs to the other results in its folder and is replaced with them; choose another file", path)
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil { // SQLite would not name the cause
		return fmt.Errorf("database %s: %w", path, err)
	}
	return nil
}

const notPermitted = "; you need to be allowed to write to it and to its folder: ask its owner for chgrp GROUP and chmod g+w of both, or choose another file"

// cures says what to do about errors of SQLite, by their code.
var cures = map[int]string{
	sqlite3.SQLITE_BUSY:     "; another program keeps it locked, such as a database browser: close it",
	sqlite3.SQLITE_CORRUPT:  "; restore a copy, or enter the runs into a new file with descbench fold --database",
	sqlite3.SQLITE_NOTADB:   "; want a SQLite file, or a new name",
	sqlite3.SQLITE_FULL:     "; free some space, or choose another file",
	sqlite3.SQLITE_READONLY: notPermitted,
	sqlite3.SQLITE_CANTOPEN: notPermitted,
}

// sqliteCode returns the code of an error of SQLite, and 0 for others.
func sqliteCode(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff // without the details
}

// A transaction is the only one of an open database.
type transaction struct {
	db *sql.DB
	tx *sql.Tx
}

// begin opens a database and begins a transaction. It creates the
// schema if the database is empty.
func begin(ctx context.Context, path string, options url.Values) (t transaction, err error) {
	if t.db, err = openDatabase(path, options); err != nil {
		return t, err
	}
	if t.tx, err = t.db.BeginTx(ctx, nil); err == nil {
		err = createSchema(ctx, t.tx)
	}
	if err != nil {
		t.abort()
	}
	return t, err
}

// commit ends the transaction and closes the database.
func (t transaction) commit() error { return cmp.Or(t.tx.Commit(), t.db.Close()) }

// abort rolls back the transaction, and closes the database. It has no effect
// after commit.
func (t transaction) abort() {
	// SQLite itself rolls back if the disk is full; doing so again would be a
	// second, misleading error.
	if t.tx != nil {
		_ = t.tx.Rollback()
	}
	_ = t.db.Close()
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
