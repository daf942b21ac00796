//go:build !cgo || !amd64

package stats

// nativeSums returns nil, because C functions exist only for amd64.
func nativeSums() sumsFunc { return nil }
