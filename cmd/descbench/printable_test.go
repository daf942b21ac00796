package main

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"testing/iotest"

	"golang.org/x/text/transform"

	"descbench/eval/must"
)

func TestWhatCommandsATerminalIsEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"v_日本橋, é and e\u0301, 🙂\tx\n": "v_日本橋, é and e\u0301, 🙂\tx\n",
		"\x1b[31mred\x1b]0;title\x07":  `\u001b[31mred\u001b]0;title\u0007`,
		"over\rwritten\b":              `over\u000dwritten\u0008`,
		"C1 \u009b2J":                  `C1 \u009b2J`,
		"gnp.\u202eexe":                `gnp.\u202eexe`,
		"latin1 \xe9 and \xff\xfe":     `latin1 \xe9 and \xff\xfe`,
		"cut \xe6\x97":                 `cut \xe6\x97`,
		"\uFFFD is itself":             "\uFFFD is itself",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		// However the text is cut into writes, the result is the same.
		var b bytes.Buffer
		w := transform.NewWriter(&b, escaper{})
		must.Get(io.Copy(struct{ io.Writer }{w}, iotest.OneByteReader(bytes.NewReader([]byte(text)))))(t)
		if err := w.Close(); err != nil || b.String() != want {
			t.Errorf("%q, byte by byte: got %q, %v, want %q", text, b.String(), err, want)
		}
	}
}

func TestJSONStaysTheSameValue(t *testing.T) {
	var b bytes.Buffer
	w := transform.NewWriter(&b, escaper{})
	const text = "\x1b \x7f \u009b \u202e é"
	must.Do(t, printJSON(w, text))
	var got string
	if err := json.Unmarshal(b.Bytes(), &got); err != nil || got != text {
		t.Errorf("%s is %q, %v; want %q", b.String(), got, err, text)
	}
}
