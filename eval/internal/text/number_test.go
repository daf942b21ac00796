package text

import (
	"math"
	"testing"
)

func TestIndexesAreDigitsAlone(t *testing.T) {
	if n, ok := Index([]byte("0012")); !ok || n != 12 {
		t.Errorf("0012: got %d, %t", n, ok)
	}
	if n, ok := Index([]byte("2147483647")); !ok || n != math.MaxInt32 {
		t.Errorf("2147483647: got %d, %t", n, ok)
	}
	for _, s := range []string{"", "-1", "+1", "1.0", " 1", "2147483648", "99999999999", "x"} {
		if n, ok := Index([]byte(s)); ok {
			t.Errorf("%q was read as %d", s, n)
		}
	}
}
