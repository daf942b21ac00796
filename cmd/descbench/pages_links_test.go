package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"descbench/pipeline/config"
)

// A link leads to a file of the repository and to a heading that it has, and the README
// leads to every page.
func TestLinksOfThePagesLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	reached := make(map[string]bool)
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, filepath.Join(checkout, page)), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			name, anchor, _ := strings.Cut(m[1], "#")
			target := page
			if name != "" {
				target = filepath.Join(filepath.Dir(page), name)
			}
			if _, err := os.Stat(filepath.Join(checkout, target)); err != nil {
				t.Errorf("%s: %s leads to no file", page, m[1])
			} else if anchor != "" && !anchors(t, target)[anchor] {
				t.Errorf("%s: %s leads to no heading", page, m[1])
			}
			if page == "README.md" {
				reached[target] = true
			}
		}
	}
	for _, page := range pages(t)[1:] {
		if !reached[page] {
			t.Errorf("README.md does not lead to %s", page)
		}
	}
}

// anchors returns the names that GitHub gives to the headings of a page.
func anchors(t *testing.T, page string) map[string]bool {
	t.Helper()
	names := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(read(t, filepath.Join(checkout, page)), -1) {
		name := regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		names[strings.ReplaceAll(name, " ", "-")] = true
	}
	return names
}

// Configs on the pages are valid. Those that show single sections get the others here.
func TestConfigsOfThePagesAreValid(t *testing.T) {
	sections := []struct{ key, text string }{
		{"experiment", "experiment: {name: x}\n"},
		{"dataset", "dataset: {root: x}\n"},
		{"keypoint_sets", "keypoint_sets: [{name: sift_8k, detect: {type: sift}}]\n"},
		{"descriptors", "descriptors: [{name: of-the-test, type: sift, keypoints: sift_8k}]\n"},
	}
	count := 0
	for _, page := range pages(t) {
		for _, b := range blocksOf(t, page) {
			if b.language != "yaml" {
				continue
			}
			text := b.text
			if strings.HasPrefix(text, "  - {name:") {
				text = "descriptors:\n" + text
			}
			for _, s := range sections {
				// Variants and imports name all that they need.
				if !strings.Contains("\n"+text, "\n"+s.key+":") && (s.key != "keypoint_sets" || !strings.Contains(text, "type: file")) {
					text += s.text
				}
			}
			count++
			if _, err := config.Parse(filepath.Join(t.TempDir(), "page.yaml"), []byte(text)); err != nil {
				t.Errorf("%s: %v in\n%s", page, err, text)
			}
		}
	}
	if count < 5 {
		t.Errorf("found %d configs, want at least 5", count)
	}
}
