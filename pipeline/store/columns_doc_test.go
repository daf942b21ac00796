package store

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/eval/scope"
)

var update = flag.Bool("update", false, "write docs/columns.md")

// docs/columns.md describes every column of the result files. It is made from
// where the columns are defined: the comments of record fields, CSV headers, SQL
// schemas and JSON fields.
func TestColumnsAreDescribed(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "columns.md")
	got := columnsPage(t)
	if *update {
		must.Do(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want := must.Get(os.ReadFile(path))(t)
	if got != string(want) {
		t.Errorf("%s is not up to date; run go test ./pipeline/store -run TestColumnsAreDescribed -update", path)
	}
}

const pageHead = `<!-- Made by go test ./pipeline/store -run TestColumnsAreDescribed -update from the code. Do not edit. -->
# Columns of the result files

A missing value is NULL in Parquet and SQLite files, an empty field in CSV files and
an absent key in JSON files; there are no placeholders such as -1, infinity or NaN.
The exceptions are angle and class_id of keypoints, which are OpenCV's. Shares and
rates are from 0 to 1. Metrics are explained by ` + "`descbench metrics NAME`" + `.
[Query results](results.md#query-results-with-pandas-duckdb-or-sql) shows queries in pandas, DuckDB and SQL.
Sizes of keypoints are written by ` + "`" + `keypoints export` + "`" + `; estimated homographies are not stored. Their corner
errors are in pairs.parquet.

Contents: [queries.parquet](#queriesparquet), [pairs.parquet](#pairsparquet),
[metrics.csv](#metricscsv),
[timing.csv](#timingcsv), [curves](#curves), [summary.json](#summaryjson),
[SQLite](#sqlite).
`

func columnsPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString(pageHead)
	section := func(title, intro string, columns []described) {
		t.Helper()
		what := "column"
		if strings.Contains(title, "summary.json") {
			what = "key"
		}
		fmt.Fprintf(&b, "\n%s\n\n%s\n\n| %s | type | meaning |\n|---|---|---|\n", title, intro, what)
		for i, c := range columns {
			if c.text == "" {
				t.Errorf("%s: %s is not described", title, c.name)
			}
			if nullable := strings.HasSuffix(c.kind, " or NULL"); nullable != strings.Contains(c.text, "NULL") && !strings.HasPrefix(c.text, "belongs to ") {
				t.Errorf("%s: %s is %s, but its description is %q", title, c.name, c.kind, c.text)
			}
			if i > 0 && c.kind == columns[i-1].kind && (c.text == columns[i-1].text || strings.HasPrefix(c.text, "belongs to ")) {
				continue // in the row above
			}
			names := c.name
			for _, next := range columns[i+1:] {
				if next.kind != c.kind || next.text != c.text && !strings.HasPrefix(next.text, "belongs to ") {
					break
				}
				names += "`, `" + next.name
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", names, c.kind, markup.Replace(c.text))
		}
	}
	experiment := described{"experiment", "string", "name of the experiment in the config"}
	record := filepath.Join("..", "..", "eval", "record", "record.go")
	section("## queries.parquet", "One row per query, image pair and descriptor. Rows of keypoints start at 0; the centre of an image's first pixel is (0, 0).",
		append([]described{experiment}, structColumns(t, record, "Query", "parquet")...))
	section("## pairs.parquet", "One row per image pair and descriptor.",
		append([]described{experiment}, structColumns(t, record, "Pair", "parquet")...))
	section("## metrics.csv", "One line per descriptor, scope and metric.", headerColumns(t, "csv.go", "metricsHeader"))
	section("## timing.csv", "One line per descriptor, scene and stage.", headerColumns(t, "csv.go", "timingHeader"))
	section("## Curves", "The files that `descbench classify --curves` writes: one line per threshold.",
		headerColumns(t, filepath.Join("..", "report", "curves.go"), "curveHeader"))
	section("## summary.json", "The keys of the file; then those of its parts.", structColumns(t, "summary.go", "Summary", "json"))
	for _, part := range []struct{ title, file, name string }{
		{"`protocol`, of ranks", "../../eval/ranking/accumulator.go", "Options"}, {"`protocol`, of all metrics", "run.go", "Protocol"}, {"each reason of `failed_scenes`", "summary.go", "Failure"}, {"each of `warnings`, and its `text`", "../../eval/fact/fact.go", "Fact"},
		{"each of `descriptors`", "summary.go", "SummaryDescriptor"}, {"each of `scenes` of a descriptor", "summary.go", "SummaryScene"},
	} {
		section("### summary.json: "+part.title, "", structColumns(t, part.file, part.name, "json"))
	}
	b.WriteString("\n## SQLite\n\n`results.sqlite` of a run, and the shared `output.database`, have these tables. The views `named_*` have the columns\n" +
		"`experiment`, `run`, `kind`, `protocol` and `newest` of `runs`, then those of the table; `named_metrics` also has `scene` and `k`.\n" +
		"In a shared database, select `newest` runs, and do not mix values of different `protocol`.\n")
	for _, table := range schemaTables(t) {
		section("### "+table.name, table.text, table.columns)
	}
	return strings.ReplaceAll(b.String(), "\n\n\n", "\n\n")
}

// markup escapes what Markdown would not print in a table.
var markup = strings.NewReplacer("|", `\|`, "<", `\<`)

// A described is a column and its description.
type described struct{ name, kind, text string }

// structColumns returns the fields of a struct that have the tag.
func structColumns(t *testing.T, path, name, tag string) []described {
	t.Helper()
	file := must.Get(parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments))(t)
	var columns []described
	names := make(map[string]string) // of columns, by field
	var fields []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != name {
			return true
		}
		for _, f := range spec.Type.(*ast.StructType).Fields.List {
			if f.Tag == nil {
				continue
			}
			text := must.Get(strconv.Unquote(f.Tag.Value))(t)
			tags := reflect.StructTag(text)
			column, _, _ := strings.Cut(tags.Get(tag), ",")
			if column == "-" {
				continue
			}
			_, null := tags.Lookup("null")
			kind := typeText(f.Type)
			if tag == "parquet" && (null || strings.Contains(tags.Get(tag), ",optional")) {
				kind += " or NULL"
			}
			comment := strings.Join(strings.Fields(f.Comment.Text()), " ")
			if f.Doc != nil { // its first paragraph, without the name of the field
				first, _, _ := strings.Cut(f.Doc.Text(), "\n\n")
				comment = strings.Join(strings.Fields(first), " ")
				comment = strings.TrimPrefix(comment, f.Names[0].Name+" ")
				for _, verb := range []string{"is ", "reports "} {
					comment = strings.TrimPrefix(comment, verb)
				}
			}
			columns = append(columns, described{column, kind, strings.TrimSuffix(comment, ".")})
			fields = append(fields, f.Names[0].Name)
			names[f.Names[0].Name] = column
		}
		return false
	})
	if len(columns) == 0 {
		t.Fatalf("%s: no fields of %s with the tag %s", path, name, tag)
	}
	for i, c := range columns {
		for _, field := range fields {
			c.text = regexp.MustCompile(`\b`+field+`\b`).ReplaceAllString(c.text, names[field])
		}
		c.text = strings.ReplaceAll(c.text, "scope.MaxTolerancePx", strconv.FormatFloat(scope.MaxTolerancePx, 'g', -1, 64)+" px")
		columns[i].text = c.text
	}
	return columns
}

