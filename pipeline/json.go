package pipeline

import (
	"descbench/pipeline/store"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

func writeBytes(path string, b []byte) error {
	return place(store.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}))
}

func writeJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return writeBytes(path, append(b, '\n'))
}

func readJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return &DataError{err}
	}
	if err := json.Unmarshal(b, v); err != nil {
		return dataErrorf("%s: %w", path, err)
	}
	return nil
}

// missing reports whether a file is not there.
func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}
