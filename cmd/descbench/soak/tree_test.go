package soak

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"descbench/eval/must"
)

// passing matches the files that may differ: temporary files and folders, claims,
// computation times and sums over them, the environment of a run, and the journal
// of a database.
var passing = regexp.MustCompile(`(^|/)(\.[^/]*\.tmp-[^/]*|\.computing-[^/]*|\.unfinished[^/]*|\.results[^/]*|\.claims|times|timing\.csv|README\.txt|SHA256SUMS|environment\.json)(/|$)|-journal$`)

// tree returns the paths of the files in dir and below that hold results,
// relative to dir.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		relative, err := filepath.Rel(dir, path)
		if err == nil && !passing.MatchString(relative) {
			paths = append(paths, relative)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	return paths
}

// differences compares the files of two folders. It leaves out absent files if
// some may be missing in got.
func differences(t *testing.T, want, got string, someMissing bool) (found []string) {
	t.Helper()
	wanted, there := tree(t, want), tree(t, got)
	for _, path := range there {
		if !slices.Contains(wanted, path) {
			found = append(found, path+": unexpected file")
			continue
		}
		if someMissing && isShared(path) {
			continue // a killed transaction is undone by the next process that opens the file
		}
		if !sameContent(t, filepath.Join(want, path), filepath.Join(got, path)) {
			found = append(found, path+": differs")
		}
	}
	for _, path := range wanted {
		if !someMissing && !slices.Contains(there, path) {
			found = append(found, path+": missing")
		}
	}
	return found
}

// isShared reports whether a file is a database that is not written as a whole.
func isShared(path string) bool { return filepath.Base(path) == "shared.sqlite" }

func sameContent(t *testing.T, want, got string) bool {
	t.Helper()
	if strings.HasSuffix(want, ".sqlite") {
		return dump(want) == dump(got)
	}
	if strings.Contains(want, "/cache/") && strings.HasSuffix(want, ".npz") {
		return maps.EqualFunc(arrays(t, want), arrays(t, got), bytes.Equal)
	}
	a := must.Get(os.ReadFile(want))(t)
	b := must.Get(os.ReadFile(got))(t)
	return bytes.Equal(a, b)
}

// arrays returns the members of a cache entry but the time of its computation.
func arrays(t *testing.T, path string) map[string][]byte {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	all := make(map[string][]byte)
	for _, member := range archive.File {
		if member.Name == "seconds.npy" {
			continue
		}
		if all[member.Name], err = fs.ReadFile(archive, member.Name); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// dump returns the content of a database without times, or the fault that keeps
// it from being read.
func dump(path string) string {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err.Error()
	}
	defer db.Close()
	tables, err := column(db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%timings%' ORDER BY name")
	if err != nil {
		return path + ": " + err.Error()
	}
	var b strings.Builder
	for _, table := range tables {
		columns, err := column(db, fmt.Sprintf("SELECT name FROM pragma_table_info('%s') WHERE name NOT IN ('started', 'finished', 'processing_time_ms', 'environment')", table))
		if err != nil {
			return path + ": " + err.Error()
		}
		rows, err := column(db, fmt.Sprintf("SELECT quote(%s) AS row FROM %s ORDER BY row", strings.Join(columns, ") || ',' || quote("), table))
		if err != nil {
			return path + ": " + err.Error()
		}
		fmt.Fprintf(&b, "%s\n%s\n", table, strings.Join(rows, "\n"))
	}
	return b.String()
}

// column returns the only column of a query.
func column(db *sql.DB, query string) (values []string, err error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, rows.Err()
}

// replace makes to a copy of the folder from.
func replace(t *testing.T, from, to string) {
	t.Helper()
	must.Do(t, os.RemoveAll(to))
	must.Do(t, os.CopyFS(to, os.DirFS(from)))
}
