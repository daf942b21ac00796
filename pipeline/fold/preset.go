package fold

import (
	"fmt"
	"slices"
	"strings"

	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
)

// PresetWarning is the kind of the warnings that say how a run deviates from the preset
// of a paper that it names.
const PresetWarning = "preset"

// presetWarnings returns all deviations of a run of these scenes, given by the digests of
// their files, from the preset of a paper: the keys of the config, the scenes, and what
// differs in any run.
func presetWarnings(c *config.Config, digests map[string]string) ([]scope.Warning, error) {
	p := c.Preset()
	if p == nil {
		return nil, nil
	}
	known, err := dataset.ReadDigests()
	if err != nil {
		return nil, plan.Fault(err)
	}
	wanted := dataset.SubsetOfHPatches(p.Subset())
	evaluated := 0
	var outside, other, unverified []string
	for scene, digest := range digests {
		if c.Dataset.Resize != nil {
			digest = "" // that of the resized images
		}
		origin := known.Origin(scene, digest)
		switch {
		case !slices.Contains(wanted, scene):
			outside = append(outside, scene)
			continue
		case origin == dataset.OtherFiles:
			other = append(other, scene)
		case origin == dataset.ByName:
			unverified = append(unverified, scene)
		}
		evaluated++
	}
	var out []string
	if evaluated < len(wanted) {
		out = append(out, fmt.Sprintf("dataset: %d of its %d scenes", evaluated, len(wanted)))
	}
	for _, x := range []struct {
		scenes []string
		what   string
	}{
		{outside, "that are not in the preset: "},
		{other, "whose files are not those of HPatches: "},
		{unverified, "whose files were not verified: "},
	} {
		if len(x.scenes) > 0 {
			slices.Sort(x.scenes)
			out = append(out, fmt.Sprintf("dataset: %s in the means %s%s", spelling.Count(len(x.scenes), "scene"), x.what, few(x.scenes)))
		}
	}
	out = slices.Concat(out, c.PresetDeviations(), p.Differs)
	if c.Dataset.Resize != nil {
		out = append(out, p.Resized...)
	}
	var warnings []scope.Warning
	for _, text := range out {
		warnings = append(warnings, scope.Warning{Kind: PresetWarning, Text: text})
	}
	return warnings, nil
}

// few lists the first names.
func few(names []string) string {
	const most = 5
	text := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		text += ", ..."
	}
	return text
}
