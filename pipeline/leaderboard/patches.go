package leaderboard

import (
	"fmt"
	"slices"
	"strings"

	"descbench/eval/scope"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/store"
)

// patchTitles are the main metrics of the patch benchmark, with their titles.
var patchTitles = []struct{ metric, title string }{
	{"patch_verification_mean_imbalanced_ap", "verification"},
	{"patch_matching_map_mean", "matching"},
	{"patch_retrieval_map_20000_mean", "retrieval 20000"},
	{"patch_classify_balanced_roc_auc", "classify auc"},
	{"patch_classify_imbalanced_average_precision", "classify AP"},
	{"patch_match_map_over_n", "match"},
	{"patch_retrieve_patch_map_over_cluster", "retrieve"},
}

// A patchColumn is a metric of the patch benchmark under one protocol on the same
// patches, pairs or queries.
type patchColumn struct {
	metric, title string
	protocol      string // in one line
	definition    string // digest of the patches, pairs or queries
}

// A patchRow is one descriptor on patches, compared by one distance.
type patchRow struct {
	descriptor, distance string
	result               store.ResultRow // of several protocols: without experiment
	values               map[patchColumn]scope.Metric
}

// patchResults returns the results on patches by descriptor and distance, or each
// for itself if apart is set, and their columns. Of several results of a
// descriptor in a column, the last one counts.
func patchResults(rows []store.ResultRow, apart bool) ([]*patchRow, []patchColumn, error) {
	var all []*patchRow
	found := make(map[patchColumn]bool)
	for _, r := range rows {
		if r.Kind != store.Patches {
			continue
		}
		p, err := patchbench.ReadProtocol(r.Config)
		if err != nil {
			return nil, nil, fmt.Errorf("experiment %s: %w", r.Experiment, err)
		}
		distance := p.DistanceText()
		i := slices.IndexFunc(all, func(o *patchRow) bool { return o.descriptor == r.Descriptor && o.distance == distance })
		if !apart {
			r.Experiment = "" // there may be one for each protocol
		}
		if i < 0 || apart {
			i = len(all)
			all = append(all, &patchRow{r.Descriptor, distance, r, make(map[patchColumn]scope.Metric)})
		}
		for _, t := range patchTitles {
			if m, ok := r.Get(scope.All, t.metric); ok {
				c := patchColumn{t.metric, t.title, p.String(), p.Definition(t.metric)}
				all[i].values[c] = m
				found[c] = true
			}
		}
	}
	return all, columnsOf(found), nil
}

// columnsOf returns the columns in the order of patchTitles. If a metric has
// several, their titles are numbered.
func columnsOf(found map[patchColumn]bool) []patchColumn {
	var columns []patchColumn
	for _, t := range patchTitles {
		var same []patchColumn
		for c := range found {
			if c.metric == t.metric {
				same = append(same, c)
			}
		}
		slices.SortFunc(same, func(a, b patchColumn) int {
			return strings.Compare(a.protocol+"\n"+a.definition, b.protocol+"\n"+b.definition)
		})
		columns = append(columns, same...)
	}
	return columns
}

// shownTitle returns the title of a column among others: numbered if another one
// has the same metric.
func (c patchColumn) shownTitle(columns []patchColumn) string {
	n, place := 0, 0
	for _, other := range columns {
		if other.metric == c.metric {
			n++
			if other == c {
				place = n
			}
		}
	}
	if n == 1 {
		return c.title
	}
	return fmt.Sprintf("%s %d", c.title, place)
}

// patchNotes say which protocols the columns with results have.
func patchNotes(results []*patchRow, columns []patchColumn) []string {
	var notes []string
	titles := make(map[string][]string)
	seen := make(map[string]string) // a definition by protocol and metric
	for _, c := range columns {
		if !slices.ContainsFunc(results, func(p *patchRow) bool { _, there := p.values[c]; return there }) {
			continue
		}
		text := c.protocol
		if other, ok := seen[c.protocol+c.metric]; ok && other != c.definition {
			text += ", other patches, pairs or queries under the same name"
		}
		seen[c.protocol+c.metric] = c.definition
		if titles[text] == nil {
			notes = append(notes, text)
		}
		titles[text] = append(titles[text], c.shownTitle(columns))
	}
	for i, text := range notes {
		notes[i] = strings.Join(titles[text], ", ") + ": " + text
	}
	return notes
}
