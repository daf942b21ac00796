package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// A tableChoice holds the flags that say how a table is printed.
type tableChoice struct {
	format  string
	wide    bool
	columns []string
	only    []string
	sort    string
	digits  int
	notes   bool   // say each fact
	row     string // what a row of the table is, for messages
}

// register registers the flags of a table. row says what a row is. --json is short for --format json.
func (c *tableChoice) register(cmd *cobra.Command, flags *commonFlags, row string) {
	fs := cmd.Flags()
	c.row = row
	fs.StringVar(&c.format, "format", string(table.AsText), "format of the table: "+names(table.Formats()))
	registerNotes(fs, &c.notes)
	fs.BoolVar(&c.wide, "wide", false, "show all columns, however wide the table is")
	fs.StringSliceVar(&c.columns, "columns", nil, "show these columns, separated by commas; --format csv has all")
	fs.StringSliceVar(&c.only, "only", nil, "show these "+row+"s, separated by commas; 's*' stands for all that begin with s")
	fs.StringVar(&c.sort, "sort", "", "sort by this column, best first")
	fs.IntVar(&c.digits, "digits", unitDigits, "decimals of rates and measured values (default: 1 for rates in a table with intervals, otherwise 2)")
	limits(fs, "digits", 0, 10)
	fs.Lookup("digits").DefValue = "0" // help without "(default -1)"
	allows(fs, "format", wordsOf(table.Formats())...)
	excludes(fs, "format", "json")
	cmd.PreRun = func(*cobra.Command, []string) {
		if flags.json {
			c.format = string(table.JSON)
		}
	}
}

func registerNotes(fs *pflag.FlagSet, to *bool) {
	fs.BoolVar(to, "notes", false, "print every note below the table, and the set-up")
}

func (c *tableChoice) is(f table.Format) bool { return c.format == string(f) }

// forPrograms reports whether the table is one that programs read: it is the only one, and has
// all columns.
func (c *tableChoice) forPrograms() bool { return c.is(table.CSV) || c.is(table.JSON) }

// keepOnly keeps the descriptors that --only names, in every run or as RUN:NAME, in the order of the runs.
func (c *tableChoice) keepOnly(open *fold.Runs) error {
	named, err := open.Named("--only", c.only)
	if err == nil && len(c.only) > 0 {
		open.Keep(slices.DeleteFunc(slices.Clone(open.Systems), func(s *fold.System) bool { return !slices.Contains(named, s) }))
	}
	return err
}

// chosen reports whether a descriptor is to be shown.
func (c *tableChoice) chosen(descriptor string) bool {
	return len(c.only) == 0 || slices.ContainsFunc(c.only, func(word string) bool { return spelling.Matching(word, []string{descriptor}) != nil })
}

// findOnly replaces what --only says by the names of rows that it means. It returns an error if it
// means none.
func (c *tableChoice) findOnly(names []string) error {
	var only []string
	for _, word := range c.only {
		found := spelling.Matching(spelling.As(word, names), names)
		switch {
		case len(names) == 0:
			return usageError{fmt.Errorf("--only %s: there are no %ss here", word, c.row)}
		case found == nil:
			return usageError{fmt.Errorf("--only %s: no such %s%s, want some of %s", word, c.row, spelling.Hint(word, names), strings.Join(names, ", "))}
		}
		only = append(only, found...)
	}
	c.only = only
	return nil
}

// sortRows sorts the rows of a table.
func (c *tableChoice) sortRows(t *table.Table) error {
	if c.sort == "" {
		return nil
	}
	if err := t.SortBy(c.sort); err != nil {
		return usageError{fmt.Errorf("--sort: %w", err)}
	}
	return nil
}

// selected returns the columns of results that the flags name, or the usual ones. The
// column to sort by is among them. A flag may name a metric as the authors of the preset do,
// if there is one. has are the metrics of the runs.
func (c *tableChoice) selected(usual []report.Selected, has []string, preset *config.Preset) ([]report.Selected, error) {
	find := func(words ...string) ([]report.Selected, error) {
		for i, word := range words {
			words[i] = preset.MetricOf(word)
		}
		return report.FindColumns(words, slices.Concat(has, preset.Titles()))
	}
	columns := usual
	if len(c.columns) > 0 {
		var err error
		if columns, err = find(slices.Clone(c.columns)...); err != nil {
			return nil, usageError{fmt.Errorf("--columns: %w", err)}
		}
		for i := range columns {
			if at := slices.IndexFunc(usual, func(u report.Selected) bool { return u.Metric == columns[i].Metric }); at >= 0 {
				columns[i].Title, columns[i].Full = usual[at].Title, usual[at].Full
			}
		}
	}
	if c.sort == "" {
		return columns, nil
	}
	found, err := find(c.sort)
	if err != nil {
		return nil, usageError{fmt.Errorf("--sort: %w", err)}
	}
	sort := found[max(0, slices.IndexFunc(found, func(s report.Selected) bool { return s.Tolerant() }))]
	c.sort = sort.Short // as the column is called
	for i := range columns {
		if columns[i].Metric == sort.Metric {
			columns[i].Priority = 0
			return columns, nil
		}
	}
	return append(columns, sort), nil
}

// show chooses the rows and columns of a table and prints it with notes.
func (c *tableChoice) show(cmd *cobra.Command, t *table.Table, notes ...table.Note) error {
	t.Notes = append(t.Notes, notes...)
	if err := c.prepare(t); err != nil {
		return err
	}
	return c.print(cmd, t)
}

// showKept prints a table that has only the rows of --only.
func (c *tableChoice) showKept(cmd *cobra.Command, t *table.Table) error {
	if err := c.arrange(t); err != nil {
		return err
	}
	return c.print(cmd, t)
}

// prepare chooses the rows and columns of a table.
func (c *tableChoice) prepare(t *table.Table) error {
	if len(c.only) > 0 {
		if err := c.findOnly(t.RowNames()); err != nil {
			return err
		}
		t.KeepRows(c.only)
	}
	return c.arrange(t)
}

// arrange sorts the rows of a table and chooses its columns. Programs get empty columns, too.
func (c *tableChoice) arrange(t *table.Table) error {
	if len(c.columns) == 0 && len(t.Rows) > 0 && !c.forPrograms() {
		t.DropEmpty()
	}
	if err := c.sortRows(t); err != nil {
		return err
	}
	if len(c.columns) > 0 {
		if err := t.Choose(c.columns); err != nil {
			return usageError{fmt.Errorf("--columns: %w", err)}
		}
	}
	return nil
}

// width returns the number of characters for a table, 0 for any.
func (c *tableChoice) width() int {
	if c.wide {
		return 0
	}
	return table.PageWidth
}

// unitDigits stands for the decimals of each unit.
const unitDigits = -1

// print prints a table in the chosen format. What CSV cannot have is on stderr.
func (c *tableChoice) print(cmd *cobra.Command, t *table.Table) error {
	if c.digits != unitDigits {
		t.Digits = &c.digits
	}
	t.Every, t.Of = c.notes, slices.Concat(t.Of, c.columns, c.only)
	if err := t.Write(cmd.OutOrStdout(), table.Format(c.format), c.width()); err != nil || !c.is(table.CSV) {
		return err
	}
	for _, l := range t.Lines() {
		fmt.Fprintln(cmd.ErrOrStderr(), table.Wrap(l, table.PageWidth))
	}
	return nil
}

// distinct returns the strings without repetitions, in their order.
func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
