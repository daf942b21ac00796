package onnx

import (
	"encoding/binary"
	"errors"
	"math"
)

// Models are messages of Protocol Buffers. A field's wire type says how it is
// encoded.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

var errMessage = errors.New("the file is not an ONNX model, or is truncated or corrupt")

// A field is one field of a message: its number, its value if it is a
// variable-length integer, and otherwise its content.
type field struct {
	number, wire int
	value        uint64
	content      []byte
}

// fields calls f for each field of a message.
func fields(message []byte, f func(field) error) error {
	for len(message) > 0 {
		key, n := binary.Uvarint(message)
		if n <= 0 || key > math.MaxUint32 {
			return errMessage
		}
		message = message[n:]
		found := field{number: int(key >> 3), wire: int(key & 7)}
		start := 0
		switch found.wire {
		case wireVarint:
			if found.value, n = binary.Uvarint(message); n <= 0 {
				return errMessage
			}
		case wireFixed64:
			n = 8
		case wireFixed32:
			n = 4
		case wireBytes:
			length, at := binary.Uvarint(message)
			if at <= 0 || length > uint64(len(message)-at) {
				return errMessage
			}
			start, n = at, at+int(length)
		default:
			return errMessage
		}
		if n > len(message) {
			return errMessage
		}
		if found.wire != wireVarint {
			found.content = message[start:n]
		}
		message = message[n:]
		if err := f(found); err != nil {
			return err
		}
	}
	return nil
}

// submessage follows a path of field numbers and returns the message at its end;
// nil if it does not exist. A parser would merge repeated messages, so they are
// an error.
func submessage(message []byte, path ...int) ([]byte, error) {
	for _, want := range path {
		var found []byte
		times := 0
		err := fields(message, func(f field) error {
			if f.number == want {
				found = f.content
				times++
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if times > 1 {
			return nil, errMessage
		}
		message = found
	}
	return message, nil
}

// integers appends the values of a repeated field of integers, of which a single
// field may hold several.
func (f field) integers(values []int64) ([]int64, error) {
	if f.wire == wireVarint {
		return append(values, int64(f.value)), nil
	}
	for packed := f.content; len(packed) > 0; {
		v, n := binary.Uvarint(packed)
		if n <= 0 || f.wire != wireBytes {
			return nil, errMessage
		}
		values, packed = append(values, int64(v)), packed[n:]
	}
	return values, nil
}

// The functions below append fields to a message.

func appendField(message []byte, f field) []byte {
	message = binary.AppendUvarint(message, uint64(f.number<<3|f.wire))
	switch f.wire {
	case wireVarint:
		return binary.AppendUvarint(message, f.value)
	case wireBytes:
		message = binary.AppendUvarint(message, uint64(len(f.content)))
	}
	return append(message, f.content...)
}

func appendBytes(message []byte, number int, content []byte) []byte {
	return appendField(message, field{number: number, wire: wireBytes, content: content})
}

func appendInt(message []byte, number int, value int64) []byte {
	return appendField(message, field{number: number, wire: wireVarint, value: uint64(value)})
}

func le32(raw []byte) uint32 { return binary.LittleEndian.Uint32(raw) }
