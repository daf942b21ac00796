package figure

import (
	"bytes"
	"fmt"
	"math"
	"testing"
)

func example(n int) *Graph {
	g := &Graph{Title: "an example", X: Rate("false positive rate (1 - specificity)"), Y: Rate("true positive rate (sensitivity)"),
		References: []Reference{{Name: "chance", Points: []Point{{X: 0, Y: 0}, {X: 1, Y: 1}}}}, Dots: "operating point: youden"}
	for i := range n {
		var c Curve
		c.Name, c.System = fmt.Sprintf("system_%d (AUC 0.%d)", i, 9999-13*i), i
		for j := range 5001 {
			x := float64(j) / 5000
			c.Points = append(c.Points, Point{X: x, Y: math.Pow(x, 1/(2+float64(i)))})
		}
		c.Dot = &c.Points[500]
		g.Curves = append(g.Curves, c)
	}
	return g
}

func TestCurvesOfManyPointsMakeSmallFiles(t *testing.T) {
	b, err := render(".svg", example(12), Column)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) > 200_000 {
		t.Errorf("%d bytes for 12 curves of 5001 points, want at most 200 kB", len(b))
	}
}

func TestThinningMovesNoPointByMoreThanAStep(t *testing.T) {
	all := example(3).Curves[2].Points
	const steps = 1000
	kept := Thin(all, Rate(""), Rate(""), steps)
	if len(kept) > len(all)/10 || kept[0] != all[0] || kept[len(kept)-1] != all[len(all)-1] {
		t.Fatalf("%d of %d points kept, from %v to %v", len(kept), len(all), kept[0], kept[len(kept)-1])
	}
	for _, p := range all {
		nearest := math.Inf(1)
		for i := 1; i < len(kept); i++ {
			nearest = min(nearest, distanceToSegment(scaled(p, steps), scaled(kept[i-1], steps), scaled(kept[i], steps)))
		}
		if nearest > 1 {
			t.Fatalf("%v is %v steps away from the thinned curve, want at most 1", p, nearest)
		}
	}
}

func scaled(p Point, by float64) Point { return Point{by * p.X, by * p.Y} }

func TestStylesDifferForTwoHundredSystems(t *testing.T) {
	seen := map[string]int{}
	for i := range 210 {
		look := fmt.Sprint(lineStyle(i), markStyle(i).Shape)
		look = fmt.Sprintf("%s %T", look, markStyle(i).Shape)
		if j, ok := seen[look]; ok {
			t.Fatalf("systems %d and %d look the same", j, i)
		}
		seen[look] = i
		if i > 0 && i < 30 { // in grey, dash and mark tell any two of the first thirty apart
			for j := range i {
				if fmt.Sprint(lineStyle(i).Dashes) == fmt.Sprint(lineStyle(j).Dashes) && fmt.Sprintf("%T", markStyle(i).Shape) == fmt.Sprintf("%T", markStyle(j).Shape) {
					t.Fatalf("systems %d and %d differ in colour only", j, i)
				}
			}
		}
	}
}

func TestTextNamesFallbackFonts(t *testing.T) {
	b, err := render(".svg", example(1), Column)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(b, []byte("<text")); n == 0 || n != bytes.Count(b, []byte("'Liberation Sans',Arial,Helvetica,sans-serif")) {
		t.Errorf("not all of %d texts name fallback fonts", n)
	}
}
