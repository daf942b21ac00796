package files

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestATableKnowsItsColumnsByTheirNames(t *testing.T) {
	known := func(name string) string {
		if name == "score" {
			name = "response"
		}
		if name != "x" && name != "response" {
			return ""
		}
		return name
	}
	table, err := NewTable(strings.NewReader("\ufeff\" X\",n\u00f6, Score,n\u00f6\n\n1,2,3,4\n\n5,6,7,\"8\n\"\n"), 100, known)
	if err != nil || !slices.Equal(table.Header, []string{"x", "n\u00f6", "score", "n\u00f6"}) || !slices.Equal(table.Columns, []string{"x", "", "response", ""}) {
		t.Fatalf("table %+v, error %v", table, err)
	}
	var rows []string
	err = table.Each(func(fields []string) error {
		rows = append(rows, fmt.Sprint(table.Line(2), fields))
		return nil
	})
	if err != nil || !slices.Equal(rows, []string{"3 [1 2 3 4]", "5 [5 6 7 8\n]"}) {
		t.Errorf("rows %q, error %v", rows, err)
	}
	for text, want := range map[string]string{
		"":                                 "the file is empty, want a first line with the column names",
		"\ufeff":                           "the file is empty, want a first line with the column names",
		"score,response\n":                 "line 1: two columns are named response",
		"x\x00":                            "unknown format, want .npz or CSV",
		"x\xff" + strings.Repeat("-", 600): "unknown format, want .npz or CSV",
		strings.Repeat("x,", 200):          "line 1: more than 100 bytes in one record",
	} {
		if _, err := NewTable(strings.NewReader(text), 100, known); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	for before := range 4 { // the first bytes end in the middle of a character
		if _, err := NewTable(strings.NewReader(strings.Repeat("-", 509+before)+"\U0001f600\n"), 1000, known); err != nil {
			t.Errorf("%d bytes: %v", before, err)
		}
	}
}
