package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/ranking"
)

// A Figure is a named number.
type Figure struct {
	Name  string
	Value float64
}

// Figures is a list of named numbers in a fixed order. In JSON it is an object
// with one member per number. Numbers that are undefined or were not computed are
// absent.
type Figures []Figure

// Get returns the value of the given name. ok is false if it is absent.
func (f Figures) Get(name string) (value float64, ok bool) {
	for _, x := range f {
		if x.Name == name {
			return x.Value, true
		}
	}
	return 0, false
}

// MarshalJSON encodes the numbers in order.
func (f Figures) MarshalJSON() ([]byte, error) {
	members := make([]string, len(f))
	for i, x := range f {
		value, err := json.Marshal(x.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.Name, err)
		}
		members[i] = fmt.Sprintf("%q:%s", x.Name, value)
	}
	return []byte("{" + strings.Join(members, ",") + "}"), nil
}

// UnmarshalJSON decodes the numbers and keeps their order.
func (f *Figures) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("want an object of numbers, found %.20s", b)
	}
	*f = Figures{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		value, err := d.Token()
		if err != nil {
			return err
		}
		number, ok := value.(float64)
		if !ok {
			return fmt.Errorf("%v: want a number, found %v", name, value)
		}
		*f = append(*f, Figure{fmt.Sprint(name), number})
	}
	return nil
}

// figureOrder is the order of a descriptor's metrics, with K in ascending order. Other metrics follow in their original order.
var figureOrder = []string{
	catalogue.MicroMAP,
	catalogue.MAP,
	"viewpoint_map",
	"illumination_map",
	"true_map_micro_including_zeros",
	catalogue.MAP + "_including_zeros",
	"mean_precision",
	"legacy_macro_precision_by_scene",
	"precision_at_K",
	"recall_at_K",
	"coverage",
	"total_queries_processed",
	"total_queries_excluded",
}

// overall returns the metrics of res with scope "all", in figureOrder.
func overall(res ranking.Result) Figures {
	figures := Figures{}
	for _, m := range res.Metrics {
		if m.Scope == "all" {
			figures = append(figures, Figure{m.Name, m.Value})
		}
	}
	slices.SortStableFunc(figures, func(a, b Figure) int {
		of, other := catalogue.Of(a.Name), catalogue.Of(b.Name)
		place := slices.Index(figureOrder, of.Family)
		if c := cmp.Compare(uint(place), uint(slices.Index(figureOrder, other.Family))); c != 0 || place < 0 {
			return c
		}
		return cmp.Compare(of.K, other.K)
	})
	return figures
}
