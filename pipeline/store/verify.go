package store

import "descbench/keypoints/npz"

// VerifyEval checks the length and the checksums of a file written by WriteEval,
// without decoding it. Errors about its content wrap ErrDamaged.
func VerifyEval(path string) error {
	return readContainer(path, "eval", func(a *npz.Archive) error {
		for _, name := range []string{queriesMember, pairsMember} {
			if _, err := a.Read(name); err != nil {
				return err
			}
		}
		return nil
	})
}
