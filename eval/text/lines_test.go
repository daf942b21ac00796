package text

import (
	"strings"
	"testing"
)

func TestLinesAreTrimmedAndCounted(t *testing.T) {
	l := Read("f", strings.NewReader(" a,b \r\n\tc\n\n \n"))
	for i, want := range []string{"a,b", "c"} {
		line, ok, err := l.Next()
		if !ok || err != nil || string(line) != want || l.Line != i+1 {
			t.Fatalf("got %q, %t, %v at line %d; want %q at %d", line, ok, err, l.Line, want, i+1)
		}
	}
	if _, ok, err := l.Next(); ok || err != nil {
		t.Fatalf("a line behind the last one: %t, %v", ok, err)
	}
}

func TestFieldsLoseTheBlanksAroundThem(t *testing.T) {
	var got []string
	for _, f := range Fields(nil, []byte("a, b ,,c")) {
		got = append(got, string(f))
	}
	if strings.Join(got, "|") != "a|b||c" {
		t.Fatalf("got %q", got)
	}
}
