package fold

import (
	"fmt"
	"strings"

	"descbench/eval/scope"
)

// scenesByK returns a warning that says how many scenes each k covers, if scenes differ
// in their number of images, which is given by scene.
func scenesByK(images map[string]int) scope.Warnings {
	most, pairs := 0, 0
	for _, n := range images {
		most, pairs = max(most, n), pairs+n-1
	}
	if pairs == len(images)*(most-1) {
		return nil
	}
	var covered []string
	for k := 2; k <= most; k++ {
		scenes := 0
		for _, n := range images {
			if n >= k {
				scenes++
			}
		}
		covered = append(covered, fmt.Sprintf("k = %d: %d", k, scenes))
	}
	var w scope.Warnings
	w.Add("scene-images", "scenes differ in their number of images: %d pairs in %d scenes; scenes behind each k: %s", pairs, len(images), strings.Join(covered, ", "))
	return w
}
