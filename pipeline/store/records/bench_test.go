package records

import (
	"os"
	"path/filepath"
	"testing"

	"descbench/eval/must"
	"descbench/eval/paired"
	"descbench/eval/record"
)

func BenchmarkQueriesFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "queries.parquet")
	rows := sampleQueries(40_000)
	const times = 10
	write := func(b *testing.B) {
		w := must.Get(NewWriter[record.Query](path, "baseline"))(b)
		for range times {
			must.Do(b, w.Add(rows))
		}
		must.Do(b, w.Close())
	}
	b.Run("write 400k rows", func(b *testing.B) {
		defer paired.PerOp(b)()
		for b.Loop() {
			write(b)
		}
	})
	b.Run("read 400k rows", func(b *testing.B) {
		write(b)
		b.ReportAllocs()
		defer paired.PerOp(b)()
		for b.Loop() {
			content := must.Get(os.ReadFile(path))(b)
			if n, err := Decode[record.Query](content); err != nil || len(n) != times*len(rows) {
				b.Fatal(len(n), err)
			}
		}
	})
}
