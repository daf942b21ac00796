package importer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A Template is the path of a file by its image. It has placeholders
//
//	{root}    the folder of the scenes
//	{scene}   the scene's name; needed
//	{image}   the image's file name, or that without its extension; needed
//	{method}  the name of what computed the features
//
// and slashes between folders. D2-Net's files are
// {root}/{scene}/{image}.{method}.
type Template string

// Names stand for the placeholders of a template.
type Names struct {
	Root, Scene, Method string
	Image               string // the file name, such as 1.ppm
}

var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// Check returns an error if the template has another placeholder or lacks one
// without which several images would share a file.
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
		return fmt.Errorf("path %q: a brace without its counterpart", t)
	}
	for _, name := range []string{"{scene}", "{image}"} {
		if !has[name] {
			return fmt.Errorf("path %q: no placeholder %s, want it, for each image has a file of its own", t, name)
		}
	}
	return nil
}

// Path returns the path for the names as they are, the image's extension
// included. The template must pass Check.
func (t Template) Path(n Names) string {
	return filepath.FromSlash(strings.NewReplacer(
		"{root}", n.Root, "{scene}", n.Scene, "{image}", n.Image, "{method}", n.Method,
	).Replace(string(t)))
}

// Find returns the path of the file that exists: with the image's extension or
// without it. It is an error if both do. If none does, the error wraps
// fs.ErrNotExist. The template must pass Check.
func (t Template) Find(n Names) (string, error) {
	with := t.Path(n)
	n.Image = strings.TrimSuffix(n.Image, filepath.Ext(n.Image))
	without := t.Path(n)
	found, err := exists(with)
	if err != nil || with == without {
		if err == nil && !found {
			err = fmt.Errorf("imported features: %s: %w", with, fs.ErrNotExist)
		}
		return with, err
	}
	other, err := exists(without)
	switch {
	case err != nil:
		return "", err
	case found && other:
		return "", fmt.Errorf("imported features: both %s and %s are there, want one", with, without)
	case !found && !other:
		return "", fmt.Errorf("imported features: neither %s nor %s: %w", with, without, fs.ErrNotExist)
	case found:
		return with, nil
	}
	return without, nil
}

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
