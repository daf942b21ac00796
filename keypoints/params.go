package keypoints

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A ParamKind is the type of a detector's or descriptor's parameter.
type ParamKind uint8

// The kinds of parameter, with the Go type of their values.
const (
	Int    ParamKind = iota // int64
	Float                   // float64
	Bool                    // bool
	Choice                  // string, one of Param.Choices
)

// A Param describes one parameter: the values that a config file may set, and
// the default.
type Param struct {
	Name     string // snake_case of OpenCV's own name
	Kind     ParamKind
	Default  any      // int64, float64, bool or string, depending on Kind
	Min, Max float64  // inclusive bounds of Int and Float
	Odd      bool     // Int only: the value must be odd
	Choices  []string // Choice only: the allowed values
	Doc      string   // one line, with the unit
	// SameAs, in a descriptor's parameter, names a detector. On that detector's
	// keypoints the value must equal the detector's parameter of the same name,
	// which is also the default there.
	SameAs string
}

// Params maps parameter names to values, one for every parameter of a detector
// or descriptor.
type Params map[string]any

// Defaults returns the default values of all parameters in specs.
func Defaults(specs []Param) Params {
	p := make(Params, len(specs))
	for _, s := range specs {
		p[s.Name] = s.Default
	}
	return p
}

// Int returns the value of an Int parameter. It panics if the parameter does
// not exist, because the program fixes the set of parameters.
func (p Params) Int(name string) int { return int(p[name].(int64)) }

// Float returns the value of a Float parameter and panics if it does not exist.
func (p Params) Float(name string) float64 { return p[name].(float64) }

// Bool returns the value of a Bool parameter and panics if it does not exist.
func (p Params) Bool(name string) bool { return p[name].(bool) }

// Choice returns the value of a Choice parameter and panics if it does not
// exist.
func (p Params) Choice(name string) string { return p[name].(string) }

// String returns the parameters as "name=value name=value", sorted by name.
// Equal values give equal text, so it can be used in digests.
func (p Params) String() string {
	var words []string
	for _, n := range slices.Sorted(maps.Keys(p)) {
		value := fmt.Sprint(p[n])
		if v, ok := p[n].(float64); ok {
			value = strconv.FormatFloat(v, 'g', -1, 64)
		}
		words = append(words, n+"="+value)
	}
	return strings.Join(words, " ")
}
