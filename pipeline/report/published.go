package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/matching"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/report/table"
)

// A Published pairs a descriptor's results with the published ones.
type Published struct {
	Descriptor      string
	Shown           string             // what tables show of it
	Name            string             // of the published method
	Published       map[string]float64 // mAP by metric, as fractions: over queries, and means over scenes
	Measured        map[string]float64 // the same over the HPatches scenes of the run only
	Scenes          int                // their number
	PublishedScenes int                // behind the published results
	Deviations      []string           // of the run from the published set-up; never empty unless nothing differs
	// Another lists the deviations that make another method of the run's descriptor.
	// Then its values do not stand beside the published ones.
	Another []string
}

// Comparable returns the results that stand beside published ones.
func Comparable(list []Published) []Published {
	return slices.DeleteFunc(slices.Clone(list), func(p Published) bool { return p.Another != nil })
}

// Unpublished returns a line for each descriptor without published results whose kind
// has some.
func Unpublished(list []Published) []string {
	var lines []string
	for _, p := range list {
		if p.Another != nil {
			lines = append(lines, fmt.Sprintf("no published result matches %s; the nearest, %s, differs: %s", p.Shown, p.Name, strings.Join(p.Another, "; ")))
		}
	}
	return lines
}

// PublishedTable returns the results of descriptors next to the published ones,
// each value beside the one that is computed in the same way. source says where
// those are from. The notes list the deviations.
func PublishedTable(list []Published, source string) *table.Table {
	t := table.New(
		table.Column{Name: descriptorColumn, Title: descriptorColumn, Unit: table.Words},
		table.Column{Name: "published_as", Title: "published as", Unit: table.Words, Priority: 3},
	)
	rows := make([][]table.Cell, len(list))
	for i, p := range list {
		rows[i] = []table.Cell{table.Text(p.Shown), table.Text(p.Name)}
	}
	for _, v := range []struct {
		name, title string
		priority    int
	}{{catalogue.MicroMAP, "map", 0}, {catalogue.MAP, "map_macro", 0}, {"viewpoint_map", "viewpoint_map", 1}, {"illumination_map", "illumination_map", 2}} {
		both := func(p Published) bool {
			_, measured := p.Measured[v.name]
			_, published := p.Published[v.name]
			return measured && published
		}
		if !slices.ContainsFunc(list, both) {
			continue
		}
		t.Columns = append(t.Columns,
			table.Column{Name: v.name, Title: v.title, Full: catalogue.Of(v.name).Paper, Unit: table.Share, Priority: v.priority},
			table.Column{Name: "published_" + v.name, Title: "published", Unit: table.Share, Priority: v.priority},
		)
		for i, p := range list {
			measured, published := table.Cell{}, table.Cell{}
			if both(p) {
				measured, published = table.Number(p.Measured[v.name]), table.Number(p.Published[v.name])
			}
			rows[i] = append(rows[i], measured, published)
		}
	}
	for _, cells := range rows {
		t.Add(cells...)
	}
	t.Title = fmt.Sprintf("mAP measured on %s HPatches scenes, and published by %s", scenesOf(list), source)
	for _, line := range deviationLines(list) {
		t.Note("%s", line)
	}
	return t
}

// scenesOf says how many of the scenes behind the published results are measured.
func scenesOf(list []Published) string {
	var parts []string
	for _, p := range list {
		if part := fmt.Sprintf("%d of %d", p.Scenes, p.PublishedScenes); !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " or ")
}

// deviationLines returns one line for the descriptors that have the same deviations.
func deviationLines(list []Published) (lines []string) {
	var of spelling.Groups // descriptors by their deviations
	for _, p := range list {
		if text := cmp.Or(strings.Join(p.Deviations, "; "), "none"); !slices.Contains(of.Of[text], p.Shown) {
			of.Add(text, p.Shown)
		}
	}
	for _, text := range of.Texts {
		lines = append(lines, fmt.Sprintf("deviations of %s from the published set-up: %s", descriptorNames(of.Of[text], len(list)), text))
	}
	return lines
}

// descriptorNames lists the first few of the names of descriptors: "sift, surf and 2 more".
// total is the number of all descriptors; a line about all of them says so.
func descriptorNames(names []string, total int) string {
	if n := len(names); n == total && n > 1 {
		return "all descriptors"
	}
	return spelling.Few(names, fewNames)
}

