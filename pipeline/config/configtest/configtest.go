// Package configtest has configs for tests.
package configtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/config"
)

// Load writes a config to a folder and loads it. ROOT in its text is the folder of the
// scenes that come with the program. Without a section output, results go to runs in dir.
func Load(t testing.TB, dir, text string) *config.Config {
	t.Helper()
	test := must.Get(os.Getwd())(t)
	root := test[:strings.LastIndex(test, "/pipeline")]
	path := filepath.Join(dir, "config.yaml")
	text = strings.ReplaceAll(text, "ROOT", filepath.Join(root, "testdata", "scenes"))
	if !strings.Contains("\n"+text, "\noutput:") {
		text += "\noutput: {root: runs}\n"
	}
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	return must.Get(config.Load(path, config.Overrides{}))(t)
}
