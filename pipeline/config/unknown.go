package config

import "fmt"

// CheckSet returns an *Error for the file if no keypoint set has the name. The
// error lists all names and suggests the nearest one.
func (c *Config) CheckSet(file, name string) error {
	if set, _ := c.Graph().Find(name); set != nil {
		return nil
	}
	return &Error{File: file, Key: "keypoint_sets", Msg: fmt.Sprintf("found no keypoint set %q, %s", name, oneOf(name, c.Graph().names))}
}
