package records

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"descbench/pipeline/store"
)

// WriteCSV writes the rows of chosen descriptors in a run's Parquet file of records, a line each
// with all columns, NULL as an empty field; header: after a line with their names.
func WriteCSV(w io.Writer, path string, header bool, chosen func(descriptor string) bool) (err error) {
	file, err := store.OpenResult(path, maxRecordsFile)
	if err != nil {
		return err
	}
	defer file.Close()
	defer recoverDamage(&err)
	info, err := file.Stat()
	if err != nil {
		return err
	}
	f, check, err := open(file, info.Size())
	if err == nil {
		err = check()
	}
	if err != nil {
		return store.Damaged(path, err)
	}
	to := csv.NewWriter(w) // Error returns the errors of Write
	fields := make([]string, len(f.Schema().Fields()))
	for i, column := range f.Schema().Fields() {
		fields[i] = column.Name()
	}
	descriptor := slices.Index(fields, "descriptor")
	if header {
		_ = to.Write(fields)
	}
	rows := parquet.MultiRowGroup(f.RowGroups()...).Rows()
	defer rows.Close()
	piece := make([]parquet.Row, rowsPerPiece)
	for {
		n, err := rows.ReadRows(piece)
		for _, row := range piece[:n] {
			for i, v := range row {
				if fields[i] = ""; !v.IsNull() {
					fields[i] = v.String()
				}
			}
			if chosen(fields[descriptor]) {
				_ = to.Write(fields)
			}
		}
		if errors.Is(err, io.EOF) {
			to.Flush()
			return to.Error()
		} else if err != nil {
			return store.Damaged(path, err)
		}
	}
}
