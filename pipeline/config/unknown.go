package config

import "fmt"

// CheckSet returns an error of the file, of type *Error, if the name refers to
// no keypoint set: with all that do, and the nearest of them.
func (c *Config) CheckSet(file, name string) error {
	if set, _ := c.Graph().Find(name); set != nil {
		return nil
	}
	return &Error{File: file, Key: "keypoint_sets", Msg: fmt.Sprintf("found no keypoint set %q, %s", name, oneOf(name, c.Graph().names))}
}
