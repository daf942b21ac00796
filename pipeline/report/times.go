package report

import (
	"math"
	"slices"

	"descbench/pipeline/fold"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// TimesName is the name of TimesTable among the tables.
const TimesName = "time"

// busy is the share of the time in which threads waited for a processor from which times are marked: a
// quarter is added to them.
const busy = 0.2

// TimesTable returns what papers state of the descriptors of a run over all scenes, ms per image and
// pair, and the time of each stage, µs per keypoint. Notes give those of
// shared stages.
func TimesTable(r *fold.Run) *table.Table {
	stages := []string{
		store.DescribeStage, store.TruthStage, store.SearchStage, store.EstimateStage, store.WriteStage, store.TasksStage,
	}
	columns := []table.Column{
		table.Titled("descriptor", table.Words, 0),
		{Name: "ms_per_image", Title: "ms per image", Unit: table.Measure, Better: "lower"},
		{Name: "ms_per_pair", Title: "ms per pair", Unit: table.Measure, Better: "lower"},
	}
	for _, stage := range stages {
		columns = append(columns, table.Titled(stage, table.Measure, 2))
	}
	t := table.New(append(columns,
		table.Column{Name: "total", Title: "all stages", Unit: table.Measure, Better: "lower", Priority: 1},
		table.Titled("keypoints", table.Count, 3))...)
	sums, lost := sumTimes(r.Timings)
	loaded := false
	for _, s := range r.Systems {
		d := s.Descriptor
		if !slices.ContainsFunc(r.Timings, func(t store.Timing) bool { return t.Descriptor == d }) {
			continue
		}
		var total sum
		var cells []table.Cell
		for _, stage := range stages {
			s := sums[[2]string{d, stage}]
			if i, there := sums[[2]string{d, store.ImportStage}]; there && stage == store.DescribeStage && s.Images == 0 {
				s = i
			}
			keypoints := max(total.Keypoints, s.Keypoints)
			total.add(s)
			total.Keypoints = keypoints
			cells = append(cells, per(s.Timing, 1e6, s.Keypoints))
		}
		var remark string
		if total.waited > busy*total.timed {
			remark, loaded = "under load", true
		}
		describe, search := sums[[2]string{d, store.DescribeStage}], sums[[2]string{d, store.SearchStage}]
		keypoints := table.Integer(total.Keypoints)
		if lost[d] > 0 {
			keypoints = table.Number(math.NaN())
		}
		perImage, perPair := per(describe.Timing, 1e3, describe.Images), per(search.Timing, 1e3, search.pairs)
		cells = slices.Concat([]table.Cell{table.Text(s.Own), perImage.Noted(remark), perPair.Noted(remark)}, cells)
		t.Add(append(cells, per(total.Timing, 1e6, total.Keypoints), keypoints)...)
	}
	for _, stage := range []string{store.DecodeStage, store.DetectStage} {
		if s := sums[[2]string{"", stage}]; s.OfAllWork() && s.Images > 0 {
			t.Note("shared: %s, %.2f ms per image", stage, 1e3*s.Seconds/float64(s.Images))
		}
	}
	t.Note("image: description, also if its result came from the cache; pair: the matcher of a function, or nearest neighbours and ranks of all keypoints; elapsed time of one worker")
	if programs := r.Config.Commands(); len(programs) > 0 {
		t.Note("functions are warmed up: each process repeats its first call, and the repetition is timed")
	}
	if loaded {
		t.Note("under load: threads that could run waited for a processor for more than %.0f %% of the time; measure again with --jobs 1 on a machine without other work", 100*busy)
	}
	if slices.ContainsFunc(r.Timings, func(t store.Timing) bool { return !t.OfAllWork() && !t.Lost() }) {
		t.Note("undefined: unknown for some images, whose rows came from other programs")
	}
	if slices.ContainsFunc(r.Timings, store.Timing.Lost) {
		t.Note("undefined: " + lostTimes)
	}
	return t
}

// ExtractionTime returns the time to describe a keypoint in µs, NaN if it is not known of all scenes.
func ExtractionTime(s *fold.System) float64 {
	sums, _ := sumTimes(s.Run.Timings)
	t := sums[[2]string{s.Descriptor, store.DescribeStage}]
	return per(t.Timing, 1e6, t.Keypoints).Value()
}

// lostTimes says why times are undefined.
const lostTimes = "some files of times are missing or damaged; descbench verify names them"

// A sum is the time of a stage over scenes.
type sum struct {
	store.Timing
	pairs  int     // of image 1 with the others
	timed  float64 // seconds of what was measured in this run, not taken from the cache
	waited float64 // timed, weighted by the share of waiting
}

func (s *sum) add(other sum) {
	s.Seconds += other.Seconds
	s.Images += other.Images
	s.Keypoints += other.Keypoints
	s.Untimed += other.Untimed
	s.pairs += other.pairs
	s.timed += other.timed
	s.waited += other.waited
}

// sumTimes adds up the times of all scenes, by descriptor and stage. It returns also how many scenes
// of each descriptor have lost times.
func sumTimes(timings []store.Timing) (sums map[[2]string]sum, lost map[string]int) {
	sums, lost = make(map[[2]string]sum), make(map[string]int)
	for _, t := range timings {
		if t.Lost() {
			lost[t.Descriptor]++
		}
		one := sum{Timing: t, pairs: max(t.Images-1, 0)}
		if t.Cached < t.Images {
			one.timed, one.waited = t.Seconds, t.Seconds*t.Waited
		}
		s := sums[[2]string{t.Descriptor, t.Stage}]
		s.add(one)
		sums[[2]string{t.Descriptor, t.Stage}] = s
	}
	for key, s := range sums {
		s.Untimed += lost[key[0]]
		sums[key] = s
	}
	return sums, lost
}

// per returns a time in the given units per second, by the number of things that it
// covers. It is empty if there are none, and undefined if the time is.
func per(t store.Timing, units float64, n int) table.Cell {
	switch {
	case !t.OfAllWork():
		return table.Number(math.NaN())
	case n == 0:
		return table.Cell{}
	}
	return table.Number(units * t.Seconds / float64(n))
}
