//go:build !cgo || !amd64

package nearest

// nativeKernels returns nil, because C kernels exist only for amd64.
func nativeKernels() []kernel { return nil }
