package eval

import "strings"

// The categories of scenes.
const (
	Viewpoint    = "viewpoint"
	Illumination = "illumination"
	Other        = "other"
)

// Category returns the category of a scene, by the first letters of its name
// as HPatches gives them: v_ is viewpoint, i_ is illumination.
func Category(scene string) string {
	switch {
	case strings.HasPrefix(scene, "v_"):
		return Viewpoint
	case strings.HasPrefix(scene, "i_"):
		return Illumination
	}
	return Other
}
