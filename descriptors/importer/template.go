package importer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

// A Template is the path of the feature file of an image. It has the
// placeholders
//
//	{root}    the folder of the scenes
//	{scene}   the scene name; required
//	{image}   the image file name with or without its extension; required
//	{method}  the name of the method that computed the features
//
// and slashes between folders. D2-Net's files are
// {root}/{scene}/{image}.{method}.
type Template string

// Names holds the values of a template's placeholders.
type Names struct {
	Root, Scene, Method string
	Image               string // the file name, such as 1.ppm
}

var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// Check returns an error if the template has an unknown placeholder, or lacks a
// required one, so that several images would share a file.
func (t Template) Check() error {
	has := map[string]bool{}
	for _, name := range placeholder.FindAllString(string(t), -1) {
		switch name {
		case "{root}", "{scene}", "{image}", "{method}":
			has[name] = true
		default:
			return fmt.Errorf("path %q: placeholder %s, want {root}, {scene}, {image} or {method}", t, name)
		}
	}
	if strings.ContainsAny(placeholder.ReplaceAllString(string(t), ""), "{}") {
		return fmt.Errorf("path %q: unmatched brace", t)
	}
	for _, name := range []string{"{scene}", "{image}"} {
		if !has[name] {
			return fmt.Errorf("path %q: placeholder %s is missing, want a separate file for each image", t, name)
		}
	}
	return nil
}

// Path returns the path for the given names, with the image's extension. The
// template must pass Check.
func (t Template) Path(n Names) string {
	return filepath.FromSlash(strings.NewReplacer(
		"{root}", n.Root, "{scene}", n.Scene, "{image}", n.Image, "{method}", n.Method,
	).Replace(string(t)))
}

// Find returns the path of the existing file, with or without the image's
// extension. It fails if both files exist. If neither exists, the error wraps
// fs.ErrNotExist. The template must pass Check.
func (t Template) Find(n Names) (string, error) {
	with := t.Path(n)
	n.Image = strings.TrimSuffix(n.Image, filepath.Ext(n.Image))
	without := t.Path(n)
	found, err := exists(with)
	if err != nil || with == without {
		if err == nil && !found {
			err = fmt.Errorf("import: %s: %w", with, syscall.ENOENT)
		}
		return with, err
	}
	other, err := exists(without)
	switch {
	case err != nil:
		return "", err
	case found && other:
		return "", fmt.Errorf("import: both %s and %s exist, want only one", with, without)
	case !found && !other:
		return "", missing{with, without}
	case found:
		return with, nil
	}
	return without, nil
}

// missing is the error about an image without a file under either name. It matches
// fs.ErrNotExist.
type missing struct{ with, without string }

func (m missing) Error() string {
	return "import: found neither " + m.with + " nor " + m.without
}

func (missing) Is(target error) bool { return target == fs.ErrNotExist }

func exists(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("imported features: %w", err)
	}
	return true, nil
}
