package onnx

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"
)

var errMessage = errors.New("the file is not an ONNX model, or is truncated or corrupt")

// A field is one field of a message of Protocol Buffers: its number, its value if
// it is a variable-length integer, and otherwise its content.
type field struct {
	number  protowire.Number
	wire    protowire.Type
	value   uint64
	content []byte
	whole   []byte // with its number
}

// fields calls f for each field of a message.
func fields(message []byte, f func(field) error) error {
	for len(message) > 0 {
		number, wire, tag := protowire.ConsumeTag(message)
		if tag < 0 {
			return errMessage
		}
		found := field{number: number, wire: wire}
		size := 0
		switch value := message[tag:]; wire {
		case protowire.VarintType:
			found.value, size = protowire.ConsumeVarint(value)
		case protowire.BytesType:
			found.content, size = protowire.ConsumeBytes(value)
		case protowire.Fixed32Type, protowire.Fixed64Type:
			if size = protowire.ConsumeFieldValue(number, wire, value); size > 0 {
				found.content = value[:size]
			}
		default: // ONNX has no groups
			return errMessage
		}
		if size < 0 {
			return errMessage
		}
		found.whole, message = message[:tag+size], message[tag+size:]
		if err := f(found); err != nil {
			return err
		}
	}
	return nil
}

// submessage follows a path of field numbers and returns the message at its end;
// nil if it does not exist. A parser would merge repeated messages, so they are
// an error.
func submessage(message []byte, path ...protowire.Number) ([]byte, error) {
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

// textOf returns the text in a field of a message.
func textOf(message []byte, number protowire.Number) (string, error) {
	text, err := submessage(message, number)
	return string(text), err
}

// integers appends the values of a repeated field of integers, of which a single
// field may hold several.
func (f field) integers(values []int64) ([]int64, error) {
	if f.wire == protowire.VarintType {
		return append(values, int64(f.value)), nil
	}
	for packed := f.content; len(packed) > 0; {
		v, n := protowire.ConsumeVarint(packed)
		if n < 0 || f.wire != protowire.BytesType {
			return nil, errMessage
		}
		values, packed = append(values, int64(v)), packed[n:]
	}
	return values, nil
}

// numbers appends the bytes of a repeated field of numbers of a fixed width, of which
// a single field may hold several.
func (f field) numbers(values []byte, width int) ([]byte, error) {
	fits := f.wire == protowire.BytesType && len(f.content)%width == 0
	if !fits && len(f.content) != width { // a single number has no length before it
		return nil, errMessage
	}
	return append(values, f.content...), nil
}

// appendBytes and appendInt append a field to a message.
func appendBytes(message []byte, number protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(message, number, protowire.BytesType), content)
}

func appendInt(message []byte, number protowire.Number, value int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(message, number, protowire.VarintType), uint64(value))
}
