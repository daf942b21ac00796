package store

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"

	"descbench/eval/must"
)

func FuzzDatabase(f *testing.F) {
	path := filepath.Join(f.TempDir(), "run.sqlite")
	must.Do(f, WriteDatabase(f.Context(), path, sampleRun()))
	file := must.Get(os.ReadFile(path))(f)
	f.Add(file)
	f.Fuzz(func(t *testing.T, file []byte) {
		must.Do(t, os.WriteFile(path, file, 0o666))
		_, _ = ReadResults(t.Context(), path, "true") // SQLite does not allocate with Go
	})
}

func TestForgedNamesInDatabasesAreRefused(t *testing.T) {
	for _, forge := range []string{
		"UPDATE experiments SET name = '../../x'",
		"UPDATE results SET descriptor = '<img onerror>' WHERE descriptor = 'sift'",
		"UPDATE metrics SET scope = 'scene:../x' WHERE descriptor = 'sift' AND scope = 'all' AND metric = (SELECT min(metric) FROM metrics WHERE descriptor = 'sift' AND scope = 'all')",
		"UPDATE metrics SET scope = 'pair:../x/1_2' WHERE descriptor = 'sift' AND scope = 'all' AND metric = (SELECT min(metric) FROM metrics WHERE descriptor = 'sift' AND scope = 'all')",
	} {
		path := shared(t, sampleRun())
		must.Get(ReadResults(t.Context(), path, "true"))(t)
		sqlRows(t, path, forge+" RETURNING 1")
		_, err := ReadResults(t.Context(), path, "false")
		for _, scope := range []string{"scene:../x", "pair:../x/1_2"} {
			_, ofScope := ReadResults(t.Context(), path, "scope = '"+scope+"'")
			err = cmp.Or(err, ofScope)
		}
		must.FailAbout(t, err, "name")
	}
}
