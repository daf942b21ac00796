package leaderboard

import (
	"cmp"
	"slices"
	"strings"

	"descbench/eval/spelling"
	"descbench/pipeline/store"
)

// A block holds results on sequences that can be compared: computed under the same
// protocol on the same images and homographies.
type block struct {
	protocol string // without the preset, which sets other keys only
	rows     []store.ResultRow
}

// blocksOf sorts results on sequences into blocks, those of most scenes first: trials stand below full runs.
func blocksOf(rows []store.ResultRow) []*block {
	var all []*block
	for _, r := range rows {
		if r.Kind != store.Sequences {
			continue
		}
		protocol, _, _ := strings.Cut(r.Protocol, "; preset ")
		i := slices.IndexFunc(all, func(b *block) bool {
			return b.protocol == protocol && slices.EqualFunc(b.rows[0].Scenes, r.Scenes, func(a, b store.StoredScene) bool { return a.Name == b.Name && a.SceneDigest == b.SceneDigest })
		})
		if i < 0 {
			i, all = len(all), append(all, &block{protocol: protocol})
		}
		all[i].rows = append(all[i].rows, r)
	}
	slices.SortStableFunc(all, func(a, b *block) int {
		return cmp.Or(len(b.rows[0].Scenes)-len(a.rows[0].Scenes), len(b.rows)-len(a.rows))
	})
	return all
}

// caption says under which protocol and on which scenes the results of a block
// were computed. before are the blocks that are printed above it.
func (b *block) caption(before []*block) string {
	text := b.protocol + "; " + b.scenesText()
	if slices.ContainsFunc(before, func(other *block) bool { return other.protocol == b.protocol && other.scenesText() == b.scenesText() }) {
		text += " (other images or homographies than above)"
	}
	return text
}

// scenesText lists the scenes.
func (b *block) scenesText() string {
	var names []string
	for _, s := range b.rows[0].Scenes {
		names = append(names, s.Name)
	}
	text := spelling.Count(len(names), "scene")
	if len(names) > 0 {
		text += ": " + spelling.Few(names, 6)
	}
	return text
}
