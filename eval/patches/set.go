package patches

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"path/filepath"
	"slices"

	"descbench/descriptors"
	"descbench/eval/fact"
)

// A Set holds the values of one descriptor: a matrix per image, whose row n is the
// descriptor of patch n. All matrices have the same dimension and element type, and
// all matrices of a sequence have the same number of rows. Rows with NaN or infinite
// values are marked invalid. A row of zeros is treated like any other descriptor.
type Set struct {
	Name   string
	Dim    int
	Type   descriptors.ElementType
	images map[string]map[string]*descriptors.Matrix
}

// NewSet returns a set of the matrices, given by sequence and image, of type Uint8 or Float32. Their
// type becomes Bits if all values are 0 or 1, else Uint8 if all values are integers from
// 0 to 255, else Float32. The set is named after its folder root, which begins the names of
// files in faults.
func NewSet(root string, images map[string]map[string]*descriptors.Matrix) (*Set, error) {
	s := &Set{Name: filepath.Base(root), images: images}
	first := ""
	for at, m := range s.all() {
		short := at.Sequence + "/" + at.Image + ".csv"
		file := filepath.Join(root, short)
		if first == "" {
			first, s.Dim, s.Type = short, m.Dim, m.Type
		}
		reference := at.Sequence + "/" + s.Images(at.Sequence)[0] + ".csv"
		if m.Dim != s.Dim {
			return nil, &Fault{File: file, Reason: fmt.Sprintf("%d values per line, want %d as in %s", m.Dim, s.Dim, first)}
		}
		if want := s.Patches(at.Sequence); m.Rows != want {
			return nil, &Fault{File: file, Reason: fmt.Sprintf("%d lines, want %d as in %s", m.Rows, want, reference)}
		}
		if m.Type == descriptors.Float32 {
			s.Type = m.Type
		}
	}
	if first == "" {
		return nil, &Fault{File: root, Reason: "no descriptors"}
	}
	s.unify()
	return s, nil
}

// unify converts all matrices to the smallest type that represents all values.
func (s *Set) unify() {
	convert := toFloat32
	if s.Type == descriptors.Uint8 && s.every(isBinary) {
		s.Type, convert = descriptors.Bits, toBits
	}
	for at, m := range s.all() {
		if m.Type != s.Type {
			s.images[at.Sequence][at.Image] = convert(m)
		}
	}
}

// all yields the matrices in the order of Sequences and Images.
func (s *Set) all() iter.Seq2[Signature, *descriptors.Matrix] {
	return func(yield func(Signature, *descriptors.Matrix) bool) {
		for _, sequence := range s.Sequences() {
			for _, image := range s.Images(sequence) {
				if !yield(Signature{sequence, image, -1}, s.images[sequence][image]) {
					return
				}
			}
		}
	}
}

func (s *Set) every(is func(*descriptors.Matrix) bool) bool {
	for _, m := range s.all() {
		if !is(m) {
			return false
		}
	}
	return true
}

func isBinary(m *descriptors.Matrix) bool { return len(m.Uint8) > 0 && slices.Max(m.Uint8) <= 1 }

func toBits(m *descriptors.Matrix) *descriptors.Matrix {
	b := descriptors.New(m.Rows, m.Dim, descriptors.Bits)
	stride := b.Stride()
	for i, v := range m.Uint8 {
		row, column := i/m.Dim, i%m.Dim
		b.Uint8[row*stride+column/8] |= v << bitOf(column, m.Dim)
	}
	b.CopyMarks(m)
	return b
}

// bitOf returns the position, from the lowest, of element k of a row in its byte.
// The first element of a byte is its most significant bit in use; a last byte of
// fewer than eight uses its low bits (see descriptors.Bits).
func bitOf(k, dim int) int { return min(8, dim-k/8*8) - 1 - k%8 }

func toFloat32(m *descriptors.Matrix) *descriptors.Matrix {
	f := descriptors.New(m.Rows, m.Dim, descriptors.Float32)
	for i := range m.Rows {
		f.Float32 = AppendRow(f.Float32[:i*m.Dim], m, i)
	}
	f.CopyMarks(m)
	return f
}

