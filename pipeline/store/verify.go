package store

// VerifyEval checks the length and the checksums of what WriteEval wrote,
// without decoding it. Errors about the content wrap ErrDamaged.
func VerifyEval(path string) error {
	return readContainer(path, "eval", func(c *container) error {
		for _, name := range []string{queriesMember, pairsMember} {
			if _, err := c.read(name); err != nil {
				return err
			}
		}
		return nil
	})
}
