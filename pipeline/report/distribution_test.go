package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/eval/stats"
)

func TestDistributionsAreWrittenAsNumbersAndFigures(t *testing.T) {
	dir := t.TempDir()
	m := stats.NewPositions("positions", "keypoints")
	m.Add(0, 0)
	m.Add(1, 1)
	m.Add(0.99, 0.01)
	if m.Counts[0][0] != 1 || m.Counts[19][31] != 1 || m.Counts[0][31] != 1 {
		t.Error("positions are counted in the wrong cells")
	}
	files, err := WriteDistributions(dir, []string{"svg", "png"}, []stats.Distribution{
		{Name: "size", Label: "size (px)", Log: true, Series: []stats.Series{{Name: "a", Values: []float64{4, 1, 2, 3}}, {Name: "none"}}},
	}, []*stats.Positions{m})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"size", "positions", "quantiles"}; !slices.Equal(files, want) {
		t.Errorf("got %v, want %v", files, want)
	}
	for _, name := range []string{"size.csv", "size.svg", "size.png", "positions.csv", "positions.svg", "positions.png"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "quantiles.csv"))
	if err != nil {
		t.Fatal(err)
	}
	// By hand: the smallest value with at least the share of 4 values at or below it.
	if want := "quantity,series,n,mean,min,q05,q25,median,q75,q95,max\nsize (px),a,4,2.5,1,1,1,2,3,4,4\nsize (px),none,0,,,,,,,,\n"; string(text) != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	bins, err := os.ReadFile(filepath.Join(dir, "size.csv"))
	if err != nil || !strings.HasPrefix(string(bins), "series,from,to,count,share\na,1,") {
		t.Errorf("got %s, %v", bins, err)
	}
}
