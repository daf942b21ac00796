package plan

import (
	"fmt"
	"slices"
	"testing"
)

func TestShardsDealEverySceneToExactlyOne(t *testing.T) {
	p := &Plan{}
	for i := range 20 {
		p.Scenes = append(p.Scenes, fmt.Sprintf("v_%03d", i))
	}
	for count := 1; count <= 25; count++ {
		var all []string
		least, most := len(p.Scenes), 0
		for index := 1; index <= count; index++ {
			share := p.Share(Shard{Index: index, Count: count})
			all = append(all, share...)
			least, most = min(least, len(share)), max(most, len(share))
		}
		slices.Sort(all)
		if !slices.Equal(all, p.Scenes) || most-least > 1 {
			t.Errorf("%d shards have %d to %d scenes: %v", count, least, most, all)
		}
	}
}
