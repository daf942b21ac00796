package report

import (
	"bytes"
	"cmp"
	"path/filepath"
	"strings"
	"unicode"

	"descbench/eval/binary"
	"descbench/eval/patches/y2016"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

var curveHeader = []string{
	"threshold",           // largest distance that counts as a match, in the unit of the distances; empty: the first point, where nothing matches
	"tp",                  // matching pairs up to the threshold, count
	"fp",                  // non-matching pairs up to the threshold, count
	"fn",                  // matching pairs above the threshold, count
	"tn",                  // non-matching pairs above the threshold, count
	"false_positive_rate", // fp / (fp + tn), a share, 0 to 1; empty: no non-matching pair
	"true_positive_rate",  // recall: tp / (tp + fn), a share, 0 to 1; empty: no matching pair
	"precision",           // tp / (tp + fp), a share, 0 to 1; empty: nothing up to the threshold
}

// WriteCurve writes the points of a curve as CSV, one line each: threshold,
// counts, and the coordinates of the ROC graph (false_positive_rate,
// true_positive_rate) and of the precision-recall graph (true_positive_rate is
// recall, precision). Undefined values are empty: the first point says No to
// everything, so it has no threshold and no precision. It replaces only such a file.
func WriteCurve(path string, curve []binary.Confusion) error {
	t := table.New()
	for _, name := range curveHeader {
		t.Columns = append(t.Columns, table.Column{Name: name, Unit: table.Measure})
	}
	for _, c := range curve {
		t.Add(table.Number(c.Threshold), table.Integer(c.TP), table.Integer(c.FP), table.Integer(c.FN), table.Integer(c.TN),
			table.Number(c.FalsePositiveRate()), table.Number(c.TruePositiveRate()), table.Number(c.Precision()))
	}
	var b bytes.Buffer
	err := t.Write(&b, table.CSV, 0)
	return cmp.Or(err, store.WriteOwn(path, b.Bytes(), strings.Join(curveHeader, ",")))
}

// CurveFile returns the path of the CSV file of a system's curve: its name with all
// characters other than letters, digits and ._-+ replaced by underscores.
func CurveFile(dir, system string) string {
	plain := func(r rune) rune {
		if strings.ContainsRune("._-+", r) || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}
	return filepath.Join(dir, strings.Map(plain, system)+".csv")
}

// A NamedCurve is a mean precision-recall curve with its name and the mean
// average precision to print next to it.
type NamedCurve struct {
	Name  string
	Curve y2016.MeanCurve
	MAP   float64
}

// MeanGraph returns the graph of mean precision-recall curves.
func MeanGraph(curves []NamedCurve) *figure.Graph {
	g := &figure.Graph{X: figure.Rate("recall"), Y: figure.Rate("precision, interpolated, mean")}
	for i, c := range curves {
		points := make([]figure.Point, len(c.Curve))
		for level, v := range c.Curve {
			points[level] = figure.Point{X: recallOf(level), Y: v}
		}
		g.Curves = append(g.Curves, figure.Curve{Name: c.Name, Note: "mAP " + table.Share.Format(c.MAP) + " %", System: i, Look: figure.NewLook(i), Points: points})
	}
	return g
}

func recallOf(level int) float64 { return float64(level) / float64(len(y2016.MeanCurve{})-1) }
