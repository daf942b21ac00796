package unitfile

import (
	"cmp"
	"fmt"

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

// WriteTasks writes u as a zip of workbench_tasks.parquet and
// bojanic_2019.parquet.
func WriteTasks(f UnitFile, u TaskUnit) error {
	workbench, err1 := recordsMember(workbenchMember, u.Workbench)
	bojanic, err2 := recordsMember(bojanicMember, u.Bojanic)
	if err := cmp.Or(err1, err2); err != nil {
		return fmt.Errorf("write %s: %w", f.Path, err)
	}
	return writeContainer(f, kindTasks, []npz.Member{workbench, bojanic})
}

// ReadTasks reads a file written by WriteTasks. Errors about its content are
// Unusable.
func ReadTasks(f UnitFile) (TaskUnit, error) {
	var u TaskUnit
	err := readContainer(f, kindTasks, func(a *npz.Archive) (err error) {
		if u.Workbench, err = readMember[distractors.WorkbenchRecord](a, workbenchMember); err != nil {
			return err
		}
		u.Bojanic, err = readMember[distractors.BojanicRecord](a, bojanicMember)
		return err
	})
	if err != nil {
		return TaskUnit{}, err
	}
	return u, nil
}

// WritePool writes the rows of one image, from which other scenes take
// distractors, as an .npz with the same arrays as cached features.
func WritePool(f UnitFile, rows *descriptors.Matrix) error {
	members, err := matrixMembers(rows)
	if err != nil {
		return fmt.Errorf("write %s: %w", f.Path, err)
	}
	return writeContainer(f, "pool", members)
}

// ReadPool reads a file written by WritePool. Errors about its content are
// Unusable.
func ReadPool(f UnitFile) (rows *descriptors.Matrix, err error) {
	err = readContainer(f, "pool", func(a *npz.Archive) (err error) {
		rows, err = readMatrix(a)
		return err
	})
	return rows, err
}
