package patches

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"

	"descbench/descriptors"
)

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
		var buffer []byte
		for _, sequence := range s.Sequences() {
			for _, image := range s.Images(sequence) {
				m := s.images[sequence][image]
				fmt.Fprintf(w, "%s/%s %d %d %d\n", sequence, image, m.Rows, m.Dim, m.Type)
				buffer = writeValues(w, buffer, m)
			}
		}
	})
}

// writeValues writes the values of a matrix, floats as little-endian bits, and
// returns the buffer for the next call.
func writeValues(w io.Writer, buffer []byte, m *descriptors.Matrix) []byte {
	if m.Type != descriptors.Float32 {
		_, _ = w.Write(m.Uint8) // a hash does not fail
		return buffer
	}
	buffer = buffer[:0]
	for _, v := range m.Float32 {
		buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(v))
	}
	_, _ = w.Write(buffer)
	return buffer
}
