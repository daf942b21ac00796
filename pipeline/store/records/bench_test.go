package records

import (
	"path/filepath"
	"testing"

	"descbench/eval/paired"
	"descbench/eval/record"
	"descbench/pipeline/store/records/recordtest"
)

func BenchmarkQueriesFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "queries.parquet")
	rows := recordtest.Queries(40_000)
	const times = 10
	write := func(b *testing.B) {
		w, err := NewQueryWriter(path, "baseline")
		if err != nil {
			b.Fatal(err)
		}
		for range times {
			if err := w.Add(rows); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("write 400k rows", func(b *testing.B) {
		defer paired.PerOp(b)()
		for b.Loop() {
			write(b)
		}
	})
	b.Run("read 400k rows", func(b *testing.B) {
		write(b)
		summed(b, path)
		b.ReportAllocs()
		defer paired.PerOp(b)()
		for b.Loop() {
			n := 0
			err := readRecords(path, func(q []record.Query) error {
				n += len(q)
				return nil
			})
			if err != nil || n != times*len(rows) {
				b.Fatal(n, err)
			}
		}
	})
}
