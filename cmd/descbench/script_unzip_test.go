package main

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdUnzip writes the arrays of an .npz as .npy files:
//
//	unzip from.npz folder
func cmdUnzip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unzip FILE.npz FOLDER")
	}
	archive, err := zip.OpenReader(ts.MkAbs(args[0]))
	ts.Check(err)
	defer archive.Close()
	ts.Check(os.MkdirAll(ts.MkAbs(args[1]), 0o777))
	for _, f := range archive.File {
		in, err := f.Open()
		ts.Check(err)
		content, err := io.ReadAll(in)
		ts.Check(err)
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[1]), filepath.Base(f.Name)), content, 0o666))
	}
}
