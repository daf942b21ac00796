package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"descbench/eval"
	"descbench/eval/tasks"
)

// The records of a run, eval.Query and eval.Pair, are stored as Parquet files with
// one column per field, named by its tag. Missing values are NULL. The files of a run
// begin with a column that names the experiment. Texts use dictionaries. All pages are
// compressed with Snappy, which was faster to write and read back than Zstandard
// or no compression, with 7 % more bytes than Zstandard.

const (
	// experimentColumn names the experiment in the files of a run. Records in units
	// lack it.
	experimentColumn = "experiment"

	// The key and value in a file's metadata that identify the meaning of the columns.
	// Version 2 had no positions in image k and no NULLs.
	recordsKey     = "descbench.records"
	recordsVersion = "3"

	// rowsPerGroup limits the memory needed for writing (about 15 MB of queries).
	rowsPerGroup = 128 << 10
	// rowsPerBatch is the number of rows read at once.
	rowsPerBatch = 4096
	// maxRecordsFile limits a Parquet file in bytes. It is read in batches.
	maxRecordsFile = 1 << 40
)

type record interface {
	eval.Query | eval.Pair | tasks.WorkbenchRecord | tasks.BojanicRecord
}

// A RecordWriter writes one Parquet file of records row by row, with little
// memory. The file appears, complete, when Close succeeds.
type RecordWriter[T record] struct {
	file    *pending
	sum     hash.Hash
	summed  Summed // after Close
	encoder *recordEncoder[T]
}

// NewQueryWriter starts writing the file of an experiment's query records.
func NewQueryWriter(path, experiment string) (*RecordWriter[eval.Query], error) {
	return newRecordWriter[eval.Query](path, experiment)
}

// NewPairWriter starts writing the file of an experiment's pair records.
func NewPairWriter(path, experiment string) (*RecordWriter[eval.Pair], error) {
	return newRecordWriter[eval.Pair](path, experiment)
}

func newRecordWriter[T record](path, experiment string) (*RecordWriter[T], error) {
	p, err := createPending(path)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	return &RecordWriter[T]{file: p, sum: sum, encoder: newRecordEncoder[T](io.MultiWriter(p, sum), experiment)}, nil
}

// Add appends rows. The bytes of the file do not depend on how rows are split over
// calls.
func (w *RecordWriter[T]) Add(rows []T) error {
	if err := w.encoder.add(rows); err != nil {
		return fmt.Errorf("write %s: %w", w.file.path, err)
	}
	return nil
}

// Close completes the file.
func (w *RecordWriter[T]) Close() error {
	defer w.file.abort()
	err := cmp.Or(w.encoder.close(), w.file.buf.Flush())
	if err == nil {
		w.summed.info, err = w.file.file.Stat()
	}
	if err != nil {
		return w.file.failure(err)
	}
	w.summed.digest = hex.EncodeToString(w.sum.Sum(nil))
	return w.file.commit()
}

// Summed returns the checksum of the file after Close. Reading a large file again would
// take seconds.
func (w *RecordWriter[T]) Summed() Summed { return w.summed }

// Abort discards the file unless it has been closed.
func (w *RecordWriter[T]) Abort() { w.file.abort() }

// ReadQueries reads a file of query records and calls use with batches of them. A
// batch is valid only during the call, but its texts stay valid. Errors about the
// content wrap ErrDamaged, except for a sound file that has different columns or
// a different version; an older one is ErrForeign.
func ReadQueries(path string, use func([]eval.Query) error) error { return readRecords(path, use) }

// ReadPairs is like ReadQueries for pair records.
func ReadPairs(path string, use func([]eval.Pair) error) error { return readRecords(path, use) }

func readRecords[T record](path string, use func([]T) error) error {
	f, err := openResult(path, maxRecordsFile)
	if err != nil {
		return err
	}
	defer f.Close()
	return decodeRecords(f, path, use)
}

func decodeRecords[T record](f *os.File, path string, use func([]T) error) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	d, err := newRecordDecoder[T](f, info.Size())
	if errors.Is(err, errColumns) || errors.Is(err, errNewer) || errors.Is(err, ErrForeign) {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		return damaged(path, err)
	}
	defer d.close()
	batch := make([]T, min(d.rows, rowsPerBatch))
	for {
		n, err := d.read(batch)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return damaged(path, err)
		}
		if err := use(batch[:n]); err != nil {
			return err
		}
	}
}