// AppendRow appends the values of row i of m, one per element, to dst: NaN if the row
// is invalid.
func AppendRow(dst []float32, m *descriptors.Matrix, i int) []float32 {
	if m.IsInvalid(i) {
		return append(dst, slices.Repeat([]float32{float32(math.NaN())}, m.Dim)...)
	}
	n := m.Stride()
	switch m.Type {
	case descriptors.Float32:
		return append(dst, m.Float32[i*n:(i+1)*n]...)
	case descriptors.Bits:
		row := m.Uint8[i*n : (i+1)*n]
		for k := range m.Dim {
			dst = append(dst, float32(row[k/8]>>bitOf(k, m.Dim)&1))
		}
		return dst
	default:
		for _, v := range m.Uint8[i*n : (i+1)*n] {
			dst = append(dst, float32(v))
		}
		return dst
	}
}

// Map returns a set of these sequences of s with the rows that change returns for each image.
func (s *Set) Map(sequences []string, change func(m *descriptors.Matrix) []float32) (*Set, error) {
	images := make(map[string]map[string]*descriptors.Matrix, len(sequences))
	for _, sequence := range sequences {
		images[sequence] = make(map[string]*descriptors.Matrix, len(s.images[sequence]))
		for image, m := range s.images[sequence] {
			images[sequence][image] = compact(m.Rows, m.Dim, change(m))
		}
	}
	return NewSet(s.Name, images)
}

// Zeroed returns the set with zeros in place of invalid rows.
func (s *Set) Zeroed() (*Set, error) {
	if n, _, _ := s.count(invalid, false); n == 0 {
		return s, nil
	}
	return s.Map(s.Sequences(), func(m *descriptors.Matrix) (rows []float32) {
		for i := range m.Rows {
			rows = AppendRow(rows, m, i)
			if m.IsInvalid(i) {
				clear(rows[i*m.Dim:])
			}
		}
		return rows
	})
}

// Sequences returns the names of the sequences, sorted.
func (s *Set) Sequences() []string { return slices.Sorted(maps.Keys(s.images)) }

// Images returns the names of a sequence's images: the reference first, then the
// others in sorted order.
func (s *Set) Images(sequence string) []string {
	names := slices.Sorted(maps.Keys(s.images[sequence]))
	if i := slices.Index(names, Reference); i > 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, Reference)
	}
	return names
}

// Image returns the matrix of an image, or nil if the set does not contain it.
func (s *Set) Image(sequence, image string) *descriptors.Matrix {
	return s.images[sequence][image]
}

// Patches returns the number of patches in each image of a sequence, or -1 if the set
// does not contain it.
func (s *Set) Patches(sequence string) int {
	for _, image := range s.Images(sequence) {
		return s.images[sequence][image].Rows
	}
	return -1
}

// Facts tells of rows with NaN or infinite values; rows of zeros, which seem to show the
// same place (zeros can be a valid binary descriptor, though); more than 1 % of the rows of
// reference images that equal another, so that equal distances decide about them; images
// with all rows of another; and bytes that may be packed bits.
func (s *Set) Facts() (found []fact.Fact) {
	add := func(f fact.Fact) { found = append(found, f) }
	if n, all, first := s.count(invalid, false); n > 0 {
		add(fact.New(fact.NotFinite).Counting(n, all).Naming("first", first))
	}
	if n, all, first := s.count(zeros, false); n > 0 && s.Type != descriptors.Bits {
		add(fact.New(fact.Zeros).Counting(n, all).Naming("first", first))
	}
	if n, all, first := s.count(repeated, true); 100*n > all {
		add(fact.New(fact.RepeatedRows).Counting(n, all).Naming("first", first))
	}
	if n, first := s.copies(); n > 0 {
		add(fact.New(fact.CopiedImages).With("n", float64(n)).Naming("first", first))
	}
	// As many bytes as binary descriptors of 64 to 512 bits, which use their highest bit.
	packed := s.Type == descriptors.Uint8 && 8 <= s.Dim && s.Dim <= 64
	if packed && !s.every(func(m *descriptors.Matrix) bool { return m.Rows == 0 || slices.Max(m.Uint8) < 128 }) {
		add(fact.New(fact.Packed).With("dimension", float64(s.Dim)))
	}
	return found
}