// A PublishedRow holds published values of one method under a preset.
type PublishedRow struct {
	Method    string
	Estimator string             // that descbench does not have, such as PoseLib; "" otherwise
	Metrics   map[string]float64 // by name; those of Estimator are those by any: ESTIMATOR_pose_auc@5
	Source    Source
}

// A Source says where published values were read, and what was different.
type Source struct{ Where, Note string }

// String returns both.
func (s Source) String() string {
	return strings.Join(slices.DeleteFunc([]string{s.Where, s.Note}, func(text string) bool { return text == "" }), "; ")
}

// WithPublished returns lines of runs, then lines of the published rows that have any of the
// given columns, and the columns, after which come those of values by other estimators.
// Letters after values name the sources: a method has one line, unless two sources have the
// same column, or two other estimators have values. With ownSource, each source has lines of
// its own, which have it in a last column.
func WithPublished(lines []Line, columns []Selected, rows []PublishedRow, ownSource bool) (all []Line, shown []Selected, sources []Source) {
	rows = atOwnEstimators(columns, rows)
	columns = withOtherEstimators(columns, rows)
	for _, l := range lines {
		l.letters = make(map[string]string)
		all = append(all, l)
	}
	for _, r := range rows {
		line := Line{Name: r.Method, Group: r.Method + "\x00" + r.Estimator + "\x00" + r.Source.String(), Source: r.Source.String(), estimator: r.Estimator, Metrics: make(map[string]scope.Metric), letters: make(map[string]string)}
		at := slices.Index(append(sources, r.Source), r.Source)
		for _, c := range columns {
			if v, has := r.Metrics[c.Name]; has {
				line.Metrics[c.Name] = scope.Metric{Name: c.Name, Value: v, Low: math.NaN(), High: math.NaN()}
				if line.letters[c.Name] = ""; !ownSource {
					line.letters[c.Name] = letter(at)
				}
			}
		}
		if len(line.Metrics) == 0 {
			continue
		}
		if at == len(sources) {
			sources = append(sources, r.Source)
		}
		joins := func(of Line) bool {
			both := maps.Clone(of.Metrics)
			maps.Copy(both, line.Metrics)
			return of.Name == line.Name && len(both) == len(of.Metrics)+len(line.Metrics) && (of.estimator == "" || line.estimator == "")
		}
		if i := slices.IndexFunc(all[len(lines):], joins); i >= 0 && !ownSource {
			same := &all[len(lines)+i]
			maps.Copy(same.Metrics, line.Metrics)
			maps.Copy(same.letters, line.letters)
			same.estimator = cmp.Or(same.estimator, line.estimator)
			continue
		}
		all = append(all, line)
	}
	if ownSource {
		return all, append(columns, column(SourceColumn, 0, false)), nil
	}
	return all, columns, sources
}

// atOwnEstimators returns rows whose values by another estimator, such as PoseLib, are those of the columns by an own
// estimator of this name.
func atOwnEstimators(columns []Selected, rows []PublishedRow) (out []PublishedRow) {
	for _, r := range rows {
		own := PublishedRow{Method: r.Method, Source: r.Source, Metrics: make(map[string]float64)}
		for _, c := range columns {
			e, _ := matching.ParseEstimator(c.Estimator)
			v, has := r.Metrics[catalogue.Of(c.Also).Name]
			if has && e.Own != "" && strings.EqualFold(e.Own, r.Estimator) {
				own.Metrics[c.Name] = v
			}
		}
		if len(own.Metrics) > 0 {
			r = own
		}
		out = append(out, r)
	}
	return out
}

// withOtherEstimators returns columns and, if rows have values of their metrics by other
// estimators, the name of these and their values.
func withOtherEstimators(columns []Selected, rows []PublishedRow) []Selected {
	columns = slices.Clone(columns)
	var others []Selected
	for _, c := range columns {
		other := column(c.Also, 0, false)
		has := func(r PublishedRow) bool { _, there := r.Metrics[other.Name]; return there && r.Estimator != "" }
		if slices.ContainsFunc(rows, has) && !slices.Contains(others, other) {
			others = append(others, other)
		}
	}
	if others == nil {
		return columns
	}
	return slices.Concat(columns, []Selected{column(estimatorColumn, 0, false)}, others)
}
