// Package records reads and writes the records of a run, such as record.Query and
// record.Pair, as Parquet files with one column per field, named by its tag. Missing
// values are NULL. The files of a run begin with a column that names the experiment.
// Texts use dictionaries. All pages are compressed with Snappy, which was faster to
// write and read back than Zstandard or no compression, with 7 % more bytes than
// Zstandard.
package records

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"descbench/eval/distractors"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/pipeline/store"
)

const (
	// experimentColumn names the experiment in the files of a run. Records in units
	// lack it.
	experimentColumn = "experiment"

	// The key and value in a file's metadata that identify the meaning of the columns.
	recordsKey     = "descbench.records"
	recordsVersion = "4"

	// rowsPerGroup limits the memory needed for writing (about 15 MB of queries).
	rowsPerGroup = 128 << 10
	// maxRecordsFile limits a Parquet file in bytes.
	maxRecordsFile = 1 << 40
)

// A Record is one of the types that are stored as Parquet.
type Record interface {
	record.Query | record.Pair | distractors.WorkbenchRecord | distractors.BojanicRecord
}

// A RecordWriter writes one Parquet file of records row by row, with little
// memory. The file appears, complete, when Close succeeds.
type RecordWriter[T Record] struct {
	file    *store.Pending
	encoder *recordEncoder[T]
}

// NewWriter starts writing the file of an experiment's records.
func NewWriter[T Record](path, experiment string) (*RecordWriter[T], error) {
	f, err := store.Create(path)
	if err != nil {
		return nil, err
	}
	return &RecordWriter[T]{file: f, encoder: newRecordEncoder[T](f, experiment)}, nil
}

// Add appends rows. The bytes of the file do not depend on how rows are split over
// calls.
func (w *RecordWriter[T]) Add(rows []T) error {
	if err := w.encoder.add(rows); err != nil {
		return w.file.Failure(err)
	}
	return nil
}

// Close completes the file.
func (w *RecordWriter[T]) Close() error { return w.file.Commit(w.encoder.close()) }

// Abort discards the file unless it has been closed.
func (w *RecordWriter[T]) Abort() { w.file.Abort() }

// Encode returns a file of records without the name of an experiment.
func Encode[T Record](rows []T) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(len(rows) * int(unsafe.Sizeof(*new(T))) / 2) // about as many as it will have
	e := newRecordEncoder[T](&b, "")
	if err := e.add(rows); err != nil {
		return nil, err
	}
	if err := e.close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Decode returns the records of a file.
func Decode[T Record](b []byte) ([]T, error) { return decode[T](bytes.NewReader(b), int64(len(b))) }

// ReadPairs reads a file of pair records. Its errors are those of Read.
func ReadPairs(path string) (pairs []record.Pair, err error) {
	err = Read(path, func(group []record.Pair) error {
		pairs = append(pairs, group...)
		return CheckNames(group)
	})
	return pairs, err
}

// Read calls do for the records of a file, some after the others. Errors about the content, also those
// of do, wrap store.ErrDamaged, except for a sound file that has different columns, or a different
// version, which is store.ErrForeign.
func Read[T Record](path string, do func([]T) error) error { return openResult(path, eachGroup(do)) }

// openResult is open for a result file. Its errors are those of Read.
func openResult(path string, read func(*parquet.File) error) error {
	f, err := store.OpenResult(path, maxRecordsFile)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err = open(f, info.Size(), read); errors.Is(err, store.ErrForeign) {
		return fmt.Errorf("%s: %w", path, err)
	} else if err != nil {
		return store.Damaged(path, err)
	}
	return nil
}

// CheckNames returns an error if a name in pair records could do harm: they become names
// of files, and the run may come from somebody else.
func CheckNames(pairs []record.Pair) error {
	for i := range pairs {
		if i > 0 && pairs[i].Scene == pairs[i-1].Scene && pairs[i].Descriptor == pairs[i-1].Descriptor {
			continue
		}
		if err := cmp.Or(scope.CheckName(pairs[i].Descriptor), scope.CheckSceneName(pairs[i].Scene)); err != nil {
			return err
		}
	}
	return nil
}
