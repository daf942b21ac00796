package files

import (
	"encoding/csv"
	"io"
	"strings"
	"testing"
)

func TestRecordsAreOfBoundedLength(t *testing.T) {
	long := strings.Repeat("1,", 50)
	for _, c := range []struct{ name, text, want string }{
		{"short lines", strings.Repeat("1,2\n", 100), ""},
		{"a long line", "1,2\n" + long + "\n", "line 2: more than 60 bytes in one record"},
		{"a long last line", "1,2\n" + long, "line 2: more than"},
		{"line ends in quotes", "\"" + strings.Repeat("\n", 70) + "\"\n", "line 61: more than"},
		{"a doubled quote", "\"a\"\"b\"\n\"" + strings.Repeat("\"\"", 10) + "\"\n", ""},
	} {
		in := csv.NewReader(Records(strings.NewReader(c.text), 60))
		in.FieldsPerRecord = -1
		_, err := in.ReadAll()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	if text, err := io.ReadAll(Records(strings.NewReader("a\nb"), 60)); err != nil || string(text) != "a\nb" {
		t.Errorf("read %q, error %v", text, err)
	}
}
