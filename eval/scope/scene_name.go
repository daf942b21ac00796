package scope

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxSceneName is the maximum length of a scene's name in bytes. A file name has
// at most 255 bytes, and a run appends extensions and marks to the name.
const MaxSceneName = 200

// CheckSceneName returns an error unless a scene may have this name. Names become
// file names, table cells, and keys of key=value;... lists, and are printed on
// terminals. Letters of every alphabet, spaces and other printable characters are
// allowed.
func CheckSceneName(name string) error {
	const reserved = `/\;=`
	switch {
	case name == "":
		return fmt.Errorf("scene name is empty")
	case !utf8.ValidString(name):
		return fmt.Errorf("scene name %+q is not valid UTF-8", name)
	case len(name) > MaxSceneName:
		return fmt.Errorf("scene name %.40q… is %d bytes long, want at most %d", name, len(name), MaxSceneName)
	case name[0] == '.':
		return fmt.Errorf("scene name %q begins with a dot", name)
	}
	for _, r := range name {
		if !unicode.IsPrint(r) || strings.ContainsRune(reserved, r) {
			return fmt.Errorf(`scene name %q contains %q, want printable characters other than / \ ; =`, name, r)
		}
	}
	return nil
}
