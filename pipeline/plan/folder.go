package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"syscall"

	"descbench/eval/spelling"
	"descbench/pipeline/store"
)

// A Folder is the path of a run folder. The plan alone determines the name of
// every file in it.
type Folder string

// root is the folder as the one place below which a run is written.
func (f Folder) root() store.Root { return store.Root(f) }

// write writes a file of the folder atomically: it appears under its name only when it is
// complete.
func (f Folder) write(path string, b []byte) error { return Fault(f.root().WriteBytes(path, b)) }

// WriteJSON writes a value, which must be an object with members, as indented and
// sealed JSON to a file of the folder.
func (f Folder) WriteJSON(path string, v any) error {
	b, err := jsonBytes(path, v)
	if err != nil {
		return err
	}
	return f.write(path, b)
}

// Remove removes a file of the folder, if it exists.
func (f Folder) Remove(path string) error { return Fault(f.root().Remove(path)) }

func (f Folder) file(name string) string { return filepath.Join(string(f), name) }

// below returns the path in the folder of a file of it.
func (f Folder) below(path string) string {
	name, _ := filepath.Rel(string(f), path) // fails for no path that begins with the folder
	return name
}

// fileOf returns the name of the file of a scene without its extension: the slash after its group
// is an equals sign, which no name of a scene has.
func fileOf(scene string) string { return strings.ReplaceAll(scene, "/", "=") }

// Config is the path of the effective config. A folder that contains this file
// is a run folder.
func (f Folder) Config() string { return f.file("config.yaml") }

// Environment is the path of the Environment as JSON.
func (f Folder) Environment() string { return f.file("environment.json") }

// Queries is the path of the query records.
func (f Folder) Queries() string { return f.file("queries.parquet") }

// Pairs is the path of the pair records.
func (f Folder) Pairs() string { return f.file("pairs.parquet") }

// Metrics is the path of the table of every metric in every scope.
func (f Folder) Metrics() string { return f.file("metrics.csv") }

// Summary is the path of the main metrics.
func (f Folder) Summary() string { return f.file("summary.json") }

// Timing is the path of the computation times of the units.
func (f Folder) Timing() string { return f.file("timing.csv") }

// Database is the path of the results as SQLite tables.
func (f Folder) Database() string { return f.file(store.DatabaseName) }

// Sums is the path of the checksums of the results.
func (f Folder) Sums() string { return f.file(store.SumsFile) }

// RemoveSums removes the checksums of the results before the results are replaced,
// so that results of an interrupted fold are told from damaged ones.
func (f Folder) RemoveSums() error { return f.Remove(f.Sums()) }

// results lists the names of the files with checksums.
func (f Folder) results() []string {
	return spelling.Words([]string{f.Config(), f.Environment(), f.Metrics(), f.Pairs(), f.Queries(), f.Database(), f.Summary(), f.Timing()}, filepath.Base)
}

// Digests returns the digests of the results that are the same whenever they are computed
// from the same units, as far as they can be read.
func (f Folder) Digests() map[string]string {
	digests := make(map[string]string)
	for _, path := range []string{f.Metrics(), f.Pairs(), f.Queries(), f.Summary()} {
		if digest, err := store.FileDigest(path, math.MaxInt64); err == nil {
			digests[filepath.Base(path)] = digest
		}
	}
	return digests
}

// WriteSums writes the checksums of the results, which must all exist.
func (f Folder) WriteSums() error { return Fault(store.WriteSums(string(f), f.results()...)) }

// Claim is the path of the file that exists while a process works on a scene.
func (f Folder) Claim(scene string) string { return filepath.Join(string(f), ".claims", fileOf(scene)) }

// Take claims a scene for this process, as store.Root.Claim does.
func (f Folder) Take(scene string) (release func(), by *store.Holder, err error) {
	release, by, err = f.root().Claim(f.Claim(scene), ClaimLife)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		err = fmt.Errorf("%s: you may only read this run, as descbench results does: %w", string(f), err)
	}
	return release, by, Fault(err)
}

// Holders returns the processes that have claimed scenes, whose names are their claims, or other parts of the run.
func (f Folder) Holders() ([]*store.Holder, error) {
	holders, err := store.Holders(filepath.Dir(f.Claim("any")), ClaimLife)
	for _, by := range holders {
		by.Claim = strings.ReplaceAll(filepath.Base(by.Claim), "=", "/") // as fileOf
	}
	return holders, Fault(err)
}

// RemoveClaims removes claims that no process holds.
func (f Folder) RemoveClaims() { f.root().RemoveClaims(filepath.Dir(f.Claim("any")), ClaimLife) }

// Scenes is the path of the list of the run's scenes.
func (f Folder) Scenes() string { return filepath.Join(string(f), "units", "scenes.json") }

// times is the path of the computation times of a scene's units. They are kept outside
// the units so that the bytes of these are the same on every computation.
func (f Folder) times(scene string) string {
	return filepath.Join(string(f), "times", fileOf(scene)+".json")
}
