package unitfile

import (
	"bytes"
	"cmp"

	"descbench/descriptors"
	"descbench/eval/distractors"
	"descbench/pipeline/files/npz"
)

// A TaskUnit holds the records of the tasks with distractors for one descriptor
// on one scene. Tasks that were not requested have no records.
type TaskUnit struct {
	Workbench []distractors.WorkbenchRecord // at most one
	Bojanic   []distractors.BojanicRecord
}

const (
	workbenchMember = "workbench_tasks.parquet"
	bojanicMember   = "bojanic_2019.parquet"
)

// Content returns u as a zip of workbench_tasks.parquet and
// bojanic_2019.parquet.
func (u TaskUnit) Content() ([]byte, error) {
	workbench, err1 := recordsMember(workbenchMember, u.Workbench)
	bojanic, err2 := recordsMember(bojanicMember, u.Bojanic)
	if err := cmp.Or(err1, err2); err != nil {
		return nil, err
	}
	return archived([]npz.Member{workbench, bojanic}, "")
}

// Tasks returns the unit with the content.
func Tasks(content []byte) (u TaskUnit, err error) {
	err = open(bytes.NewReader(content), int64(len(content)), func(a *npz.Archive) (err error) {
		if u.Workbench, err = readMember[distractors.WorkbenchRecord](a, workbenchMember); err != nil {
			return err
		}
		u.Bojanic, err = readMember[distractors.BojanicRecord](a, bojanicMember)
		return err
	})
	return u, err
}

// PoolContent returns the rows of one image, from which other scenes take
// distractors, as an .npz with the same arrays as cached features.
func PoolContent(rows *descriptors.Matrix) ([]byte, error) {
	members, err := matrixMembers(rows)
	if err != nil {
		return nil, err
	}
	return archived(members, "")
}

// Pool returns the rows with the content.
func Pool(content []byte) (rows *descriptors.Matrix, err error) {
	err = open(bytes.NewReader(content), int64(len(content)), func(a *npz.Archive) (err error) {
		rows, err = readMatrix(a)
		return err
	})
	return rows, err
}
