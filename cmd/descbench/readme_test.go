package main

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestEveryCommandOfTheREADMEWorks runs the descbench commands of the README and of
// CONTRIBUTING.md, in their order, in a folder that looks like the checkout, and
// checks that their make targets exist. The README's first table is compared with the
// one that its first command prints.
func TestEveryCommandOfTheREADMEWorks(t *testing.T) {
	root := filepath.Join("..", "..")
	readme := read(t, filepath.Join(root, "README.md"))
	makefile := read(t, filepath.Join(root, "Makefile"))
	work := checkoutLike(t, root)
	outputs := make(map[string]string)
	count := 0
	contributing := read(t, filepath.Join(root, "CONTRIBUTING.md"))
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(readme+contributing, -1) {
		for _, line := range strings.Split(block[1], "\n") {
			command, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				continue
			}
			words := strings.Fields(strings.ReplaceAll(command, "'", ""))
			switch words[0] {
			case "make":
				for _, target := range words[1:] {
					if !strings.Contains(makefile, "\n"+target+":") {
						t.Errorf("%s: no such target", command)
					}
				}
			case "descbench":
				count++
				outputs[command] = runIn(t, work, words[1:])
			case "eval", "go":
				// `make env` is checked as a target; the build is the test's own.
			default:
				t.Errorf("%s: the test does not know how to run this", command)
			}
		}
	}
	if count < 5 {
		t.Errorf("found %d descbench commands in the README, want at least 5", count)
	}
	compareTables(t, firstTable(t, readme), firstTable(t, outputs["descbench run configs/demo.yaml"]))
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// checkoutLike returns a folder with the checkout's configs and test data.
func checkoutLike(t *testing.T, root string) string {
	t.Helper()
	work := t.TempDir()
	if err := os.CopyFS(filepath.Join(work, "configs"), os.DirFS(filepath.Join(root, "configs"))); err != nil {
		t.Fatal(err)
	}
	testdata, err := filepath.Abs(filepath.Join(root, "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(testdata, filepath.Join(work, "testdata")); err != nil {
		t.Fatal(err)
	}
	return work
}

func runIn(t *testing.T, dir string, args []string) string {
	t.Helper()
	program, err := exec.LookPath("descbench") // put there by testscript.Main
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = environment(dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Errorf("descbench %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String()
}

// firstTable returns the cells of the first table of results in text, without
// intervals.
func firstTable(t *testing.T, text string) [][]string {
	t.Helper()
	var table [][]string
	interval := regexp.MustCompile(`[* ]+± [0-9.]+`)
	for _, line := range strings.Split(text, "\n") {
		line = interval.ReplaceAllString(line, "")
		switch {
		case strings.HasPrefix(line, "descriptor "):
			table = [][]string{regexp.MustCompile(`\s{2,}`).Split(line, -1)}
		case table != nil && regexp.MustCompile(`^\S+  `).MatchString(line):
			table = append(table, regexp.MustCompile(`\s{2,}`).Split(line, -1))
		case table != nil:
			return withoutTimes(table)
		}
	}
	t.Fatalf("found no table in:\n%s", text)
	return nil
}

// withoutTimes leaves out the last column if it holds times, whose widths decide
// whether the table has room for them.
func withoutTimes(table [][]string) [][]string {
	if last := len(table[0]) - 1; table[0][last] == "time" {
		for i := range table {
			table[i] = table[i][:min(last, len(table[i]))]
		}
	}
	return table
}

// compareTables wants equal tables. Rates may differ by as much
// as OpenCV's SIFT differs between processors.
func compareTables(t *testing.T, shown, printed [][]string) {
	t.Helper()
	if len(shown) != len(printed) {
		t.Fatalf("the README shows %d rows, the program prints %d", len(shown), len(printed))
	}
	for i, row := range shown {
		if len(row) != len(printed[i]) {
			t.Fatalf("row %d: the README shows %q, the program prints %q", i, row, printed[i])
		}
		for j, cell := range row {
			got := printed[i][j]
			a, errA := strconv.ParseFloat(cell, 64)
			b, errB := strconv.ParseFloat(got, 64)
			switch {
			case errA != nil || errB != nil:
				if cell != got {
					t.Errorf("row %d, column %s: the README shows %q, the program prints %q", i, shown[0][j], cell, got)
				}
			case math.Abs(a-b) > 0.5+0.01*math.Abs(a):
				t.Errorf("row %d, column %s: the README shows %s, the program prints %s", i, shown[0][j], cell, got)
			}
		}
	}
}