// count returns how many rows of all images, or of the first of each sequence, are those that is tells
// of a matrix, of how many, and the first.
func (s *Set) count(is func(*descriptors.Matrix) func(row int) bool, ofFirst bool) (n, all int, first string) {
	for at, m := range s.all() {
		if ofFirst && at.Image != s.Images(at.Sequence)[0] {
			continue
		}
		all += m.Rows
		counts := is(m)
		for i := range m.Rows {
			if !counts(i) {
				continue
			}
			if n++; n == 1 {
				first = Signature{at.Sequence, at.Image, i}.String()
			}
		}
	}
	return n, all, first
}

// invalid tells the invalid rows.
func invalid(m *descriptors.Matrix) func(row int) bool { return m.IsInvalid }

// zeros tells the valid rows that contain only zeros.
func zeros(m *descriptors.Matrix) func(row int) bool {
	return func(i int) bool { return !m.IsInvalid(i) && allZero(m, i) }
}

// repeated tells the rows that equal an earlier row, without rows of zeros, unless they are bits.
func repeated(m *descriptors.Matrix) func(row int) bool {
	seen := make(map[string]bool, m.Rows)
	var values []float32
	var key []byte
	return func(i int) bool {
		if m.IsInvalid(i) || m.Type != descriptors.Bits && allZero(m, i) {
			return false
		}
		values, key = AppendRow(values[:0], m, i), key[:0]
		for _, v := range values {
			key = binary.NativeEndian.AppendUint32(key, math.Float32bits(v))
		}
		before := seen[string(key)]
		seen[string(key)] = true
		return before
	}
}

// allZero reports whether row i of m contains only zeros.
func allZero(m *descriptors.Matrix, i int) bool {
	n := m.Stride()
	if m.Type == descriptors.Float32 {
		return !slices.ContainsFunc(m.Float32[i*n:(i+1)*n], func(v float32) bool { return v != 0 })
	}
	return !slices.ContainsFunc(m.Uint8[i*n:(i+1)*n], func(v uint8) bool { return v != 0 })
}

// copies returns the number of images that have all rows of another image of their sequence, and the
// first with the other.
func (s *Set) copies() (n int, first string) {
	for _, sequence := range s.Sequences() {
		images := s.Images(sequence)
		for i, image := range images {
			for _, other := range images[:i] {
				if a, b := s.images[sequence][image], s.images[sequence][other]; slices.Equal(a.Float32, b.Float32) && slices.Equal(a.Uint8, b.Uint8) {
					first = cmp.Or(first, sequence+": "+image+" as "+other)
					n++
					break
				}
			}
		}
	}
	return n, first
}

// Reference is the name of a sequence's reference image.
const Reference = "ref"

// ImagesPerNoise is the number of images of a sequence at each noise level.
const ImagesPerNoise = 5

// Images returns the names of the reference and of the images at noise levels, such as e: ref, e1 .. e5.
func Images(noises ...string) []string {
	names := []string{Reference}
	for _, noise := range noises {
		for k := 1; k <= ImagesPerNoise; k++ {
			names = append(names, ImageName(noise, k))
		}
	}
	return names
}

// ImageName returns the name of image k at a noise level. Image 0 is the reference.
func ImageName(noise string, k int) string {
	if k == 0 {
		return Reference
	}
	return fmt.Sprintf("%s%d", noise, k)
}

// SHA256 returns the digest of what write writes, in hexadecimal.
func SHA256(write func(w io.Writer)) string {
	h := sha256.New()
	write(h) // a hash does not fail
	return hex.EncodeToString(h.Sum(nil))
}

// Digest returns the SHA-256 of all descriptors of the set, in hexadecimal. It does
// not depend on the format of the files they were read from.
func (s *Set) Digest() string {
	return SHA256(func(w io.Writer) {
		for at, m := range s.all() {
			fmt.Fprintf(w, "%s/%s %d %d %d\n", at.Sequence, at.Image, m.Rows, m.Dim, m.Type)
			_, _ = w.Write(m.Uint8) // a hash does not fail
			_ = binary.Write(w, binary.LittleEndian, m.Float32)
		}
	})
}
