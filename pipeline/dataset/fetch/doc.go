// Package fetch downloads the releases of HPatches and unpacks them. It is pure Go.
//
// An archive is downloaded to a hidden folder next to its final place, in as many
// pieces as the network demands, and unpacked there. Everything in it is checked:
// names, kinds, sizes, and what the caller checks of the content. Then
// the folder is moved to its place in one step, with the checksums of its files in
// SHA256SUMS. A fetch that was killed at any moment can be repeated.
package fetch

import "fmt"

// An Error reports that a release cannot be fetched because of the network, the
// server, the archive or the folder.
type Error struct {
	Where string // an address, an archive, a file in it, or a folder
	Err   error
}

func (e *Error) Error() string { return e.Where + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func errorf(where, format string, args ...any) *Error {
	return &Error{where, fmt.Errorf(format, args...)}
}
