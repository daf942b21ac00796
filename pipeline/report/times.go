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

// TimesTable returns the time of the stages of each descriptor of a run over all scenes, µs per
// keypoint. Notes give those of shared stages.
func TimesTable(r *fold.Run) *table.Table {
	stages := []string{
		store.DescribeStage, store.TruthStage, store.SearchStage, store.EstimateStage, store.WriteStage, store.TasksStage,
	}
	columns := []table.Column{table.Titled("descriptor", table.Words, 0)}
	for _, stage := range stages {
		columns = append(columns, table.Titled(stage, table.Measure, 0))
	}
	t := table.New(append(columns,
		table.Column{Name: "total", Title: "µs per keypoint", Unit: table.Measure, Better: "lower"},
		table.Column{Name: "ms_per_image", Title: "ms per image", Unit: table.Measure, Priority: 1},
		table.Titled("keypoints", table.Count, 2))...)
	sums, lost := sumTimes(r.Timings)
	for _, s := range r.Systems {
		d := s.Descriptor
		if !slices.ContainsFunc(r.Timings, func(t store.Timing) bool { return t.Descriptor == d }) {
			continue
		}
		cells := []table.Cell{table.Text(s.Own)}
		var total store.Timing
		for _, stage := range stages {
			s := sums[[2]string{d, stage}]
			if i, there := sums[[2]string{d, store.ImportStage}]; there && stage == store.DescribeStage && s.Images == 0 {
				s = i
			}
			total.Keypoints, total.Images = max(total.Keypoints, s.Keypoints), max(total.Images, s.Images)
			total.Seconds += s.Seconds
			total.Untimed += s.Untimed
			cells = append(cells, per(s, 1e6, s.Keypoints))
		}
		keypoints := table.Integer(total.Keypoints)
		if lost[d] > 0 {
			keypoints = table.Number(math.NaN())
		}
		t.Add(append(cells, per(total, 1e6, total.Keypoints), per(total, 1e3, total.Images), keypoints)...)
	}
	for _, stage := range []string{store.DecodeStage, store.DetectStage} {
		if s := sums[[2]string{"", stage}]; s.OfAllWork() && s.Images > 0 {
			t.Note("shared: %s, %.2f ms per image", stage, 1e3*s.Seconds/float64(s.Images))
		}
	}
	t.Note("elapsed time of the work itself on one worker, also if its result came from the cache; other programs on the machine, and more workers (--jobs) than processor cores, lengthen it")
	if slices.ContainsFunc(r.Timings, func(t store.Timing) bool { return !t.OfAllWork() && !t.Lost() }) {
		t.Note("undefined: unknown for some images, whose rows came from other programs")
	}
	if slices.ContainsFunc(r.Timings, store.Timing.Lost) {
		t.Note("undefined: " + lostTimes)
	}
	return t
}

// lostTimes says why times are undefined.
const lostTimes = "some files of times are missing or damaged; descbench verify names them"

// sumTimes adds up the times of all scenes, by descriptor and stage. It returns also how many scenes
// of each descriptor have lost times.
func sumTimes(timings []store.Timing) (sums map[[2]string]store.Timing, lost map[string]int) {
	sums, lost = make(map[[2]string]store.Timing), make(map[string]int)
	for _, t := range timings {
		if t.Lost() {
			lost[t.Descriptor]++
		}
		s := sums[[2]string{t.Descriptor, t.Stage}]
		s.Seconds += t.Seconds
		s.Images += t.Images
		s.Keypoints += t.Keypoints
		s.Untimed += t.Untimed
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
