//go:build !unix

package paired

import "time"

var start = time.Now()

// CPU returns the time since the process started.
func CPU() time.Duration { return time.Since(start) }
