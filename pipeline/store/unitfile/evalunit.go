package unitfile

import (
	"bytes"
	"cmp"
	"fmt"

	"descbench/eval/record"
	"descbench/pipeline/files/npz"
	"descbench/pipeline/store/records"
)

// An EvalUnit holds the records of one descriptor on one scene.
type EvalUnit struct {
	Queries []record.Query
	Pairs   []record.Pair
}

const (
	queriesMember = "queries.parquet"
	pairsMember   = "pairs.parquet"
)

// Content returns u as a zip of queries.parquet and pairs.parquet.
func (u EvalUnit) Content() ([]byte, error) {
	queries, err1 := recordsMember(queriesMember, u.Queries)
	pairs, err2 := recordsMember(pairsMember, u.Pairs)
	if err := cmp.Or(err1, err2); err != nil {
		return nil, err
	}
	return archived([]npz.Member{queries, pairs}, "")
}

func recordsMember[T records.Record](name string, rows []T) (npz.Member, error) {
	content, err := records.Encode(rows)
	return npz.Member{Name: name, Content: content}, err
}

// Eval returns the unit with the content.
func Eval(content []byte) (u EvalUnit, err error) {
	err = open(bytes.NewReader(content), int64(len(content)), func(a *npz.Archive) (err error) {
		if u.Queries, err = readMember[record.Query](a, queriesMember); err != nil {
			return err
		}
		if u.Pairs, err = readMember[record.Pair](a, pairsMember); err != nil {
			return err
		}
		return records.CheckNames(u.Pairs)
	})
	return u, err
}

func readMember[T records.Record](a *npz.Archive, name string) ([]T, error) {
	b, err := a.Read(name)
	if err != nil {
		return nil, err
	}
	rows, err := records.Decode[T](b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows, nil
}
