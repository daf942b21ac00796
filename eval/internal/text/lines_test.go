package text

import (
	"strings"
	"testing"
)

func linesOf(t *testing.T, data string) *Lines {
	l, err := Read("f", strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLinesAreTrimmedAndCounted(t *testing.T) {
	l := linesOf(t, " a,b \r\n\tc\n\n \n")
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

func TestAnEmptyLineInsideAFileIsAFault(t *testing.T) {
	l := linesOf(t, "a\n\nb\n")
	_, _, _ = l.Next()
	_, _, err := l.Next()
	if err == nil || err.Error() != "f: line 2: empty line" {
		t.Fatalf("got %v", err)
	}
}

func TestTextMustBeASCII(t *testing.T) {
	_, _, err := linesOf(t, "ä\n").Next()
	if err == nil || !strings.Contains(err.Error(), "f: line 1: byte 0xc3, want ASCII") {
		t.Fatalf("got %v", err)
	}
}

func TestAFileThatEndsEarlyNamesTheLineThatIsMissing(t *testing.T) {
	l := linesOf(t, "a\n")
	_, _ = l.Want("a pair")
	if _, err := l.Want("its distances"); err == nil || err.Error() != "f: line 2: end of file, want its distances" {
		t.Fatalf("got %v", err)
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
