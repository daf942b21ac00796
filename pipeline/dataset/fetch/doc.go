// Package fetch downloads the releases of HPatches and unpacks them. It is pure Go.
//
// An archive is downloaded to a hidden folder next to its final place, in as many
// pieces as the network demands, and unpacked there. Everything in it is checked:
// names, kinds, sizes, and what the caller checks of the content. Then
// the folder is moved to its place in one step, with the checksums of its files in
// SHA256SUMS. A fetch that was killed at any moment can be repeated.
package fetch
