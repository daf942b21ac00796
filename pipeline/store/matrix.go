package store

import (
	"encoding/binary"
	"fmt"

	"descbench/descriptors"
)

// matrixMembers returns the arrays of a descriptor matrix:
//
//	descriptors   Rows×Dim uint8 or float32; bits: Rows×⌈Dim/8⌉ uint8
//	valid         Rows bool: the row describes something
//	element_type  text, "uint8", "float32" or "bits"
//	dim           int64, elements per row: numbers, or bits
//	unit_norm     bool: the uint8 rows stand for their L2-normalised selves
func matrixMembers(m *descriptors.Matrix) ([]member, error) {
	if err := checkMatrix(m); err != nil {
		return nil, err
	}
	dtype, payload := npyUint8, m.Uint8
	if m.Type == descriptors.Float32 {
		dtype, payload = npyFloat32, encodeFloat32(m.Float32)
	}
	valid := make([]bool, m.Rows)
	for i := range valid {
		valid[i] = !m.IsInvalid(i)
	}
	return []member{
		{"descriptors.npy", npyArray(dtype, payload, m.Rows, m.Stride())},
		{"valid.npy", npyArray(npyBool, encodeBool(valid), m.Rows)},
		{"element_type.npy", npyArray(npyText, encodeText(m.Type.String()))},
		{"dim.npy", npyArray(npyInt64, binary.LittleEndian.AppendUint64(nil, uint64(m.Dim)))},
		{"unit_norm.npy", npyArray(npyBool, encodeBool([]bool{m.UnitNorm}))},
	}, nil
}

// checkMatrix checks what matrixMembers relies on and readMatrix promises.
func checkMatrix(m *descriptors.Matrix) error {
	if m.Rows < 0 || m.Dim <= 0 {
		return fmt.Errorf("want a shape of at least 0×1, found %d×%d", m.Rows, m.Dim)
	}
	stored, other := len(m.Uint8), len(m.Float32)
	switch m.Type {
	case descriptors.Uint8, descriptors.Bits:
	case descriptors.Float32:
		stored, other = other, stored
	default:
		return fmt.Errorf("unknown %v", m.Type)
	}
	if stored != m.Rows*m.Stride() || other != 0 {
		return fmt.Errorf("want %d×%d elements of type %v, found %d, and %d of another", m.Rows, m.Stride(), m.Type, stored, other)
	}
	if m.Invalid != nil && len(m.Invalid) != m.Rows {
		return fmt.Errorf("want a mark for each of %d rows, found %d", m.Rows, len(m.Invalid))
	}
	if m.UnitNorm && m.Type != descriptors.Uint8 {
		return fmt.Errorf("unit norm is for uint8 rows, found %v", m.Type)
	}
	return nil
}

// readMatrix reads what matrixMembers returned. Invalid is nil if every row is
// valid.
func readMatrix(c *container) (*descriptors.Matrix, error) {
	array := func(name, dtype string, dimensions int) ([]byte, []int, error) {
		b, err := c.read(name + ".npy")
		if err != nil {
			return nil, nil, err
		}
		payload, shape, err := npyPayload(b, dtype, dimensions)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		return payload, shape, nil
	}

	text, _, err := array("element_type", npyText, 0)
	if err != nil {
		return nil, err
	}
	m := &descriptors.Matrix{}
	dtype := npyUint8
	switch s := decodeText(text); s {
	case descriptors.Uint8.String():
		m.Type = descriptors.Uint8
	case descriptors.Bits.String():
		m.Type = descriptors.Bits
	case descriptors.Float32.String():
		m.Type = descriptors.Float32
		dtype = npyFloat32
	default:
		return nil, fmt.Errorf("element_type: want uint8, float32 or bits, found %q", s)
	}

	elements, shape, err := array("descriptors", dtype, 2)
	if err != nil {
		return nil, err
	}
	m.Rows = shape[0]
	if m.Type == descriptors.Float32 {
		m.Float32 = decodeFloat32(elements)
	} else {
		m.Uint8 = elements
	}
	dim, _, err := array("dim", npyInt64, 0)
	if err != nil {
		return nil, err
	}
	m.Dim = int(binary.LittleEndian.Uint64(dim))
	if m.Stride() != shape[1] {
		return nil, fmt.Errorf("dim: %d elements of type %v do not fit rows of %d", m.Dim, m.Type, shape[1])
	}
	unit, _, err := array("unit_norm", npyBool, 0)
	if err != nil {
		return nil, err
	}
	m.UnitNorm = unit[0] == 1

	marks, _, err := array("valid", npyBool, 1)
	if err != nil {
		return nil, err
	}
	valid, err := decodeBool(marks)
	if err != nil {
		return nil, fmt.Errorf("valid: %w", err)
	}
	for i, v := range valid {
		if !v {
			if m.Invalid == nil {
				m.Invalid = make([]bool, len(valid))
			}
			m.Invalid[i] = true
		}
	}
	if len(valid) != m.Rows {
		return nil, fmt.Errorf("valid: want %d elements, found %d", m.Rows, len(valid))
	}
	return m, checkMatrix(m)
}
