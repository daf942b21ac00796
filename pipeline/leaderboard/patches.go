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

// A patchRow is the result of one descriptor on patches under one protocol.
type patchRow struct {
	store.ResultRow
	distance string // between descriptors
	values   map[patchColumn]scope.Metric
}

// patchResults returns the results on patches and their columns.
func patchResults(rows []store.ResultRow) ([]*patchRow, []patchColumn, error) {
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
		row := &patchRow{r, p.DistanceText(), make(map[patchColumn]scope.Metric)}
		for _, t := range patchTitles {
			if m, ok := r.Get(scope.All, t.metric); ok {
				c := patchColumn{t.metric, t.title, p.String(), p.Definition(t.metric)}
				row.values[c], found[c] = m, true
			}
		}
		all = append(all, row)
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

// patchNotes say which protocols the columns have.
func patchNotes(columns []patchColumn) []string {
	var notes []string
	titles := make(map[string][]string)
	seen := make(map[string]string) // a definition by protocol and metric
	for _, c := range columns {
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
