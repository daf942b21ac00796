package nearest

import (
	"fmt"

	"descbench/descriptors"
)

// maxUint8Dim is the largest dimension for which every squared distance of
// uint8 rows fits into int32.
const maxUint8Dim = (1<<31 - 2) / (255 * 255)

// check returns the first error in the input of a search.
func check(queries, candidates *descriptors.Matrix, truth []int32) error {
	if err := checkPair(queries, candidates); err != nil {
		return err
	}
	if truth != nil && len(truth) != queries.Rows {
		return fmt.Errorf("nearest: %d truths for %d queries, want equal numbers", len(truth), queries.Rows)
	}
	for i, t := range truth {
		if t < -1 || int(t) >= candidates.Rows {
			return fmt.Errorf("nearest: truth of query %d is row %d, want -1 or a row of the %d candidates", i, t, candidates.Rows)
		}
	}
	return nil
}

// checkPair returns the first error in two matrices to be compared.
func checkPair(queries, candidates *descriptors.Matrix) error {
	if err := checkMatrix("queries", queries); err != nil {
		return err
	}
	if err := checkMatrix("candidates", candidates); err != nil {
		return err
	}
	switch q, c := queries, candidates; {
	case q.Type != c.Type:
		return fmt.Errorf("nearest: queries are %v and candidates %v, want the same type", q.Type, c.Type)
	case q.Dim != c.Dim:
		return fmt.Errorf("nearest: queries have dimension %d and candidates %d, want the same dimension", q.Dim, c.Dim)
	case q.UnitNorm != c.UnitNorm:
		return fmt.Errorf("nearest: unit norm is %t for queries and %t for candidates, want the same", q.UnitNorm, c.UnitNorm)
	}
	return nil
}

func checkMatrix(name string, m *descriptors.Matrix) error {
	if err := m.Check(); err != nil {
		return fmt.Errorf("nearest: %s: %w", name, err)
	}
	switch {
	case m.Rows > 1<<31-1:
		return fmt.Errorf("nearest: %s: %d rows, want at most 2³¹-1", name, m.Rows)
	case m.Type == descriptors.Uint8 && m.Dim > maxUint8Dim:
		return fmt.Errorf("nearest: %s: uint8 rows of dimension %d, want at most %d", name, m.Dim, maxUint8Dim)
	case m.Type == descriptors.Bits && m.Dim > 1<<31-8:
		return fmt.Errorf("nearest: %s: rows of %d bits, want fewer than 2³¹", name, m.Dim)
	}
	return nil
}
