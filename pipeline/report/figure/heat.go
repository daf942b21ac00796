package figure

import (
	"image/color"
	"math"
)

// A Cell is one value of a heat map.
type Cell struct {
	Value  float64 `json:"value"`
	Marked bool    `json:"marked,omitempty"` // such as significant
}

// A Heat is a heat map with one column per system.
type Heat struct {
	Rows      []string  `json:"rows"`
	Means     int       `json:"means,omitempty"` // number of first rows that are means over others; set apart
	Columns   []string  `json:"columns"`
	Systems   []int     `json:"systems"`             // of the columns
	Cells     [][]*Cell `json:"cells"`               // by row and column; nil: undefined
	Diverging bool      `json:"diverging,omitempty"` // colours show the sign
	Scale     Axis      `json:"scale"`               // of the values
	Mark      string    `json:"mark,omitempty"`      // what marked cells are, for the legend
}

// Kind returns "heat".
func (h *Heat) Kind() string { return "heat" }

// sequential and diverging are evenly spaced colours whose lightness falls
// steadily, so that they keep their order in grey; diverging does so on each side of
// zero.
//
// Source: ColorBrewer's Blues and PuOr (Brewer, 2003), safe for readers with colour
// vision deficiency.
var (
	sequential = []color.RGBA{
		{247, 251, 255, 255}, {222, 235, 247, 255}, {198, 219, 239, 255}, {158, 202, 225, 255}, {107, 174, 214, 255},
		{66, 146, 198, 255}, {33, 113, 181, 255}, {8, 81, 156, 255}, {8, 48, 107, 255},
	}
	diverging = []color.RGBA{
		{179, 88, 6, 255}, {224, 130, 20, 255}, {253, 184, 99, 255}, {254, 224, 182, 255}, {247, 247, 247, 255},
		{216, 218, 235, 255}, {178, 171, 210, 255}, {128, 115, 172, 255}, {84, 39, 136, 255},
	}
)

// between returns the colour at a place from 0 to 1.
func between(list []color.RGBA, place float64) color.RGBA {
	at := min(max(place, 0), 1) * float64(len(list)-1)
	i := min(int(at), len(list)-2)
	t := at - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(math.Round((1-t)*float64(a) + t*float64(b))) }
	a, b := list[i], list[i+1]
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}
