package ranking

import (
	"reflect"
	"testing"

	"descbench/eval/scope"
)

// A counter that add forgets would be 0 in every scope.
func TestEveryFieldOfATallyIsAdded(t *testing.T) {
	var one, sum tally
	v := reflect.ValueOf(&one).Elem()
	for i := range v.NumField() {
		// Fields are not exported: they are set through their address.
		switch f := reflect.NewAt(v.Field(i).Type(), v.Field(i).Addr().UnsafePointer()).Interface().(type) {
		case *int:
			*f = 1
		case *float64:
			*f = 1
		case *bool:
			*f = true
		case *scope.Fraction:
			*f = scope.Fraction{Sum: 1, N: 1}
		case *[4]float64:
			f[0] = 1
		case *[len(mrrTolerancesPx)]scope.Fraction:
			f[0].N = 1
		default:
			t.Fatalf("a field of type %T, which this test does not know", f)
		}
	}
	sum.add(one)
	for i := range v.NumField() {
		if reflect.ValueOf(sum).Field(i).IsZero() {
			t.Errorf("%s is not added", v.Type().Field(i).Name)
		}
	}
}
