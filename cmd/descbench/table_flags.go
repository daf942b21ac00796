package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval/spelling"
	"descbench/pipeline/report/table"
)

// A tableWidth holds the flag for tables that may be wider than a terminal.
type tableWidth struct{ wide bool }

func (w *tableWidth) register(fs *pflag.FlagSet) {
	fs.BoolVar(&w.wide, "wide", false, "show all columns, however wide the table is")
}

// width returns the number of characters for a table, 0 for any.
func (w *tableWidth) width() int {
	if w.wide {
		return 0
	}
	return table.PageWidth
}

// A tableChoice holds the flags that say how a table is printed.
type tableChoice struct {
	tableWidth
	format  string
	columns []string
	only    []string
	sort    string
}

func (c *tableChoice) register(fs *pflag.FlagSet) {
	fs.StringVar(&c.format, "format", string(table.AsText), "format of the table: "+strings.Join(formatNames(), ", "))
	c.tableWidth.register(fs)
	fs.StringSliceVar(&c.columns, "columns", nil, "show these columns, separated by commas")
	fs.StringSliceVar(&c.only, "only", nil, "show these descriptors, separated by commas")
	fs.StringVar(&c.sort, "sort", "", "sort by this column, best first")
}

func formatNames() []string {
	var names []string
	for _, f := range table.Formats() {
		names = append(names, string(f))
	}
	return names
}

// check checks the format. --json is short for --format json.
func (c *tableChoice) check(cmd *cobra.Command, flags *commonFlags) error {
	if flags.json {
		if cmd.Flags().Changed("format") && c.format != string(table.JSON) {
			return usageError{fmt.Errorf("found --json and --format %s, want one of the two", c.format)}
		}
		c.format = string(table.JSON)
	}
	if slices.Contains(formatNames(), c.format) {
		return nil
	}
	return usageError{fmt.Errorf("--format: found %q, want one of %s%s", c.format, strings.Join(formatNames(), ", "), near(c.format, formatNames()))}
}

func (c *tableChoice) is(f table.Format) bool { return c.format == string(f) }

// chosen reports whether a descriptor is to be shown.
func (c *tableChoice) chosen(descriptor string) bool {
	return len(c.only) == 0 || slices.Contains(c.only, descriptor)
}

// checkOnly returns an error if a name of --only is not among the descriptors.
func (c *tableChoice) checkOnly(descriptors []string) error {
	for _, name := range c.only {
		if !slices.Contains(descriptors, name) {
			return usageError{fmt.Errorf("--only %s: no such descriptor%s, want some of %s", name, near(name, descriptors), strings.Join(descriptors, ", "))}
		}
	}
	return nil
}

// near suggests the allowed word with the nearest spelling, if there is one.
func near(word string, allowed []string) string {
	if found := spelling.Nearest(word, allowed); found != "" {
		return fmt.Sprintf(" (did you mean %s?)", found)
	}
	return ""
}

// arrange sorts the rows and chooses the columns of a table.
func (c *tableChoice) arrange(t *table.Table) error {
	if c.sort != "" {
		if err := t.SortBy(c.sort); err != nil {
			return usageError{fmt.Errorf("--sort: %w", err)}
		}
	}
	if len(c.columns) > 0 {
		if err := t.Choose(c.columns); err != nil {
			return usageError{fmt.Errorf("--columns: %w", err)}
		}
	}
	return nil
}

// print prints a table in the chosen format.
func (c *tableChoice) print(out io.Writer, t *table.Table) error {
	return t.Write(out, table.Format(c.format), c.width())
}

// printRemarks prints lines about a table: below a text on stdout, else on stderr,
// so that stdout is the table alone.
func (c *tableChoice) printRemarks(cmd *cobra.Command, lines []string) error {
	out := cmd.OutOrStdout()
	if !c.is(table.AsText) {
		out = cmd.ErrOrStderr()
	}
	var err error
	for _, l := range lines {
		_, e := fmt.Fprintln(out, l)
		err = errors.Join(err, e)
	}
	return err
}
