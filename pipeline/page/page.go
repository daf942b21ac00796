// Package page writes the results of folded runs as web pages that open from disk:
// a main page, and a page for each scene in the folder of the same name beside it.
// Pages load nothing from elsewhere. Equal results give equal bytes.
package page

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"path/filepath"
	"strings"

	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

//go:embed *.html *.css *.js
var files embed.FS

// templates are the pages, which share style.css.
var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"style":  func(name string) template.CSS { return template.CSS(embedded(name)) },
	"script": func(name string) template.JS { return template.JS(embedded(name)) },
}).ParseFS(files, "*.html"))

func embedded(name string) string {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err) // all names are in this package
	}
	return string(b)
}

// extension of every page.
const extension = ".html"

// Write writes the report of folded runs to path, and the pages of scenes to the
// folder beside it that has the name of path without its extension. It returns an
// error if the runs have different protocols.
func Write(ctx context.Context, path string, runs []string) error {
	if filepath.Ext(path) != extension {
		return &config.Error{File: "--out " + path, Msg: "want a name that ends in " + extension}
	}
	r, err := read(ctx, runs)
	if err != nil {
		return err
	}
	if err := r.writeScenes(ctx, strings.TrimSuffix(path, extension)); err != nil {
		return err
	}
	// The main page is last, because it links to the others.
	return write(path, "report"+extension, r)
}

// write writes one page atomically.
func write(path, name string, data any) error {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return plan.Fault(store.WriteBytes(path, b.Bytes()))
}
