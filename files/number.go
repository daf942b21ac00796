package files

import (
	"errors"
	"strconv"
	"strings"
)

// Number parses a decimal number, nan or inf, rounded to 32 or 64 bits. Numbers that are
// too large become infinite. Go's other notations, 1_000 and 0x1p-2, are no numbers in
// files of other programs.
func Number(field string, bits int) (v float64, ok bool) {
	if strings.ContainsAny(field, "_xX") {
		return 0, false
	}
	v, err := strconv.ParseFloat(field, bits)
	return v, err == nil || errors.Is(err, strconv.ErrRange)
}
