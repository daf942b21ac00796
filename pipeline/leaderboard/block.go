package leaderboard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/spelling"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/store"
)

// A block holds results on sequences that can be compared: computed under the same
// protocol on the same images and homographies.
type block struct {
	cfg    *config.Config // of the first run; nil if it cannot be read
	fault  string         // why it cannot be read
	scenes []store.StoredScene
	rows   []store.ResultRow
}

// blocksOf sorts results on sequences into blocks, the largest one first.
func blocksOf(rows []store.ResultRow) []*block {
	var all []*block
	configs := make(map[string]*config.Config) // of runs, by their text
	faults := make(map[string]string)
	for _, r := range rows {
		if r.Kind != store.Sequences {
			continue
		}
		if _, known := configs[r.Config]; !known {
			cfg, err := config.Parse("the config of "+r.Experiment, []byte(r.Config))
			if err != nil {
				faults[r.Config] = strings.Join(strings.Fields(err.Error()), " ") // on one line
			}
			configs[r.Config] = cfg
		}
		b := &block{cfg: configs[r.Config], fault: faults[r.Config], scenes: r.Scenes}
		if i := slices.IndexFunc(all, b.comparable); i >= 0 {
			b = all[i]
		} else {
			all = append(all, b)
		}
		b.rows = append(b.rows, r)
	}
	slices.SortStableFunc(all, func(a, b *block) int { return cmp.Compare(len(b.rows), len(a.rows)) })
	return all
}

// comparable reports whether the results of two blocks can be compared.
func (b *block) comparable(other *block) bool {
	if !b.sameData(other) {
		return false
	}
	if b.cfg == nil || other.cfg == nil {
		return b.cfg == other.cfg && b.fault == other.fault
	}
	return len(compare.ProtocolDifferences(b.cfg, other.cfg, catalogue.MAP)) == 0
}

// sameData reports whether the results of two blocks are on the same images and
// homographies.
func (b *block) sameData(other *block) bool {
	return slices.EqualFunc(b.scenes, other.scenes, func(a, b store.StoredScene) bool { return a.Name == b.Name && a.SceneDigest == b.SceneDigest })
}

// caption says under which protocol and on which scenes the results of a block
// were computed. before are the blocks that are printed above it.
func (b *block) caption(before []*block) string {
	text := "protocol unknown (" + b.fault + ")"
	if b.cfg != nil {
		text = fold.Protocol(b.cfg)
	}
	text += "; " + b.scenesText()
	var notes []string
	for _, other := range before {
		if other.cfg == nil || b.cfg == nil || fold.Protocol(other.cfg) != fold.Protocol(b.cfg) {
			continue
		}
		if differs := compare.ProtocolDifferences(other.cfg, b.cfg, catalogue.MAP); len(differs) > 0 {
			notes = append(notes, strings.Join(differs, ", "))
		}
		if other.scenesText() == b.scenesText() && !b.sameData(other) {
			notes = append(notes, "other images or homographies than above")
		}
	}
	if len(notes) > 0 {
		text += " (" + strings.Join(slices.Compact(notes), "; ") + ")"
	}
	return text
}

// scenesText lists the scenes.
func (b *block) scenesText() string {
	var names []string
	for _, s := range b.scenes {
		names = append(names, s.Name)
	}
	text := fmt.Sprintf("%d scenes", len(names))
	switch {
	case len(names) == 1:
		text = names[0]
	case len(names) > 0:
		text += ": " + spelling.Few(names, 6)
	}
	return text
}
