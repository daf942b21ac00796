package store

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A view in place of a table could compute for ever.
func TestADatabaseWithOtherTablesIsRefused(t *testing.T) {
	before, after, _ := strings.Cut(schema1, "CREATE TABLE metrics")
	_, after, _ = strings.Cut(after, "WITHOUT ROWID;")
	for name, c := range map[string]struct{ schema, want string }{
		"a view": {before + `CREATE VIEW metrics AS
			WITH RECURSIVE numbers(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM numbers)
			SELECT i AS experiment_id, 'a' AS descriptor, 'all' AS scope, 'a' AS metric, 1 AS value, 1 AS ci_low, 1 AS ci_high, 1 AS n FROM numbers;` + after,
			"metrics is not defined as in schema version 1"},
		"a trigger": {schema1 + "CREATE TRIGGER t AFTER UPDATE ON experiments BEGIN DELETE FROM experiments; END", "it has the trigger t"},
		"no tables": {"CREATE TABLE metrics (n)", "its table experiments is missing"},
	} {
		path := filepath.Join(t.TempDir(), "forged.sqlite")
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = db.Exec(c.schema + "; PRAGMA user_version = 1"); err == nil {
			err = db.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadResults(t.Context(), path, Selection{Scope: "all"}); err == nil || !strings.Contains(err.Error(), path+": not a descbench database: "+c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadResults(t.Context(), pipe, Selection{}); err == nil || !strings.Contains(err.Error(), "is a named pipe, want a regular file") {
		t.Errorf("a named pipe: error %v", err)
	}
}

func FuzzDatabase(f *testing.F) {
	path := filepath.Join(f.TempDir(), "run.sqlite")
	if err := WriteDatabase(f.Context(), path, sampleRun()); err != nil {
		f.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Fuzz(func(t *testing.T, file []byte) {
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		_, _ = ReadResults(t.Context(), path, Selection{Scope: "all", Scenes: true}) // SQLite does not allocate with Go
	})
}
