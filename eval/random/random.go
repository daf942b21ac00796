// Package random is the one source of random choices: streams of numbers that
// depend on a seed and on what is drawn for, never on the order of execution,
// the same on every machine and with every version of Go. It belongs to the
// evaluation, whose galleries, distractors and resamples it draws; packages
// below eval that need a choice are handed the function that makes it.
//
// Everything is fixed here. A stream's key is the SHA-256 of the seed and of
// the names and numbers of what is drawn for, as text, each behind its length;
// its numbers are those of PCG (DXSM, 128 bits of state); those below a bound
// are taken from them by Lemire's method. testdata/golden.py does the same in
// another language.
package random

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strconv"
)

// A Stream is a sequence of random numbers. It is not safe for concurrent use:
// a goroutine makes its own.
type Stream struct {
	// O'Neill, PCG: A Family of Simple Fast Space-Efficient Statistically Good
	// Algorithms for Random Number Generation, HMC-CS-2014-0905; with the
	// output function DXSM, as NumPy's PCG64DXSM. Of math/rand/v2 only this
	// generator is used: how its Rand makes bounded numbers is not promised.
	pcg rand.PCG
}

// New returns the stream of a seed for one purpose, which the parts name, as in
//
//	random.New(seed, "fixed gallery", scene, k, row)
//
// Parts are strings and integers (int, int32, int64, uint64); an integer is the
// same as its decimal text. It panics for a part of another type. Streams with
// different parts have nothing to do with each other.
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

// appendText appends the text behind its length, so that ("ab", "c") and
// ("a", "bc") are different keys.
func appendText(key []byte, text string) []byte {
	key = binary.BigEndian.AppendUint64(key, uint64(len(text)))
	return append(key, text...)
}

func text(part any) string {
	switch p := part.(type) {
	case string:
		return p
	case int:
		return strconv.Itoa(p)
	case int32:
		return strconv.FormatInt(int64(p), 10)
	case int64:
		return strconv.FormatInt(p, 10)
	case uint64:
		return strconv.FormatUint(p, 10)
	}
	panic(fmt.Sprintf("random: part %v of type %T, want a string or an integer", part, part))
}

// Uint64 draws from all 64-bit numbers.
func (s *Stream) Uint64() uint64 { return s.pcg.Uint64() }

// Float64 draws from [0, 1): the upper 53 bits of one Uint64, over 2⁵³.
func (s *Stream) Float64() float64 { return float64(s.Uint64()>>11) / (1 << 53) }

// IntN draws from 0..n-1, each exactly as likely. It panics if n < 1.
//
// Source: Lemire, Fast Random Integer Generation in an Interval, ACM TOMACS
// 2019, algorithm 5: the upper half of draw × n, where the lower half is not
// among the first 2⁶⁴ mod n numbers.
func (s *Stream) IntN(n int) int {
	if n < 1 {
		panic(fmt.Sprintf("random: a number from 0 to %d-1", n))
	}
	bound := uint64(n)
	high, low := bits.Mul64(s.Uint64(), bound)
	if low < bound { // else it is not below the remainder either
		remainder := -bound % bound
		for low < remainder {
			high, low = bits.Mul64(s.Uint64(), bound)
		}
	}
	return int(high)
}
