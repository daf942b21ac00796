package leaderboard

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"descbench/eval/scope"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// A patchColumn is a main metric of the patch benchmark. note says what its title does not.
type patchColumn struct{ metric, title, note string }

var patchColumns = []patchColumn{
	{"patch_verification_mean_imbalanced_ap", "verification", "average precision, imbalanced variant"},
	{"patch_matching_map_mean", "matching", ""},
	{"patch_retrieval_mean_map", "retrieval", "mean over 7 pool sizes, 100 to 20000"},
	{"patch_retrieval_map_20000_mean", "retrieval 20000", ""},
	{"patch_classify_balanced_roc_auc", "classify auc", "balanced protocol, as many negatives as positives"},
	{"patch_classify_imbalanced_average_precision", "classify AP", "imbalanced protocol, all negatives"},
	{"patch_match_map_over_n", "match", "mAP over patches, by distance"},
	{"patch_retrieve_patch_map_over_cluster", "retrieve", "mAP over the cluster"},
}

// A patchRow is the result of one descriptor on patches.
type patchRow struct {
	store.ResultRow
	of patchbench.Protocol
}

// A patchBlock holds results on patches that can be compared: computed under the same
// protocol on the same patches, pairs or queries.
type patchBlock struct {
	of          patchbench.Protocol
	definitions map[string]string // digests of the patches, pairs or queries, by metric
	rows        []patchRow
}

// patchBlocks sorts results on patches into blocks, in the order of insertion. columns
// are the main metrics, and those that words name, that any of them has.
func patchBlocks(rows []store.ResultRow, words []string) (blocks []*patchBlock, columns []patchColumn, err error) {
	known := slices.Clone(patchColumns)
	for _, metric := range further(rows, store.Patches, words) {
		known = append(known, patchColumn{metric, report.PatchTitle(metric), ""})
	}
	found := make(map[string]bool)
	for _, r := range rows {
		if r.Kind != store.Patches {
			continue
		}
		p, err := patchbench.ReadProtocol(r.Config)
		if err != nil {
			return nil, nil, fmt.Errorf("experiment %s: %w", r.Experiment, err)
		}
		b := &patchBlock{of: p, definitions: make(map[string]string)}
		for _, c := range known {
			if _, ok := r.Get(scope.All, c.metric); ok {
				b.definitions[c.metric], found[c.metric] = p.Definition(c.metric), true
			}
		}
		if i := slices.IndexFunc(blocks, b.comparable); i >= 0 {
			maps.Copy(blocks[i].definitions, b.definitions)
			blocks[i].of.Strips = cmp.Or(blocks[i].of.Strips, p.Strips)
			b = blocks[i]
		} else {
			blocks = append(blocks, b)
		}
		b.rows = append(b.rows, patchRow{r, p})
	}
	columns = slices.DeleteFunc(known, func(c patchColumn) bool { return !found[c.metric] })
	return blocks, columns, nil
}

// tellApart appends the distance to the names of descriptors if there are several, and
// the run to those that are still equal. It returns the distance that all have, or "".
func (b *patchBlock) tellApart() (distance string) {
	rows := slices.Clone(b.rows)
	distance = rows[0].of.DistanceText()
	if slices.ContainsFunc(rows, func(r patchRow) bool { return r.of.DistanceText() != distance }) {
		distance = ""
	}
	for i, r := range rows {
		if distance == "" {
			b.rows[i].Descriptor = r.of.WithDistance(r.Descriptor)
		}
		if slices.ContainsFunc(rows, func(o patchRow) bool {
			return o.Descriptor == r.Descriptor && o.of.DistanceText() == r.of.DistanceText() && o.Identity != r.Identity
		}) {
			b.rows[i].Descriptor += " (run " + RunID(r.ResultRow) + ")"
		}
	}
	return distance
}

// Names returns the names of a result's descriptor, also among results by several distances.
func Names(r store.ResultRow) []string {
	p, err := patchbench.ReadProtocol(r.Config)
	if err != nil { // it is on sequences
		return []string{r.Descriptor}
	}
	return []string{r.Descriptor, p.WithDistance(r.Descriptor)}
}

// comparable reports whether the results of two blocks can be compared.
func (b *patchBlock) comparable(other *patchBlock) bool {
	for metric, definition := range b.definitions {
		if there, ok := other.definitions[metric]; ok && there != definition {
			return false
		}
	}
	return b.of.String() == other.of.String() && b.of.MayShareStrips(other.of)
}

// caption says under which protocol the results were computed. before are the blocks
// that are printed above it.
func (b *patchBlock) caption(before []*patchBlock) string {
	if slices.ContainsFunc(before, func(other *patchBlock) bool { return other.of.String() == b.of.String() }) {
		return b.of.String() + ", other patches, pairs or queries under the same name"
	}
	return b.of.String()
}
