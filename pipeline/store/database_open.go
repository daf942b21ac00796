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
	"strings"

	sqlite3 "modernc.org/sqlite/lib"

	"descbench/pipeline/files"
)

// maxDatabase limits a database in bytes. It is read row by row.
const maxDatabase = 1 << 40

// readDatabase calls read with an existing database, which it sees in one state. It
// leaves the file as it is. Errors contain the path.
func readDatabase(ctx context.Context, path string, read func(*sql.Tx) error) (err error) {
	f, err := files.Open(path, maxDatabase)
	if errors.Is(err, fs.ErrPermission) {
		return err
	} else if err != nil { // more specific than SQLite's error
		return fmt.Errorf("%w; name a SQLite file of results, such as output.database or results.sqlite in a run folder", err)
	}
	own := isOwnDatabase(path)
	if own {
		err = checkSum(f, path)
	}
	_ = f.Close() // SQLite opens it again
	if err != nil {
		return Damaged(path, err)
	}
	defer func() {
		if err != nil && sqliteCode(err) == sqlite3.SQLITE_NOTADB {
			err = fmt.Errorf("%s is not a SQLite file, want one of results, such as output.database or results.sqlite in a run folder", path)
		} else if err != nil {
			err = fmt.Errorf("database %s: %w%s", path, err, cures[sqliteCode(err)])
		}
	}()
	// Not "ro", because the transaction of a killed process may have to be rolled
	// back first.
	db, err := openDatabase(path, url.Values{"mode": {"rw"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeoutMs)}})
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, db.Close()) }()
	if !own {
		if err := quickCheck(ctx, db); err != nil {
			return err
		}
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // closing rolls back if this fails
	if empty, err := checkSchema(ctx, tx); err != nil {
		return err
	} else if empty {
		return errors.New("not a descbench database: it is empty")
	}
	return read(tx)
}

// isOwnDatabase reports whether a SQLite file is the database of a run, or of an
// evaluation of patches, in its folder.
func isOwnDatabase(path string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(path), SumsFile))
	return err == nil && filepath.Base(path) == DatabaseName
}

// quickCheck makes SQLite check the structure of a database.
func quickCheck(ctx context.Context, db *sql.DB) error {
	var found string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("%w: %s; restore a copy, or enter the runs into a new file with descbench fold --database", ErrDamaged, strings.Join(strings.Fields(found), " "))
	}
	return nil
}
