package patches

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
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
		for _, sequence := range s.Sequences() {
			for _, image := range s.Images(sequence) {
				m := s.images[sequence][image]
				fmt.Fprintf(w, "%s/%s %d %d %d\n", sequence, image, m.Rows, m.Dim, m.Type)
				_, _ = w.Write(m.Uint8) // a hash does not fail
				_ = binary.Write(w, binary.LittleEndian, m.Float32)
			}
		}
	})
}
