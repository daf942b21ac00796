package store

import (
	"encoding/binary"
	"errors"
	"fmt"
)

var errThrift = errors.New("corrupt metadata")

// minElement is the minimum number of bytes of a struct in a list: at least one
// field, with its value, and an end mark.
const minElement = 3

// scanThrift returns the number of bytes of the struct at the beginning of b.
// parquet-go allocates as many bytes and list elements as the metadata of a file
// declares, so this checks that they are there.
//
// Source: Apache Thrift, "Thrift compact protocol encoding".
func scanThrift(b []byte) (int, error) {
	s := thriftScan{b: b}
	err := s.fields(0)
	return s.at, err
}

type thriftScan struct {
	b  []byte
	at int
}

// Types of the compact protocol. Types 1 and 2 are true and false, which take no
// bytes as fields and one as elements of lists.
const (
	thriftFalse  = 2
	thriftInt8   = 3
	thriftInt64  = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

func (s *thriftScan) fields(depth int) error {
	const deepest = 16 // far above Parquet's structs
	if depth > deepest {
		return errThrift
	}
	for {
		head, err := s.next()
		if err != nil || head == 0 {
			return err
		}
		kind := head & 0xf
		if head>>4 == 0 {
			kind = head
			if _, err := s.varint(); err != nil { // the field's number
				return err
			}
		}
		if kind > thriftFalse {
			err = s.value(kind, depth)
		}
		if err != nil {
			return err
		}
	}
}

func (s *thriftScan) value(kind byte, depth int) error {
	switch {
	case kind <= thriftInt8:
		return s.skip(1)
	case kind <= thriftInt64:
		_, err := s.varint()
		return err
	case kind == thriftDouble:
		return s.skip(8)
	case kind == thriftBinary:
		n, err := s.varint()
		if err != nil {
			return err
		}
		return s.skip(n)
	case kind == thriftList || kind == thriftSet:
		head, err := s.next()
		if err != nil {
			return err
		}
		n := uint64(head >> 4)
		if n == 15 {
			if n, err = s.varint(); err != nil {
				return err
			}
		}
		return s.elements(n, depth, head&0xf)
	case kind == thriftMap:
		n, err := s.varint()
		if err != nil || n == 0 {
			return err
		}
		kinds, err := s.next()
		if err != nil {
			return err
		}
		return s.elements(n, depth, kinds>>4, kinds&0xf)
	case kind == thriftStruct:
		return s.fields(depth + 1)
	}
	return errThrift
}

// elements scans n elements, each with values of the given types.
func (s *thriftScan) elements(n uint64, depth int, kinds ...byte) error {
	size := uint64(1)
	if kinds[0] == thriftStruct {
		size = minElement
	}
	if n > uint64(len(s.b)-s.at)/size {
		return fmt.Errorf("%w: a list of %d elements in %d bytes", errThrift, n, len(s.b)-s.at)
	}
	start := s.at
	for range n {
		for _, kind := range kinds {
			if err := s.value(kind, depth); err != nil {
				return err
			}
		}
	}
	if uint64(s.at-start) < n*size {
		return errThrift
	}
	return nil
}

func (s *thriftScan) next() (byte, error) {
	if s.at >= len(s.b) {
		return 0, errThrift
	}
	s.at++
	return s.b[s.at-1], nil
}

func (s *thriftScan) skip(n uint64) error {
	if n > uint64(len(s.b)-s.at) {
		return fmt.Errorf("%w: a text of %d bytes in %d bytes", errThrift, n, len(s.b)-s.at)
	}
	s.at += int(n)
	return nil
}

func (s *thriftScan) varint() (uint64, error) {
	v, n := binary.Uvarint(s.b[s.at:])
	if n <= 0 {
		return 0, errThrift
	}
	s.at += n
	return v, nil
}
