package child

import "time"

// SetStartTime changes the least limit for a start.
func SetStartTime(d time.Duration) { startTime = d }
