package store

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
)

// schema defines the tables and views of an empty database.
//
//go:embed schema.sql
var schema string

const (
	// applicationID marks a SQLite file as a database of descbench: "dscb" in ASCII.
	applicationID = 0x64736362
	// schemaVersion is the version of the schema, in PRAGMA user_version.
	schemaVersion = 4
)

// createSchema creates the tables and views in an empty database. It leaves a database
// that has them, and refuses any other.
func createSchema(ctx context.Context, tx *sql.Tx) error {
	if empty, err := checkSchema(ctx, tx); err != nil || !empty {
		return err
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA application_id = %d; PRAGMA user_version = %d", schema, applicationID, schemaVersion))
	return err
}

// checkSchema returns an error if the database is neither empty nor one of this schema.
func checkSchema(ctx context.Context, tx *sql.Tx) (empty bool, err error) {
	var id, version, tables int
	err = tx.QueryRowContext(ctx, "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_application_id, pragma_user_version").
		Scan(&id, &version, &tables)
	switch {
	case err != nil:
		return false, err
	case id == 0 && version == 0 && tables == 0:
		return true, nil
	case id != applicationID:
		return false, errors.New("not a descbench database, or one from before the first release; choose a new file, and enter runs with descbench fold --database")
	case version != schemaVersion:
		return false, fmt.Errorf("schema version %d, this descbench has version %d; run descbench fold again, with --database and a new file if runs share this one", version, schemaVersion)
	}
	return false, nil
}
