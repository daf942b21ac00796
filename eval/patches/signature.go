package patches

import (
	"bytes"
	"fmt"
	"strconv"

	"descbench/eval/internal/text"
	"descbench/eval/scope"
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

// A SignatureReader parses signatures. Equal names share their memory, because files
// can name the same image a million times. The zero value is ready to use.
type SignatureReader struct {
	names map[string]string
}

// Patch parses sequence.image.index.
func (r *SignatureReader) Patch(b []byte) (Signature, error) {
	return r.read(b, 3, "sequence.image.index")
}

// Image parses sequence.image.
func (r *SignatureReader) Image(b []byte) (Signature, error) {
	return r.read(b, 2, "sequence.image")
}

func (r *SignatureReader) read(b []byte, parts int, want string) (Signature, error) {
	if n := bytes.Count(b, []byte{'.'}) + 1; n != parts {
		return Signature{}, fmt.Errorf("signature %s has %d parts, want %s", text.Quote(b), n, want)
	}
	dot := bytes.IndexByte(b, '.')
	sequence, image, index := b[:dot], b[dot+1:], -1
	if parts == 3 {
		dot = bytes.IndexByte(image, '.')
		n, ok := text.Index(image[dot+1:])
		if !ok {
			return Signature{}, fmt.Errorf("signature %s has index %s, want a number from 0", text.Quote(b), text.Quote(image[dot+1:]))
		}
		image, index = image[:dot], n
	}
	if len(sequence) == 0 || len(image) == 0 {
		return Signature{}, fmt.Errorf("signature %s has an empty name, want %s", text.Quote(b), want)
	}
	s := Signature{Index: index}
	var err error
	if s.Sequence, err = r.name(sequence); err == nil {
		s.Image, err = r.name(image)
	}
	if err != nil {
		return Signature{}, fmt.Errorf("signature %s: %w", text.Quote(b), err)
	}
	return s, nil
}

func (r *SignatureReader) name(b []byte) (string, error) {
	if s, ok := r.names[string(b)]; ok {
		return s, nil
	}
	if r.names == nil {
		r.names = map[string]string{}
	}
	s := string(b)
	err := scope.CheckSceneName(s)
	if err == nil {
		r.names[s] = s
	}
	return s, err
}
