package store

import (
	"path/filepath"
	"testing"

	"descbench/eval/ranking"
	"descbench/eval/scope"
	"descbench/pipeline/store/records/recordtest"
)

// 40 descriptors on 116 scenes of five pairs.
func BenchmarkDatabase(b *testing.B) {
	r := sampleRun()
	one := r.Results[0]
	one.Scenes, one.RankHistogram = nil, make([]int64, 5000)
	for i := range one.RankHistogram {
		one.RankHistogram[i] = 1
	}
	for i := range 116 {
		s := sampleRun().Results[0].Scenes[1]
		s.Name = string(rune('a'+i/26)) + string(rune('a'+i%26))
		s.Pairs = make([]ranking.PairResult, 5)
		for k := range s.Pairs {
			s.Pairs[k].K = k + 2
			for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
				one.Metrics = append(one.Metrics, scope.Metric{Scope: s.Name + string(rune('0'+k)), Name: name})
			}
		}
		one.Scenes = append(one.Scenes, s)
	}
	r.Descriptors, r.Results = nil, nil
	for i := range 40 {
		res := one
		res.Descriptor = string(rune('A' + i))
		r.Descriptors = append(r.Descriptors, Descriptor{Name: res.Descriptor})
		r.Results = append(r.Results, res)
	}
	path := filepath.Join(b.TempDir(), "results.sqlite")
	for b.Loop() {
		if err := WriteDatabase(b.Context(), path, r); err != nil {
			b.Fatal(err)
		}
	}
	recordtest.ReportSize(b, path)
}
