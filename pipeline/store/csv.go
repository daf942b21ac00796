package store

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unique"

	"descbench/eval/ranking"
	"descbench/eval/scope"
	"descbench/pipeline/files"
)

const (
	// maxMetricsFile and maxMetricsLine limit metrics.csv in bytes: 10 million
	// metrics, and names of the maximum length for files.
	maxMetricsFile = 1 << 30
	maxMetricsLine = 4096
)

// metricsHeader names the columns of metrics.csv, which are those of the view
// named_metrics.
var metricsHeader = []string{
	"descriptor", // name in the config
	"scope",      // scenes or pairs that the value covers: all, a category (viewpoint, illumination, other), subset:<name>, subset:<name>/<category>, group:<name>, k:<k>, scene:<name>, pair:<scene>/1_<k>
	"metric",     // name; descbench metrics explains each with its unit and range
	"value",      // value of the metric, finite; an undefined metric has no line
	"ci_low",     // lower bound of the 95 % interval, as value; empty: no interval
	"ci_high",    // upper bound of the 95 % interval, as value; empty: no interval
	"n",          // items that value is a mean over: queries, scenes or pairs; for a count, items examined
	"experiment", // name in the config; for patches, task, benchmark and protocol
	"scene",      // scene of the scope; empty: several scenes
	"k",          // image index of the scope, 2 or more; empty: several images
}

var timingHeader = []string{
	"descriptor",    // name in the config; empty: shared by descriptors
	"scene",         // name of the scene; empty: shared by scenes
	"stage",         // decode, detect, describe (or import), truth, search, estimate, write, tasks or fold
	"seconds",       // time on one worker of the work itself, whether or not it came from the cache, s, 0 or more; empty: unknown for some images, or lost
	"images",        // images processed by the stage, to derive the time per image
	"cached_images", // those of the images whose result came from the cache
	"keypoints",     // keypoints or descriptor rows processed by the stage
	"experiment",    // name in the config
}

// A MetricsWriter writes metrics.csv descriptor by descriptor: one line per metric
// with the columns of metricsHeader. Numbers have as many digits as needed to read
// them back exactly. The bounds are empty if no interval was computed, scene and k
// for scopes with several. The file appears, complete, when Close succeeds.
type MetricsWriter struct {
	file  *Pending
	lines *csv.Writer
}

// NewMetricsWriter starts writing a file of metrics.
func NewMetricsWriter(path string) (*MetricsWriter, error) {
	p, err := Create(path)
	if err != nil {
		return nil, err
	}
	w := &MetricsWriter{p, csv.NewWriter(p)}
	_ = w.lines.Write(metricsHeader) // Error returns its error
	return w, nil
}

// Add appends the metrics of a descriptor.
func (w *MetricsWriter) Add(r ranking.Result) error {
	for _, m := range r.Metrics {
		id, k := scope.Parse(m.Scope), ""
		if id.K > 0 {
			k = strconv.Itoa(id.K)
		}
		_ = w.lines.Write([]string{r.Descriptor, m.Scope, m.Name, formatFloat(m.Value), formatFloat(m.Low), formatFloat(m.High), strconv.Itoa(m.N), r.Experiment, id.Scene, k})
	}
	if err := w.lines.Error(); err != nil {
		return w.file.Failure(err)
	}
	return nil
}

// Close completes the file.
func (w *MetricsWriter) Close() error {
	w.lines.Flush()
	return w.file.Commit(w.lines.Error())
}

// Abort discards the file unless it has been closed.
func (w *MetricsWriter) Abort() { w.file.Abort() }

// ReadMetricsCSV reads a file written by a MetricsWriter and calls use for every
// metric, in the order of the file. The strings that use gets may be kept: they hold no
// other memory. Errors about the content wrap ErrDamaged.
func ReadMetricsCSV(path string, use func(descriptor string, m scope.Metric)) error {
	f, err := OpenResult(path, maxMetricsFile)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := csv.NewReader(files.Records(f, maxMetricsLine))
	lines.ReuseRecord = true
	header, err := lines.Read()
	if err != nil {
		return Damaged(path, err)
	}
	if !slices.Equal(header, metricsHeader) {
		return Damaged(path, fmt.Errorf("line 1: want %s, found %s", strings.Join(metricsHeader, ","), strings.Join(header, ",")))
	}
	var last [3]string // descriptor, scope, name
	for {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return Damaged(path, err)
		}
		for i, field := range fields[:len(last)] {
			if field != last[i] {
				last[i] = unique.Make(field).Value() // a field is a part of its line's text, which it would keep in memory
				switch i {
				case 0:
					err = scope.CheckName(last[i])
				case 1:
					err = scope.CheckScope(last[i])
				}
				if err != nil {
					return Damaged(path, err)
				}
			}
			fields[i] = last[i]
		}
		m, err := parseMetric(fields)
		if err != nil {
			line, _ := lines.FieldPos(0)
			return Damaged(path, fmt.Errorf("line %d: %w", line, err))
		}
		use(fields[0], m)
	}
}

func parseMetric(fields []string) (scope.Metric, error) {
	m := scope.Metric{Scope: fields[1], Name: fields[2]}
	for i, into := range []*float64{&m.Value, &m.Low, &m.High} {
		text := fields[3+i]
		if text == "" && i > 0 {
			*into = math.NaN()
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return m, fmt.Errorf("%s: want a finite number, found %q", metricsHeader[3+i], text)
		}
		*into = v
	}
	n, err := strconv.Atoi(fields[6])
	if err != nil {
		return m, fmt.Errorf("n: want a whole number, found %q", fields[6])
	}
	m.N = n
	return m, nil
}

// WriteTimingCSV writes one line per timing, in the given order.
func WriteTimingCSV(path, experiment string, timings []Timing) error {
	rows := [][]string{timingHeader}
	for _, t := range timings {
		seconds := t.Seconds
		if !t.OfAllWork() {
			seconds = math.NaN()
		}
		rows = append(rows, []string{t.Descriptor, t.Scene, t.Stage, formatFloat(seconds), strconv.Itoa(t.Images), strconv.Itoa(t.Cached), strconv.Itoa(t.Keypoints), experiment})
	}
	return WriteFile(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}

// formatFloat returns the shortest text that reads back as v, without an exponent
// if v is a count. It returns "" for NaN, which stands for a missing number.
func formatFloat(v float64) string {
	const exact = 1 << 53 // float64 represents all integers up to this one exactly
	switch {
	case math.IsNaN(v):
		return ""
	case v == math.Trunc(v) && math.Abs(v) < exact:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