// typeText names the type of a field for people who do not write Go.
func typeText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeText(e.X)
	case *ast.ArrayType:
		return "list of " + typeText(e.Elt)
	case *ast.MapType:
		return "object of " + typeText(e.Value)
	case *ast.SelectorExpr:
		return typeText(e.Sel)
	case *ast.Ident:
		switch {
		case e.Name == "float32":
			return "float"
		case e.Name == "float64":
			return "double"
		case e.Name == "Figures":
			return "object of double"
		case e.Name == "Facts":
			return "list of object"
		case slices.Contains([]string{"Kind", "TieRule", "Relevance", "State"}, e.Name):
			return "string"
		case ast.IsExported(e.Name):
			return "object"
		}
		return e.Name
	}
	return "object"
}

// headerColumns returns the elements of a list of strings with their comments.
func headerColumns(t *testing.T, path, name string) []described {
	t.Helper()
	files := token.NewFileSet()
	file := must.Get(parser.ParseFile(files, path, nil, parser.ParseComments))(t)
	comments := make(map[int]string) // by line
	for _, g := range file.Comments {
		comments[files.Position(g.Pos()).Line] = g.Text()
	}
	var columns []described
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Names[0].Name != name {
			return true
		}
		for _, e := range spec.Values[0].(*ast.CompositeLit).Elts {
			column := must.Get(strconv.Unquote(e.(*ast.BasicLit).Value))(t)
			kind := "number"
			if slices.Contains(strings.Fields("descriptor scope metric experiment scene stage"), column) {
				kind = "text"
			}
			text := strings.TrimSpace(comments[files.Position(e.Pos()).Line])
			if strings.Contains(text, "empty: ") {
				kind += " or empty"
			}
			columns = append(columns, described{column, kind, text})
		}
		return false
	})
	if len(columns) == 0 {
		t.Fatalf("%s: no %s", path, name)
	}
	return columns
}

