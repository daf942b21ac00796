package random

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"descbench/eval/must"
)

// golden holds what testdata/golden.py drew.
type golden struct {
	Seed       string
	Parts      []any
	Uint64     []string
	Float64    []float64
	Bounds     []string
	IntN       [][]string `json:"int_n"`
	FiveOf1000 []int      `json:"sample_5_of_1000"`
	EightOf8   []int      `json:"sample_8_of_8"`
}

func (g golden) stream(t *testing.T) *Stream {
	t.Helper()
	parts := slices.Clone(g.Parts)
	for i, p := range parts {
		if f, ok := p.(float64); ok { // all numbers are, in JSON
			parts[i] = int(f)
		}
	}
	return New(number(t, g.Seed), parts...)
}

func number(t *testing.T, text string) uint64 {
	t.Helper()
	return must.Get(strconv.ParseUint(text, 10, 64))(t)
}

func TestStreamsAreThoseOfAnIndependentProgram(t *testing.T) {
	file := must.Get(os.ReadFile("testdata/golden.json"))(t)
	var all []golden
	if err := json.Unmarshal(file, &all); err != nil || len(all) == 0 {
		t.Fatalf("%d keys, error %v", len(all), err)
	}
	for _, g := range all {
		s := g.stream(t)
		for i, want := range g.Uint64 {
			if got := s.Uint64(); got != number(t, want) {
				t.Errorf("seed %s, %v: number %d is %d, want %s", g.Seed, g.Parts, i, got, want)
			}
		}
		s = g.stream(t)
		for i, want := range g.Float64 {
			if got := s.Float64(); got != want {
				t.Errorf("seed %s, %v: fraction %d is %v, want %v", g.Seed, g.Parts, i, got, want)
			}
		}
		for b, bound := range g.Bounds {
			s = g.stream(t)
			for i, want := range g.IntN[b] {
				if got := s.IntN(int(number(t, bound))); uint64(got) != number(t, want) {
					t.Errorf("seed %s, %v: number %d below %s is %d, want %s", g.Seed, g.Parts, i, bound, got, want)
				}
			}
		}
		if got := g.stream(t).Sample(1000, 5); !slices.Equal(got, g.FiveOf1000) {
			t.Errorf("seed %s, %v: 5 of 1000 are %v, want %v", g.Seed, g.Parts, got, g.FiveOf1000)
		}
		if got := g.stream(t).Sample(8, 8); !slices.Equal(got, g.EightOf8) {
			t.Errorf("seed %s, %v: 8 of 8 are %v, want %v", g.Seed, g.Parts, got, g.EightOf8)
		}
	}
}

func TestIntegersOfEveryTypeNameTheSamePurposeAsTheirText(t *testing.T) {
	want := New(3, "row", "12").Uint64()
	for _, part := range []any{12, int32(12), int64(12), uint64(12)} {
		if got := New(3, "row", part).Uint64(); got != want {
			t.Errorf("%T: got %d, want %d", part, got, want)
		}
	}
}

func TestSeedAndPartsDoNotRunIntoEachOther(t *testing.T) {
	seen := map[uint64]int{}
	for i, s := range []*Stream{
		New(1), New(1, ""), New(1, "", ""), New(1, "ab"), New(1, "a", "b"), New(1, "b", "a"), New(11, "2"), New(1, "12"), New(112),
	} {
		v := s.Uint64()
		if j, ok := seen[v]; ok {
			t.Errorf("streams %d and %d begin with the same number", j, i)
		}
		seen[v] = i
	}
}

func TestNewRefusesPartsWithoutOneText(t *testing.T) {
	for _, part := range []any{1.5, nil, []int{1}, true} {
		must.Panic(t, fmt.Sprintf("part %v", part), func() { New(1, part) })
	}
}

func TestImpossibleDrawsPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"below 0":  func() { New(1).IntN(0) },
		"below -1": func() { New(1).IntN(-1) },
		"4 of 3":   func() { New(1).Sample(3, 4) },
		"-1 of 3":  func() { New(1).Sample(3, -1) },
	} {
		must.Panic(t, name, f)
	}
}

func TestASampleHasNoNumberTwiceAndDoesNotSpendTimeOnTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(0, 40).Draw(t, "m")
		n := rapid.OneOf(rapid.IntRange(m, m+5), rapid.IntRange(32*m, math.MaxInt)).Draw(t, "n")
		got := New(rapid.Uint64().Draw(t, "seed")).Sample(n, m)
		slices.Sort(got)
		if len(slices.Compact(got)) != m || m > 0 && (got[0] < 0 || got[m-1] >= n) {
			t.Fatalf("%d of %d: %v", m, n, got)
		}
	})
}
