package onnx

// Field numbers in onnx.proto on the path to the shapes of inputs.
const (
	valueName         = 1 // ValueInfoProto.name
	valueType         = 2 // ValueInfoProto.type
	typeTensor        = 1 // TypeProto.tensor_type
	tensorTypeShape   = 2 // TypeProto.Tensor.shape
	shapeDim          = 1 // TensorShapeProto.dim
	dimValue          = 1 // TensorShapeProto.Dimension.dim_value
	maxDeclaredLength = 1 << 31
)

// Inputs returns the shapes of a model's inputs, without its weights. A
// dimension of 0 is variable.
func Inputs(model []byte) ([][]int, error) {
	graph, err := submessage(model, modelGraph)
	if err != nil {
		return nil, err
	}
	weights := map[string]bool{}
	var values [][]byte
	err = fields(graph, func(f field) error {
		switch f.number {
		case graphInitializer:
			name, err := textOf(f.content, tensorName)
			weights[name] = true
			return err
		case graphInput:
			values = append(values, f.content)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var shapes [][]int
	for _, value := range values {
		name, err := textOf(value, valueName)
		if err != nil {
			return nil, err
		}
		if weights[name] {
			continue // before format version 4 weights were inputs too
		}
		shape, err := submessage(value, valueType, typeTensor, tensorTypeShape)
		if err != nil {
			return nil, err
		}
		dims, err := dimensions(shape)
		if err != nil {
			return nil, err
		}
		shapes = append(shapes, dims)
	}
	return shapes, nil
}

// dimensions returns the dimensions of a TensorShapeProto.
func dimensions(shape []byte) (dims []int, err error) {
	err = fields(shape, func(dim field) error {
		if dim.number != shapeDim {
			return nil
		}
		size := 0
		err := fields(dim.content, func(f field) error {
			if f.number == dimValue && f.value < maxDeclaredLength {
				size = int(f.value)
			}
			return nil
		})
		dims = append(dims, size)
		return err
	})
	return dims, err
}
