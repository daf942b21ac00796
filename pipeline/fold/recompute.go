package fold

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"descbench/pipeline/config"
	"descbench/pipeline/files"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/records"
)

// Recompute folds the units of a run, or without units its records, in a temporary folder and calls report, with an
// error, for each result that these give otherwise. It returns the names of those that are equal, nil if they
// cannot be computed. See recordSource for what it does not compare without units.
func Recompute(ctx context.Context, f plan.Folder, report func(path string, err error)) ([]string, error) {
	dir, err := os.MkdirTemp("", "descbench-verify-")
	if err != nil {
		return nil, plan.Fault(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	again := plan.Folder(dir)
	entries, err := os.ReadDir(string(f))
	if err != nil {
		return nil, plan.Fault(err)
	}
	folded := []string{f.Metrics(), f.Pairs(), f.Queries(), f.Summary(), f.Database(), f.Timing(), f.Sums()}
	for _, e := range entries {
		path := filepath.Join(string(f), e.Name())
		if slices.Contains(folded, path) {
			continue
		}
		to, err := filepath.Abs(path)
		if err == nil {
			err = os.Symlink(to, filepath.Join(dir, e.Name()))
		}
		if err != nil {
			return nil, plan.Fault(err)
		}
	}
	source := "units"
	if _, err = f.Plan(); errors.Is(err, plan.ErrWithoutUnits) {
		source = "records"
		_, err = foldShared(ctx, f, again)
	} else {
		_, err = Fold(ctx, again)
	}
	if ctx.Err() != nil {
		return nil, err
	}
	if plan.Missing(again.Summary()) {
		report(string(f), plan.Faultf("the results cannot be recomputed: %s", strings.ReplaceAll(err.Error(), dir, string(f))))
		return nil, nil
	}
	was, digests, equal := f.Digests(), again.Digests(), []string{}
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		if path := filepath.Join(string(f), name); was[name] != digests[name] {
			other := otherValue(source, f, again, name)
			report(path, plan.Faultf("%s: %s; changed after the run?", path, cmp.Or(other, "the "+source+" give other values")))
		} else if source == "units" || filepath.Ext(name) != ".parquet" {
			equal = append(equal, name)
		}
	}
	claimed, err := f.ReadEnvironment()
	if err != nil {
		return nil, err
	}
	found, err := again.ReadEnvironment() // rewritten with the digests that these have
	if err != nil {
		return nil, err
	}
	for _, scene := range slices.Sorted(maps.Keys(found.Scenes)) {
		if claimed.Scenes[scene] != found.Scenes[scene] {
			report(f.Environment(), plan.Faultf("%s: %s has the digest %.12s, its %s have %.12s; changed after the run?", f.Environment(), scene, claimed.Scenes[scene], source, found.Scenes[scene]))
		}
	}
	if tables, err := store.Differing(ctx, again.Database(), f.Database()); errors.Is(err, store.ErrDamaged) {
		return equal, nil // which its checksum shows
	} else if err != nil {
		report(f.Database(), plan.Fault(err))
	} else if len(tables) > 0 {
		report(f.Database(), plan.Faultf("%s: differs from what the %s give: %s; changed after the run?", f.Database(), source, strings.Join(tables, ", ")))
	} else {
		equal = append(equal, store.DatabaseName)
	}
	return equal, nil
}

// mostText is how large, in bytes, summary.json may be for otherValue.
const mostText = 1 << 30

// otherValue names the first value in a result of a run that is not that of the right run, "" if it cannot be told.
func otherValue(source string, f, right plan.Folder, name string) string {
	all := func(string) bool { return true }
	switch path := filepath.Join(string(f), name); path {
	case f.Summary():
		was, err1 := files.Read(path, mostText)
		is, err2 := files.Read(right.Summary(), mostText)
		if changes := config.JSONChanges(was, is); err1 == nil && err2 == nil && changes != nil {
			return fmt.Sprintf("%s is %.100s, the %s give %.100s", changes[0].Key, changes[0].Was, source, changes[0].Is)
		}
	case f.Metrics():
		return otherRow(3, source, f, right, func(w io.Writer, of plan.Folder) error {
			file, err := files.Open(of.Metrics(), math.MaxInt64)
			if err != nil {
				return err
			}
			defer file.Close()
			_, err = io.Copy(w, file)
			return err
		})
	case f.Pairs():
		return otherRow(4, source, f, right, func(w io.Writer, of plan.Folder) error { return records.WriteCSV(w, of.Pairs(), true, all) })
	case f.Queries():
		return otherRow(5, source, f, right, func(w io.Writer, of plan.Folder) error { return records.WriteCSV(w, of.Queries(), true, all) })
	}
	return ""
}

// otherRow is otherValue for a table, which write writes as CSV. The first key columns name a row;
// source is what the right folder was computed from.
func otherRow(key int, source string, f, right plan.Folder, write func(w io.Writer, of plan.Folder) error) string {
	read := func(of plan.Folder) (*csv.Reader, *io.PipeReader) {
		r, w := io.Pipe()
		go func() { w.CloseWithError(write(w, of)) }()
		return csv.NewReader(r), r
	}
	rows, a := read(f)
	defer a.Close()
	rightRows, b := read(right)
	defer b.Close()
	var header []string
	for {
		row, err1 := rows.Read()
		is, err2 := rightRows.Read()
		switch {
		case errors.Is(err1, io.EOF) && err2 == nil:
			return "has fewer rows than the " + source + " give"
		case errors.Is(err2, io.EOF) && err1 == nil:
			return "has more rows than the " + source + " give"
		case err1 != nil || err2 != nil || len(row) != len(is): // its checksum is reported otherwise
			return ""
		case header == nil:
			header = row
		}
		for i := range row {
			name := strings.Join(row[:key], ", ")
			if other := strings.Join(is[:key], ", "); i < key && name != other {
				return fmt.Sprintf("has a row of %s, the %s give one of %s", name, source, other)
			} else if row[i] != is[i] {
				return fmt.Sprintf("%s of %s is %.100s, the %s give %.100s", header[i], name, cmp.Or(row[i], "empty"), source, cmp.Or(is[i], "empty"))
			}
		}
	}
}
