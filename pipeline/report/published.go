package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Headline holds the three mAP values that published tables report, as
// fractions. Missing values are NaN.
type Headline struct{ Micro, Viewpoint, Illumination float64 }

// A Published pairs a descriptor's results with the published ones.
type Published struct {
	Descriptor string
	Name       string // under which it was published
	Published  Headline
	Measured   Headline // over the HPatches scenes of the run only
	Scenes     int      // their number
	// PublishedScenes is the number of scenes behind the published results.
	PublishedScenes int
	Deviations      []string // deviations of the run's protocol from the published one
}

// WritePublished prints the results of descriptors next to the published ones.
// source says where those are from and on what they were measured. of is the
// number of scenes of HPatches.
func WritePublished(out io.Writer, list []Published, source string, of int) error {
	if len(list) == 0 {
		return nil
	}
	rows := [][]string{{"descriptor", "mAP micro", "viewpoint", "illumin.", "scenes"}}
	line := func(name string, h Headline, scenes int) {
		row := []string{name, percentOf(h.Micro), percentOf(h.Viewpoint), percentOf(h.Illumination), fmt.Sprintf("%d of %d scenes", scenes, of)}
		rows = append(rows, row)
	}
	for _, p := range list {
		line(p.Descriptor+", measured", p.Measured, p.Scenes)
		line(p.Name+", published", p.Published, p.PublishedScenes)
	}
	if _, err := fmt.Fprintf(out, "\nCompared with published results (%s):\n", source); err != nil {
		return err
	}
	if err := writeAligned(out, rows); err != nil {
		return err
	}
	return writeDeviations(out, list)
}

// writeDeviations prints the deviations of each descriptor, and groups
// descriptors with equal lists.
func writeDeviations(out io.Writer, list []Published) error {
	var order []string
	names := make(map[string][]string)
	for _, p := range list {
		text := strings.Join(p.Deviations, "\n  - ")
		if names[text] == nil {
			order = append(order, text)
		}
		names[text] = append(names[text], p.Descriptor)
	}
	for _, key := range order {
		text := key
		if text == "" {
			text = "none"
		}
		if _, err := fmt.Fprintf(out, "deviations from the published protocol (%s):\n  - %s\n", strings.Join(names[key], ", "), text); err != nil {
			return err
		}
	}
	return nil
}

func percentOf(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return strconv.FormatFloat(100*v, 'f', 2, 64)
}
