package unitfile

import (
	"cmp"
	"fmt"

	"descbench/eval/distractors"
	"descbench/eval/record"
	"descbench/pipeline/files/npz"
	"descbench/pipeline/store/records"
)

// An EvalUnit holds the records of one descriptor on one scene.
type EvalUnit struct {
	Queries []record.Query
	Pairs   []record.Pair
}

// Eval is the format of an EvalUnit: queries.parquet and pairs.parquet.
var Eval = Format[EvalUnit]{
	members: func(u EvalUnit) ([]npz.Member, error) {
		return tables("queries.parquet", u.Queries, "pairs.parquet", u.Pairs)
	},
	read: func(a *npz.Archive) (u EvalUnit, err error) {
		u.Queries, u.Pairs, err = readTables[record.Query, record.Pair](a, "queries.parquet", "pairs.parquet")
		return u, cmp.Or(err, records.CheckNames(u.Pairs))
	},
}

// A TaskUnit holds the records of the tasks with distractors for one descriptor
// on one scene. Tasks that were not requested have no records.
type TaskUnit struct {
	Workbench []distractors.WorkbenchRecord // at most one
	Bojanic   []distractors.BojanicRecord
}

// Tasks is the format of a TaskUnit: workbench_tasks.parquet and bojanic_2019.parquet.
var Tasks = Format[TaskUnit]{
	members: func(u TaskUnit) ([]npz.Member, error) {
		return tables("workbench_tasks.parquet", u.Workbench, "bojanic_2019.parquet", u.Bojanic)
	},
	read: func(a *npz.Archive) (u TaskUnit, err error) {
		u.Workbench, u.Bojanic, err = readTables[distractors.WorkbenchRecord, distractors.BojanicRecord](a, "workbench_tasks.parquet", "bojanic_2019.parquet")
		return u, err
	},
}

// tables returns two tables of records as Parquet files.
func tables[A, B records.Record](name1 string, rows1 []A, name2 string, rows2 []B) ([]npz.Member, error) {
	table1, err1 := records.Encode(rows1)
	table2, err2 := records.Encode(rows2)
	return []npz.Member{{Name: name1, Content: table1}, {Name: name2, Content: table2}}, cmp.Or(err1, err2)
}

// readTables reads what tables returns.
func readTables[A, B records.Record](a *npz.Archive, name1, name2 string) (rows1 []A, rows2 []B, err error) {
	if rows1, err = readTable[A](a, name1); err == nil {
		rows2, err = readTable[B](a, name2)
	}
	return rows1, rows2, err
}

func readTable[T records.Record](a *npz.Archive, name string) ([]T, error) {
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
