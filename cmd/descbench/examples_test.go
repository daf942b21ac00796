package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"descbench/eval/catalogue"
	"descbench/pipeline/report"
)

// commandsIn returns c and all its subcommands.
func commandsIn(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		all = append(all, commandsIn(sub)...)
	}
	return all
}

func TestEveryCommandHasExamplesThatItsFlagsAndArgumentsAdmit(t *testing.T) {
	for _, c := range commandsIn(newRootCommand()) {
		own := c.HasSubCommands() || c.Hidden // groups of commands and what only descbench starts need none
		for line := range strings.SplitSeq(strings.ReplaceAll(c.Example, "\\\n", " "), "\n") {
			command, ok := strings.CutPrefix(strings.TrimSpace(line), "descbench ")
			if !ok {
				if line != "" && !strings.HasPrefix(strings.TrimSpace(line), "#") {
					t.Errorf("%s: example %q is not a command", c.CommandPath(), line)
				}
				continue
			}
			words := shellWords(command)
			found, err := commandOf(words)
			if err != nil {
				t.Errorf("%q: %v", line, err)
				continue
			}
			own = own || found.CommandPath() == c.CommandPath()
			for _, word := range words {
				file, _, _ := strings.Cut(word, "#")
				if strings.HasPrefix(file, "configs/") || strings.HasPrefix(file, "testdata/") {
					if _, err := os.Stat(filepath.Join("..", "..", file)); err != nil {
						t.Errorf("%q: %v", line, err)
					}
				}
			}
			for _, name := range []string{"metric", "metrics", "table"} {
				f := found.Flags().Lookup(name)
				if f == nil || !f.Changed {
					continue
				}
				for value := range strings.SplitSeq(strings.Trim(f.Value.String(), "[]"), ",") {
					if _, err := catalogue.Resolve(value); name != "table" && err != nil || name == "table" && !slices.Contains(report.TableNames(), value) {
						t.Errorf("%q: %v", line, err)
					}
				}
			}
		}
		if !own {
			t.Errorf("%s has no example", c.CommandPath())
		}
	}
}

// commandOf returns the command that the words call. An error says why its flags or
// arguments are wrong.
func commandOf(words []string) (*cobra.Command, error) {
	found, args, err := newRootCommand().Find(words)
	if err == nil {
		err = found.ParseFlags(args)
	}
	if err == nil {
		err = found.ValidateArgs(found.Flags().Args())
	}
	return found, err
}

// shellWords splits a command as a shell does, as far as examples need it: quotes,
// and the end at a redirection.
func shellWords(command string) []string {
	var words []string
	word, quote, open := "", rune(0), false
	end := func() {
		if open {
			words = append(words, word)
		}
		word, open = "", false
	}
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ':
			end()
		case r == '>' || r == '|':
			end()
			return words
		default:
			word, open = word+string(r), true
		}
	}
	end()
	return words
}
