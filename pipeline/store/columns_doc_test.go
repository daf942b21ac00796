package store

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/eval/ranking"
	"descbench/eval/record"
)

// docs/columns.md describes every column of the result files, in their order, and says which may
// be NULL. The columns of curves are tested by package report.
func TestColumnsAreDescribed(t *testing.T) {
	page := string(must.Get(os.ReadFile(filepath.Join("..", "..", "docs", "columns.md")))(t))
	described := make(map[string][]string) // by heading; those that may be NULL end in ?
	row := regexp.MustCompile("(?m)^\\| `(.*?)` \\| ([^|]*) \\| .+ \\|$")
	for _, section := range strings.Split(page, "\n#") {
		heading, rows, _ := strings.Cut(strings.TrimLeft(section, "# "), "\n")
		for _, m := range row.FindAllStringSubmatch(rows, -1) {
			for _, name := range strings.Split(m[1], "`, `") {
				if strings.HasSuffix(m[2], " or NULL") {
					name += "?"
				}
				described[heading] = append(described[heading], name)
			}
		}
	}
	experiment := []string{"experiment"}
	want := map[string][]string{
		"queries.parquet":                    append(experiment, taggedFields[record.Query]("parquet")...),
		"pairs.parquet":                      append(experiment, taggedFields[record.Pair]("parquet")...),
		"metrics.csv":                        metricsHeader,
		"timing.csv":                         timingHeader,
		"summary.json":                       taggedFields[Summary]("json"),
		"summary.json: `protocol`, of ranks": taggedFields[ranking.Options]("json"),
		"summary.json: `protocol`, of all metrics":         taggedFields[Protocol]("json"),
		"summary.json: each reason of `failed_scenes`":     taggedFields[Failure]("json"),
		"summary.json: each of `warnings`, and its `text`": taggedFields[fact.Fact]("json"),
		"summary.json: each of `descriptors`":              taggedFields[SummaryDescriptor]("json"),
		"summary.json: each of `scenes` of a descriptor":   taggedFields[SummaryScene]("json"),
	}
	path := writeSample(t)
	for _, table := range sqlRows(t, path, "SELECT name FROM sqlite_master WHERE type = 'table'") {
		want[table] = sqlRows(t, path, `SELECT name || iif("notnull" OR pk, '', '?') FROM pragma_table_info('`+table+`')`)
	}
	want["runs"] = sqlRows(t, path, "SELECT name FROM pragma_table_info('runs')") // a view, of which SQLite does not know what may be NULL
	for i, name := range described["runs"] {
		described["runs"][i] = strings.TrimSuffix(name, "?")
	}
	for heading, columns := range want {
		if !slices.Equal(described[heading], columns) {
			t.Errorf("%s: described are %q, want %q", heading, described[heading], columns)
		}
	}
}

// taggedFields returns the names that the tags of a struct give its fields; those that are stored as NULL
// where they are missing end in ?.
func taggedFields[T any](tag string) (names []string) {
	for field := range reflect.TypeFor[T]().Fields() {
		name, options, _ := strings.Cut(field.Tag.Get(tag), ",")
		if _, null := field.Tag.Lookup("null"); null || tag == "parquet" && strings.Contains(options, "optional") {
			name += "?"
		}
		if name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}
