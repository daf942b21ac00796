package records

import (
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// WriteCSV writes the rows of chosen descriptors in a run's Parquet file of records, a line each
// with all columns, NULL as an empty field; header: after a line with their names.
func WriteCSV(w io.Writer, path string, header bool, chosen func(descriptor string) bool) error {
	to := csv.NewWriter(w) // Error returns the errors of Write
	err := openResult(path, func(f *parquet.File) error {
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
				return nil
			} else if err != nil {
				return err
			}
		}
	})
	to.Flush()
	return cmp.Or(err, to.Error())
}
