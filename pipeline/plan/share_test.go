package plan

import (
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"descbench/eval/must"
)

// planOfSizes returns a plan of scenes whose images are squares with the given
// sides in px, and the cost of each.
func planOfSizes(t *testing.T, sides []int) (p *Plan, costs map[string]float64) {
	t.Helper()
	root := t.TempDir()
	costs = make(map[string]float64)
	var scenes []string
	for i, side := range sides {
		scene := fmt.Sprintf("v_%03d", i)
		scenes = append(scenes, scene)
		costs[scene] = 6 * float64(side*side+imageCost)
		must.Do(t, os.Mkdir(filepath.Join(root, scene), 0o777))
		for k := 1; k <= 6; k++ {
			f := must.Get(os.Create(filepath.Join(root, scene, fmt.Sprintf("%d.png", k))))(t)
			if err := png.Encode(f, image.NewGray(image.Rect(0, 0, side, side))); err != nil && side > 0 {
				f.Close()
				t.Fatal(err)
			}
			f.Close()
		}
	}
	p = planOf(t, t.TempDir(), "mean", scenes...)
	p.Config.Dataset.Root = root
	return p, costs
}

func TestShardsDealEverySceneToExactlyOne(t *testing.T) {
	for count := 1; count <= 25; count++ {
		p, _ := planOfSizes(t, make([]int, 20)) // unreadable images
		owners := make(map[string]int)
		for index := 1; index <= count; index++ {
			for _, scene := range p.Share(Shard{Index: index, Count: count}) {
				owners[scene]++
			}
		}
		for _, scene := range p.Scenes {
			if owners[scene] != 1 {
				t.Errorf("scene %s of %d shards has %d owners, want 1", scene, count, owners[scene])
			}
		}
	}
}

// Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17
// (1969): dealing the largest first exceeds the best possible by at most 4/3 − 1/(3n).
func TestShardsCostAboutTheSame(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for _, count := range []int{2, 3, 8} {
		sides := make([]int, 30)
		for i := range sides {
			sides[i] = 50 + draw.IntN(150)
		}
		sides[7] = 1200 // one large scene among small ones
		p, costs := planOfSizes(t, sides)
		all, largest, most := 0.0, 0.0, 0.0
		for _, c := range costs {
			all, largest = all+c, max(largest, c)
		}
		for index := 1; index <= count; index++ {
			sum := 0.0
			for _, scene := range p.Share(Shard{Index: index, Count: count}) {
				sum += costs[scene]
			}
			most = max(most, sum)
		}
		bound := max(all/float64(count), largest) * (4./3 - 1./(3*float64(count)))
		if most > bound {
			t.Errorf("%d shards: the most expensive costs %v, want at most %v", count, most, bound)
		}
	}
}
