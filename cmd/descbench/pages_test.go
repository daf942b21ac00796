package main

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"descbench/eval/must"
)

// checkout is the folder of the repository.
var checkout = filepath.Join("..", "..")

// pages returns what users read, in the order in which the commands run: later pages
// use the runs of the README.
func pages(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob(filepath.Join(checkout, "docs", "*.md"))
	if err != nil || len(docs) < 10 {
		t.Fatalf("found the pages %q, %v", docs, err)
	}
	names := []string{"README.md"}
	for _, path := range docs {
		names = append(names, "docs/"+filepath.Base(path))
	}
	return append(names, "CONTRIBUTING.md")
}

// A codeBlock is a code block of a page. Its first line may name the file that it
// shows: ```yaml mine.yaml.
type codeBlock struct{ page, section, language, file, text string }

// blocksOf returns the code blocks of a page.
func blocksOf(t *testing.T, page string) []codeBlock {
	t.Helper()
	var blocks []codeBlock
	section, open := "", false
	for line := range strings.Lines(read(t, filepath.Join(checkout, page))) {
		fence, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && open:
			open = false
		case isFence:
			language, file, _ := strings.Cut(strings.TrimSpace(fence), " ")
			blocks, open = append(blocks, codeBlock{page, section, language, file, ""}), true
		case open:
			blocks[len(blocks)-1].text += line
		case strings.HasPrefix(line, "## "):
			section = strings.TrimSpace(line[3:])
		}
	}
	return blocks
}

// sectionOf returns the code blocks of one section of a page.
func sectionOf(t *testing.T, page, section string) []codeBlock {
	t.Helper()
	var blocks []codeBlock
	for _, b := range blocksOf(t, page) {
		if b.section == section {
			blocks = append(blocks, b)
		}
	}
	if blocks == nil {
		t.Fatalf("%s has no code in a section %q", page, section)
	}
	return blocks
}

// notRunHere says why a block of shell commands is not run by
// TestEveryCommandOfThePagesWorks, by the beginning of the block.
var notRunHere = map[string]string{
	"export ":                                "a setting of the user's shell",
	"tar -xf descbench-":                     "needs a release; make test-dist unpacks and runs it",
	"pip install descbench-":                 "needs a release",
	"make dist":                              "makes a Debian system as root",
	"docker":                                 "needs a daemon; make test-container runs the image without one",
	"make docker":                            "needs a daemon; make test-container runs the image without one",
	"cp configs/slurm/":                      "make test-slurm submits these files",
	"parallel":                               "TestShardsRunInParallelByTheLinesOfThePage",
	"descbench keypoints export mine.yaml":   "TestADescriptorFromPythonIsComparedAsThePageSays",
	"descbench run matches.yaml\n":           "needs files of matchers; configs/modern_matchers.yaml is alike",
	"descbench bridge python > descbench.py": "TestEvaluateWorksAsThePageSays, TestAFunctionInPythonIsComparedAsThePageSays",
	"descbench run mine.yaml --set experiment.name=mine2":         "TestAFunctionInPythonIsComparedAsThePageSays",
	"descbench run orb.yaml":                                      "TestADetectorInPythonIsMeasuredAsThePageSays",
	"descbench run net.yaml":                                      "TestAPatchNetworkInPyTorchGivesTheRowsOfItsExport",
	"descbench run onnx.yaml":                                     "TestAnONNXFileRunsAsThePageSays",
	"descbench doctor nearest.yaml":                               "TestAMatcherInPythonIsMeasuredAsThePageSays",
	"descbench doctor estimator.yaml":                             "TestAnEstimatorInPythonIsMeasuredAsThePageSays",
	"descbench run hdf5.yaml":                                     "TestHDF5FilesAreServedAsThePageSays",
	"descbench run packages.yaml":                                 "TestEstimatorsOfPackagesRunAsThePageSays",
	"descbench run hubs.yaml":                                     "TestMethodsOfHubsRunAsThePageSays",
	"descbench run colours.yaml":                                  "TestAFunctionInPerlGivesTheRowsOfPython",
	"descbench patches extract":                                   "TestTablesOfPatchRowsAreEvaluatedAsThePageSays",
	"descbench dataset fetch hpatches-sequences":                  "needs the network; cmd_dataset_fetch_test.go fetches from a server of its own",
	"descbench dataset fetch hpatches-patches":                    "needs the network; the same commands with other strips and tasks run on the page",
	"descbench run configs/workbench_sift_8000.yaml --data /data": "needs HPatches",
	"descbench run sift.yaml":                                     "needs scenes of HPatches",
	"descbench run superpoint.yaml":                               "needs scenes of HPatches",
	"descbench dataset synth --scenes 2 --size 640x480":           "takes minutes; a measurement",
}

