package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"

	"descbench/descriptors/importer"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
)

// A run also depends on files that its config only names: models of networks,
// and what other programs found in the images. Their digests are kept with the
// run, which does not go on with others.

// models returns the digests of the networks' models, by descriptor; nil if
// there are none.
func models(cfg *config.Config) (map[string]string, error) {
	var out map[string]string
	for _, d := range cfg.Descriptors {
		if d.ONNX == nil {
			continue
		}
		digest, err := digestOf(d.ONNX.Model)
		if err != nil {
			return nil, dataErrorf("descriptor %s: model: %w", d.Name, err)
		}
		if out == nil {
			out = make(map[string]string)
		}
		out[d.Name] = digest
	}
	return out, nil
}

// modelDifferences says which models are not those that the run was begun with.
func modelDifferences(begun, now map[string]string) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if was, is := begun[name], now[name]; was != is {
			out = append(out, fmt.Sprintf("descriptors[%s].model: its content has changed (SHA-256 %.12s -> %.12s)", name, was, is))
		}
	}
	return out
}

// imports returns the digests of the files that keypoints and descriptors of a
// scene are imported from, by the template of their path and the image; nil if
// there are none. A file that is missing has none.
func imports(cfg *config.Config, scene *dataset.Scene) (map[string]string, error) {
	paths := make(map[string]bool)
	for _, s := range cfg.KeypointSets {
		if s.Import != nil {
			paths[s.Import.Path] = true
		}
	}
	for _, d := range cfg.Descriptors {
		if d.File != nil {
			paths[d.File.Path] = true
		}
	}
	var out map[string]string
	for path := range paths {
		for i, img := range scene.Images {
			file, err := importer.Template(path).Find(importer.Names{Root: cfg.Dataset.Root, Scene: scene.Name, Image: img.File})
			if errors.Is(err, fs.ErrNotExist) {
				continue // whoever needs it says so
			} else if err != nil {
				return nil, err
			}
			digest, err := digestOf(file)
			if err != nil {
				return nil, err
			}
			if out == nil {
				out = make(map[string]string)
			}
			out[fmt.Sprintf("%s, image %d", path, i+1)] = digest
		}
	}
	return out, nil
}

// digestOf returns the SHA-256 of a file in hexadecimal.
func digestOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
