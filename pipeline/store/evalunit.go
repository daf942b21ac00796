package store

import (
	"bytes"
	"fmt"
	"unsafe"

	"descbench/eval"
	"descbench/keypoints/npz"
)

// An EvalUnit holds the records of one descriptor on one scene.
type EvalUnit struct {
	Queries []eval.Query
	Pairs   []eval.Pair
}

const (
	queriesMember = "queries.parquet"
	pairsMember   = "pairs.parquet"
)

// WriteEval writes u as a zip of queries.parquet and pairs.parquet.
func WriteEval(f UnitFile, u EvalUnit) error {
	queries, err := encodeRecords(u.Queries)
	if err != nil {
		return fmt.Errorf("write %s: %w", f.Path, err)
	}
	pairs, err := encodeRecords(u.Pairs)
	if err != nil {
		return fmt.Errorf("write %s: %w", f.Path, err)
	}
	return writeContainer(f, kindEval, []npz.Member{{Name: queriesMember, Content: queries}, {Name: pairsMember, Content: pairs}})
}

// ReadEval reads a file written by WriteEval. Errors about its content are
// Unusable.
func ReadEval(f UnitFile) (EvalUnit, error) {
	var u EvalUnit
	err := readContainer(f, kindEval, func(a *npz.Archive) (err error) {
		if u.Queries, err = readMember[eval.Query](a, queriesMember); err != nil {
			return err
		}
		u.Pairs, err = readMember[eval.Pair](a, pairsMember)
		return err
	})
	if err != nil {
		return EvalUnit{}, err
	}
	return u, nil
}

func encodeRecords[T record](rows []T) ([]byte, error) {
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

func readMember[T record](a *npz.Archive, name string) ([]T, error) {
	b, err := a.Read(name)
	if err != nil {
		return nil, err
	}
	d, err := newRecordDecoder[T](bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer d.close()
	rows := make([]T, d.rows)
	for done := 0; done < len(rows); {
		n, err := d.read(rows[done:])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		done += n
	}
	return rows, nil
}
