package config

import (
	"fmt"
	"math"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// number is a codec for finite numbers from min to max. math.MaxFloat64 means no
// bound; above excludes min itself.
type number struct {
	to       *float64
	min, max float64
	above    bool
}

// into returns the codec for a number at another place.
func (r number) into(to *float64) codec {
	r.to = to
	return r
}

func (r number) decode(d *decoder, key string, n *yaml.Node) {
	tag := n.ShortTag()
	v, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float" || err != nil ||
		!(v >= r.min && v <= r.max) || r.above && v == r.min {
		d.fault(key, n, "found %s, want %s", found(n), r.want())
		return
	}
	*r.to = v + 0 // turns -0 into 0
}

func (r number) want() string {
	low := fmt.Sprintf("of at least %v", r.min)
	if r.above {
		low = fmt.Sprintf("above %v", r.min)
	}
	switch {
	case r.min == -math.MaxFloat64:
		return "a finite number"
	case r.max == math.MaxFloat64:
		return "a number " + low
	case r.above:
		return fmt.Sprintf("a number %s and at most %v", low, r.max)
	}
	return fmt.Sprintf("a number from %v to %v", r.min, r.max)
}

func (r number) encode(view) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.FormatFloat(*r.to, 'g', -1, 64)}
}

func (r number) schema() object {
	s := object{"type": "number"}
	switch {
	case r.above:
		s["exclusiveMinimum"] = r.min
	case r.min > -math.MaxFloat64:
		s["minimum"] = r.min
	}
	if r.max < math.MaxFloat64 {
		s["maximum"] = r.max
	}
	return s
}

// integer is a codec for whole numbers from min to max.
type integer struct {
	to       *int
	min, max int
	odd      bool
}

func (r integer) decode(d *decoder, key string, n *yaml.Node) {
	v, err := strconv.ParseInt(n.Value, 10, 64)
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || err != nil ||
		v < int64(r.min) || v > int64(r.max) || r.odd && v%2 == 0 {
		d.fault(key, n, "found %s, want %s", found(n), r.want())
		return
	}
	*r.to = int(v)
}

func (r integer) want() string {
	what := "a whole"
	if r.odd {
		what = "an odd"
	}
	switch {
	case r.min == r.max:
		return strconv.Itoa(r.min)
	case r.max == math.MaxInt32:
		return fmt.Sprintf("%s number from %d to 2^31-1", what, r.min)
	}
	return fmt.Sprintf("%s number from %d to %d", what, r.min, r.max)
}

func (r integer) encode(view) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.Itoa(*r.to)}
}

func (r integer) schema() object {
	s := object{"type": "integer", "minimum": r.min, "maximum": r.max}
	if r.odd {
		s["not"] = object{"multipleOf": 2}
	}
	return s
}

// seed is a codec for the seed of a random sample.
type seed struct{ to *uint64 }

func (s seed) decode(d *decoder, key string, n *yaml.Node) {
	v, err := strconv.ParseUint(n.Value, 10, 64)
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || err != nil {
		d.fault(key, n, "found %s, want a whole number from 0 to 2^64-1", found(n))
		return
	}
	*s.to = v
}

func (s seed) encode(view) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.FormatUint(*s.to, 10)}
}

func (s seed) schema() object {
	return object{"type": "integer", "minimum": 0, "maximum": uint64(math.MaxUint64)}
}
