//go:build !cgo || !amd64

package nearest

// nativeKernels returns none: C kernels exist for amd64 only.
func nativeKernels() []kernel { return nil }