// TestEveryCommandOfThePagesWorks runs the commands of the README, of docs and of
// CONTRIBUTING.md in a folder that looks like the checkout, each once. It compares
// what a page shows below a command with what the command prints.
func TestEveryCommandOfThePagesWorks(t *testing.T) {
	makefile := read(t, filepath.Join(checkout, "Makefile"))
	work := checkoutLike(t)
	outputs := make(map[string]string)
	once := func(command string) string {
		if _, done := outputs[command]; !done {
			outputs[command] = shell(t, work, "", command)
		}
		return outputs[command]
	}
	found := make(map[string]bool) // keys of notRunHere
	known := func(text string) (isKnown bool) {
		for start := range notRunHere {
			if strings.HasPrefix(text, start) {
				found[start], isKnown = true, true
			}
		}
		return isKnown
	}
	for _, page := range pages(t) {
		for _, b := range blocksOf(t, page) {
			if b.language == "sh" && !known(b.text) {
				t.Errorf("%s: nothing runs the block %q; commands that can run in a checkout are ```console with $", page, b.text)
			}
			if b.language == "sh" {
				checkFlags(t, b)
			}
			if b.language != "console" {
				continue
			}
			for command, shown := range commandsOf(b.text) {
				switch tool, rest, _ := strings.Cut(command, " "); tool {
				case "make":
					for target := range strings.FieldsSeq(rest) {
						run, ok := ofTheProgram(makefile, target)
						if !ok {
							t.Errorf("%s: %s: no such target", page, command)
						}
						for _, c := range run {
							once(c)
						}
					}
				case "descbench":
					if printed := once(command); shown != "" {
						compareOutputs(t, page+": "+command, shown, printed)
					}
				case "eval", "go":
					// `make env` is checked as a target; the build is the test's own.
				default:
					t.Errorf("%s: %s: the test does not know how to run this", page, command)
				}
			}
		}
	}
	for start := range notRunHere {
		if !found[start] {
			t.Errorf("no page has a block that begins with %q", start)
		}
	}
	if len(outputs) < 40 {
		t.Errorf("found %d descbench commands, want at least 40", len(outputs))
	}
}

// ofTheProgram returns the commands of the program that a target of the Makefile runs.
func ofTheProgram(makefile, target string) (commands []string, exists bool) {
	_, recipe, exists := strings.Cut(makefile, "\n"+target+":")
	for line := range strings.Lines(recipe) {
		if c, ok := strings.CutPrefix(line, "\tbin/"); ok {
			commands = append(commands, strings.TrimSpace(c))
		} else if line == "\n" {
			break
		}
	}
	return commands, exists
}

// checkFlags wants that the commands of a block, run or not, have flags and arguments
// that the program admits.
func checkFlags(t *testing.T, b codeBlock) {
	t.Helper()
	for line := range strings.Lines(strings.ReplaceAll(b.text, "\\\n", " ")) {
		line, _, _ = strings.Cut(line, "  #")
		line, _, _ = strings.Cut(line, ";")
		if command, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(line), "time "), "descbench "); ok {
			if _, err := commandOf(shellWords(command)); err != nil {
				t.Errorf("%s: %s: %v", b.page, line, err)
			}
		}
	}
}

// commandsOf yields the commands of a block, each with the output shown below it.
func commandsOf(block string) func(yield func(command, shown string) bool) {
	return func(yield func(command, shown string) bool) {
		for part := range strings.SplitSeq("\n"+block, "\n$ ") {
			command, shown, _ := strings.Cut(part, "\n")
			if command != "" && !yield(command, shown) {
				return
			}
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(path))(t))
}

// checkoutLike returns a folder with the checkout's configs and test data.
func checkoutLike(t *testing.T) string {
	t.Helper()
	work := t.TempDir()
	must.Do(t, os.CopyFS(filepath.Join(work, "configs"), os.DirFS(filepath.Join(checkout, "configs"))))
	testdata := must.Get(filepath.Abs(filepath.Join(checkout, "testdata")))(t)
	must.Do(t, os.Symlink(testdata, filepath.Join(work, "testdata")))
	return work
}

// compareOutputs wants the same words. Numbers (rates in %, shares below 1) may differ by
// as much as OpenCV's SIFT differs between processors; intervals and times, freely. What
// ends with "..." shows the beginning.
func compareOutputs(t *testing.T, what, shown, printed string) {
	t.Helper()
	free := regexp.MustCompile(`[* ]+± [0-9.]+|[0-9.]+ s\b`)
	a, b := strings.Fields(free.ReplaceAllString(shown, "")), strings.Fields(free.ReplaceAllString(printed, ""))
	if last := len(a) - 1; a[last] == "..." {
		a, b = a[:last], b[:min(last, len(b))]
	}
	if len(a) != len(b) {
		t.Errorf("%s: the page shows\n%s\nthe program prints\n%s", what, shown, printed)
		return
	}
	for i := range a {
		x, errX := strconv.ParseFloat(a[i], 64)
		y, errY := strconv.ParseFloat(b[i], 64)
		tolerance := 0.005 + 0.01*math.Abs(x)
		if math.Abs(x) > 1 {
			tolerance += 0.5
		}
		if number := errX == nil && errY == nil; !number && a[i] != b[i] || number && math.Abs(x-y) > tolerance {
			t.Errorf("%s: the page shows %q, the program prints %q in\n%s", what, a[i], b[i], printed)
			return
		}
	}
}
