package fold

import (
	"fmt"
	"strings"

	"descbench/eval/scope"
	"descbench/eval/spelling"
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
	covered := make([]int, most-1)
	for _, n := range images {
		for i := range n - 1 {
			covered[i]++
		}
	}
	var w scope.Warnings
	w.Add("scene-images", "scenes differ in their number of images: %d pairs in %d scenes; scenes behind each k: %s", pairs, len(images), ByK(covered))
	return w
}

// ByK writes a number for each k from 2 on: "k = 2 to 4: 3, k = 5: 1".
func ByK(numbers []int) string {
	var parts []string
	for i, from := 0, 0; i < len(numbers); i++ {
		if i+1 == len(numbers) || numbers[i+1] != numbers[i] {
			parts = append(parts, fmt.Sprintf("k = %s: %d", spelling.Span(from+2, i+2), numbers[i]))
			from = i + 1
		}
	}
	return strings.Join(parts, ", ")
}
