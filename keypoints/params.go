package keypoints

import (
	"fmt"
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

// A Param describes one parameter: what a config file may set, and what holds
// when it does not.
type Param struct {
	Name     string // snake_case of OpenCV's own name
	Kind     ParamKind
	Default  any      // int64, float64, bool or string, as Kind says
	Min, Max float64  // inclusive bounds of Int and Float
	Odd      bool     // of Int: only odd numbers are allowed
	Choices  []string // of Choice
	Doc      string   // one line, with the unit
	// SameAs, in a descriptor's parameter, is a detector: on its keypoints the
	// value must be that of its own parameter of this name, which is the
	// default there.
	SameAs string
}

// Params holds a value for every parameter of one detector or descriptor, by
// name.
type Params map[string]any

// Defaults returns the default of every parameter in specs.
func Defaults(specs []Param) Params {
	p := make(Params, len(specs))
	for _, s := range specs {
		p[s.Name] = s.Default
	}
	return p
}

// Int returns the value of the Int parameter of that name. It panics if there
// is none: which parameters exist is fixed by the program.
func (p Params) Int(name string) int { return int(p[name].(int64)) }

// Float returns the value of the Float parameter of that name and panics if
// there is none.
func (p Params) Float(name string) float64 { return p[name].(float64) }

// Bool returns the value of the Bool parameter of that name and panics if
// there is none.
func (p Params) Bool(name string) bool { return p[name].(bool) }

// Choice returns the value of the Choice parameter of that name and panics if
// there is none.
func (p Params) Choice(name string) string { return p[name].(string) }

// String returns the parameters as "name=value name=value", sorted by name:
// the same text for the same values, so that digests may be taken of it.
func (p Params) String() string {
	names := make([]string, 0, len(p))
	for n := range p {
		names = append(names, n)
	}
	slices.Sort(names)
	var b strings.Builder
	for i, n := range names {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(n)
		b.WriteByte('=')
		switch v := p[n].(type) {
		case float64:
			b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
		default:
			fmt.Fprint(&b, v)
		}
	}
	return b.String()
}