type describedTable struct {
	name, text string
	columns    []described
}

var (
	createLine = regexp.MustCompile(`^CREATE (?:TABLE|VIEW) (\w+)`)
	columnLine = regexp.MustCompile(`^    (\w+) +((?:TEXT|INTEGER|REAL)\b[^-]*)(?:-- (.*))?$`)
	viewLine   = regexp.MustCompile(`\bAS (\w+),? -- (.*)$`)
)

// schemaTables returns the tables and views of the schema that have
// descriptions. The columns are those of SQLite; the descriptions are comments.
func schemaTables(t *testing.T) []*describedTable {
	t.Helper()
	var tables []*describedTable
	var table *describedTable
	comment := ""
	for line := range strings.Lines(schema) {
		line = strings.TrimRight(line, "\n")
		if text, ok := strings.CutPrefix(line, "-- "); ok {
			comment += text + " "
			continue
		}
		if m := createLine.FindStringSubmatch(line); m != nil {
			table = &describedTable{name: m[1], text: strings.TrimSpace(comment)}
			tables = append(tables, table)
		}
		comment = ""
		if m := columnLine.FindStringSubmatch(line); m != nil && table != nil {
			table.columns = append(table.columns, sqlColumn(m[1], m[2], m[3]))
		} else if m := viewLine.FindStringSubmatch(line); m != nil && table != nil {
			kind := "TEXT"
			if slices.Contains([]string{"experiment_id", "newest", "k"}, m[1]) {
				kind = "INTEGER"
			}
			if strings.Contains(m[2], "NULL: ") {
				kind += " or NULL"
			}
			table.columns = append(table.columns, described{m[1], kind, m[2]})
		}
	}
	path := writeSample(t)
	var shown []*describedTable
	for _, table := range tables {
		if strings.HasPrefix(table.name, "named_") && table.columns == nil {
			continue // those of the table
		}
		shown = append(shown, table)
		if strings.HasPrefix(table.name, "named_") {
			table.text = "The columns that `runs` and `metrics` lack:"
			continue
		}
		var names []string
		for _, c := range table.columns {
			names = append(names, c.name)
		}
		if got := sqlRows(t, path, "SELECT name FROM pragma_table_info('"+table.name+"')"); strings.Join(got, " ") != strings.Join(names, " ") {
			t.Errorf("%s: has the columns %q, described are %q", table.name, got, names)
		}
	}
	return shown
}

func sqlColumn(name, definition, text string) described {
	kind, _, _ := strings.Cut(definition, " ")
	kind = strings.Trim(kind, ", ")
	if !strings.Contains(definition, "NOT NULL") && !strings.Contains(definition, "PRIMARY KEY") {
		kind += " or NULL"
	}
	return described{name, kind, strings.TrimSpace(text)}
}
