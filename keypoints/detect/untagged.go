//go:build !gocv_specific_modules

package detect

import _ "embed"

// Without build tags, gocv does not compile with OpenCV 4.6. This file ends such a build at once:
// there is no file of this name.
//
//go:embed `the build needs tags, set them with eval "$(make -s env)", see CONTRIBUTING.md`
var untagged string
