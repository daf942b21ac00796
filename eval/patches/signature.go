package patches

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unique"

	"descbench/eval/scope"
	"descbench/eval/text"
)

// A Signature names an image (v_wall.e1) or a patch in it (v_wall.e1.12).
type Signature struct {
	Sequence string
	Image    string
	Index    int // index of the patch, from 0; -1 for the whole image
}

// String returns the signature in the form used in files.
func (s Signature) String() string {
	if s.Index < 0 {
		return s.Sequence + "." + s.Image
	}
	return s.Sequence + "." + s.Image + "." + strconv.Itoa(s.Index)
}

// AppendSignature appends a signature to a line.
func AppendSignature(line []byte, s Signature) []byte { return append(line, s.String()...) }

// Whole returns the signature of the patch's image.
func (s Signature) Whole() Signature { return Signature{s.Sequence, s.Image, -1} }

// ParsePatch parses sequence.image.index.
func ParsePatch(b []byte) (Signature, error) { return parseSignature(b, 3, "sequence.image.index") }

// ParseImage parses sequence.image.
func ParseImage(b []byte) (Signature, error) { return parseSignature(b, 2, "sequence.image") }

func parseSignature(b []byte, parts int, want string) (Signature, error) {
	fields := strings.Split(string(b), ".")
	if n := len(fields); n != parts {
		return Signature{}, fmt.Errorf("signature %s has %d parts, want %s", text.Quote(b), n, want)
	}
	s := Signature{Index: -1}
	if parts == 3 {
		var ok bool
		if s.Index, ok = text.Index([]byte(fields[2])); !ok {
			return Signature{}, fmt.Errorf("signature %s has index %s, want a number from 0", text.Quote(b), text.Quote([]byte(fields[2])))
		}
	}
	if fields[0] == "" || fields[1] == "" {
		return Signature{}, fmt.Errorf("signature %s has an empty name, want %s", text.Quote(b), want)
	}
	if err := cmp.Or(scope.CheckSceneName(fields[0]), scope.CheckSceneName(fields[1])); err != nil {
		return Signature{}, fmt.Errorf("signature %s: %w", text.Quote(b), err)
	}
	if strings.Contains(fields[0]+fields[1], "/") { // which scenes may have, after a group
		return Signature{}, fmt.Errorf("signature %s contains a slash", text.Quote(b))
	}
	// A file can name the same image a million times.
	s.Sequence, s.Image = unique.Make(fields[0]).Value(), unique.Make(fields[1]).Value()
	return s, nil
}
