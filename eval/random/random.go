// Package random is the only source of random choices. It provides streams of
// numbers that depend on a seed and a purpose, never on the order of execution,
// and are the same on every machine and with every version of Go. It belongs to
// the evaluation, for which it draws galleries, distractors and resamples.
// Packages below eval that need random choices receive a function.
//
// The algorithm is fixed. A stream's key is the SHA-256 of the seed and the
// parts that name the purpose, as text, each preceded by its length. The
// generator is PCG (DXSM, 128-bit state), and Lemire's method gives numbers
// below a bound. testdata/golden.py implements the same in Python.
package random

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strconv"
)

// A Stream is a sequence of random numbers. It is not safe for concurrent use;
// create one per goroutine.
type Stream struct {
	// O'Neill, PCG: A Family of Simple Fast Space-Efficient Statistically Good
	// Algorithms for Random Number Generation, HMC-CS-2014-0905; with the
	// output function DXSM, as in NumPy's PCG64DXSM. Only this generator of
	// math/rand/v2 is used, because its Rand does not promise how it makes
	// bounded numbers.
	pcg rand.PCG
}

// New returns the stream of a seed for one purpose, named by the parts, as in
//
//	random.New(seed, "fixed gallery", scene, k, row)
//
// Parts are strings and integers (int, int32, int64, uint64); an integer is
// equivalent to its decimal text. New panics for a part of another type.
// Streams with different parts are independent.
func New(seed uint64, parts ...any) *Stream {
	key := appendText(nil, strconv.FormatUint(seed, 10))
	for _, p := range parts {
		key = appendText(key, text(p))
	}
	digest := sha256.Sum256(key)
	var s Stream
	s.pcg.Seed(binary.BigEndian.Uint64(digest[:8]), binary.BigEndian.Uint64(digest[8:16]))
	return &s
}

// appendText appends the length of the text and the text, so that ("ab", "c")
// and ("a", "bc") give different keys.
func appendText(key []byte, text string) []byte {
	key = binary.BigEndian.AppendUint64(key, uint64(len(text)))
	return append(key, text...)
}

func text(part any) string {
	switch p := part.(type) {
	case string:
		return p
	case int, int32, int64, uint64:
		return fmt.Sprint(p)
	}
	panic(fmt.Sprintf("random: part %v has type %T, want a string or an integer", part, part))
}

// Uint64 returns a random 64-bit number.
func (s *Stream) Uint64() uint64 { return s.pcg.Uint64() }

// Float64 returns a random number in [0, 1): the upper 53 bits of one Uint64,
// divided by 2⁵³.
func (s *Stream) Float64() float64 { return float64(s.Uint64()>>11) / (1 << 53) }

// IntN returns a uniformly distributed number in 0..n-1. It panics if n < 1.
//
// Source: Lemire, Fast Random Integer Generation in an Interval, ACM TOMACS
// 2019, algorithm 5: the upper half of draw × n, rejected if the lower half is
// among the first 2⁶⁴ mod n numbers.
func (s *Stream) IntN(n int) int {
	if n < 1 {
		panic(fmt.Sprintf("random: IntN(%d), want n of at least 1", n))
	}
	bound := uint64(n)
	high, low := bits.Mul64(s.Uint64(), bound)
	if low < bound { // otherwise it is not below the remainder either
		remainder := -bound % bound
		for low < remainder {
			high, low = bits.Mul64(s.Uint64(), bound)
		}
	}
	return int(high)
}
