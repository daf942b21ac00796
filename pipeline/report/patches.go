package report

import (
	"fmt"
	"io"
	"strconv"

	"descbench/eval/patches/y2017"
	"descbench/pipeline/report/table"
)

// protocolNotes explain in one line how each protocol computes its metrics.
var protocolNotes = map[y2017.Protocol]string{
	y2017.P17:     "as in the public Python code: average precision by trapezoids; ties count against the descriptor in verification and in its favour in retrieval",
	y2017.M17:     "as in the public MATLAB code of 2017: average precision by steps, matching over all patches; ties count in the descriptor's favour",
	y2017.HB2016:  "as in the benchmark of 2016: average precision by steps; matching is averaged over correct matches only, which measures their order, not their number",
	y2017.Grouped: "average precision by steps; equal distances form one group, so no value depends on the order in a file",
}

// WritePatchTasks prints the metrics of a descriptor in the tables of the
// benchmark's Python code, as fractions with six significant digits. The means over
// each category of sequences, with the published ones if p is not nil, and a note on
// the protocol follow.
func WritePatchTasks(out io.Writer, r *y2017.Result, p *PublishedPatches) error {
	normalised := ""
	if r.PCAPowerLaw {
		normalised = ", PCA and power law"
	}
	if _, err := fmt.Fprintf(out, "%s, split %s, distance %s%s\n", r.Descriptor, r.Split, r.Distance, normalised); err != nil {
		return err
	}
	if err := writeVerification(out, r.Verification); err != nil {
		return err
	}
	if err := writeMatching(out, r.Matching); err != nil {
		return err
	}
	if err := writeRetrieval(out, r.Retrieval); err != nil {
		return err
	}
	if err := writeCategories(out, r, p); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\nprotocol %s, %s; do not compare with other protocols\n", r.Protocol, protocolNotes[r.Protocol])
	return err
}

func writeVerification(out io.Writer, v *y2017.VerificationFigures) error {
	if v == nil {
		return nil
	}
	for _, variant := range []struct {
		title  string
		figure func(y2017.VerificationCell) y2017.Share
	}{
		{"Balanced variant (auc)", func(c y2017.VerificationCell) y2017.Share { return c.BalancedAUC }},
		{"Imbalanced variant (ap)", func(c y2017.VerificationCell) y2017.Share { return c.ImbalancedAP }},
	} {
		t := sixDigits("Noise", "Inter", "Intra")
		for i, n := range []y2017.VerificationNoise{v.Easy, v.Hard, v.Tough} {
			t.Add(fractions(noiseNames[i], variant.figure(n.Inter), variant.figure(n.Intra))...)
		}
		if err := writeTitled(out, "Verification - "+variant.title, t); err != nil {
			return err
		}
	}
	return nil
}

func writeMatching(out io.Writer, m *y2017.MatchingFigures) error {
	if m == nil {
		return nil
	}
	t := sixDigits("", append(noiseNames[:], "mean")...)
	t.Add(meanRow("mAP", m.MAP)...)
	t.Add(meanRow("success rate", m.SuccessRate)...)
	if m.Balanced != nil {
		t.Add(meanRow("mAP, i and v balanced", *m.Balanced)...)
	}
	return writeTitled(out, fmt.Sprintf("Matching - mAP, %d image pairs", len(m.Pairs)), t)
}

func writeRetrieval(out io.Writer, r *y2017.RetrievalFigures) error {
	if r == nil {
		return nil
	}
	var sizes []string
	for _, size := range y2017.PoolSizes() {
		sizes = append(sizes, strconv.Itoa(size))
	}
	t := sixDigits("Noise", sizes...)
	for i, bySize := range []map[int]y2017.Share{r.MAP.Easy, r.MAP.Hard, r.MAP.Tough, r.MAP.Mean} {
		var row []y2017.Share
		for _, size := range y2017.PoolSizes() {
			row = append(row, bySize[size])
		}
		t.Add(fractions(append(noiseNames[:], "mean")[i], row...)...)
	}
	if err := writeTitled(out, fmt.Sprintf("Retrieval - mAP by pool size, %d queries", len(r.Queries)), t); err != nil || r.FirstDistractors == nil {
		return err
	}
	t = sixDigits("", append(noiseNames[:], "mean")...)
	t.Add(meanRow("mAP", *r.FirstDistractors)...)
	return writeTitled(out, "Retrieval - mAP among the first 2000 lines of distractors", t)
}

// writeCategories prints the means over noise levels, by category, and the published
// ones.
func writeCategories(out io.Writer, r *y2017.Result, p *PublishedPatches) error {
	var t *table.Table
	for _, c := range []struct {
		name    string
		figures *y2017.Figures
	}{{"all", &r.Figures}, {"illumination", r.Illumination}, {"viewpoint", r.Viewpoint}} {
		if c.figures == nil {
			continue
		}
		var header []string
		var row []y2017.Share
		add := func(name string, v y2017.Share) {
			header, row = append(header, name), append(row, v)
		}
		if v := c.figures.VerificationMean; v != nil {
			add("verification auc", v.BalancedAUC)
			add(verificationAP, v.ImbalancedAP)
		}
		if m := c.figures.Matching; m != nil {
			add(matchingMAP, m.MAP.Mean)
		}
		if q := c.figures.Retrieval; q != nil {
			sizes := y2017.PoolSizes()
			for _, size := range []int{sizes[0], sizes[len(sizes)-1]} {
				add(fmt.Sprintf("retrieval mAP %d", size), q.MAP.Mean[size])
			}
		}
		if t == nil {
			t = sixDigits("Sequences", header...)
		}
		t.Add(fractions(c.name, row...)...)
	}
	if p != nil {
		p.addTo(t)
	}
	return writeTitled(out, "Means over noise levels", t)
}

var noiseNames = [...]string{"Easy", "Hard", "Tough"}

func meanRow(name string, m y2017.NoiseMean) []table.Cell {
	return fractions(name, m.Easy, m.Hard, m.Tough, m.Mean)
}

// sixDigits returns a table of a first column of words and others of fractions with
// six significant digits.
func sixDigits(first string, others ...string) *table.Table {
	columns := []table.Column{{Title: first, Unit: table.Words}}
	for _, title := range others {
		columns = append(columns, table.Column{Title: title, Unit: table.Digits(6)})
	}
	return table.New(columns...)
}

// fractions returns a row of sixDigits.
func fractions[T ~float64](first string, others ...T) []table.Cell {
	cells := []table.Cell{table.Text(first)}
	for _, v := range others {
		cells = append(cells, table.Number(float64(v)))
	}
	return cells
}

func writeTitled(out io.Writer, title string, t *table.Table) error {
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	t.Caption = title
	return t.Write(out, table.AsText, 0)
}
