package main

import (
	"bytes"
	"cmp"
	"database/sql"
	"encoding/csv"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/cpu"

	"descbench/eval/must"
	"descbench/pipeline/files/npz"
)

func TestMain(m *testing.M) {
	testscript.Main(testsWithSharedFeatures{m}, map[string]func(){"descbench": main, "crash": crash, "ownchild": ownChild, "sql": runSQL})
}

// runSQL prints the rows of a query in a SQLite file, with | between values:
//
//	exec sql FILE QUERY
func runSQL() {
	db, err := sql.Open("sqlite", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	rows, err := db.Query(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	columns, err := rows.Columns()
	values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for err == nil && rows.Next() {
		err = rows.Scan(into...)
		for i, v := range values {
			fmt.Print(strings.Repeat("|", min(i, 1)), v.String)
		}
		fmt.Println()
	}
	if err := cmp.Or(err, rows.Err()); err != nil {
		log.Fatal(err)
	}
}

// TestScripts runs the command lines in testdata/script as a user would type
// them.
func TestScripts(t *testing.T) {
	root := must.Get(filepath.Abs("../.."))(t)
	faults := newFaultMessages(t, filepath.Join("testdata", "faults.txtar"))
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("CONFIGS", filepath.Join(root, "configs"))
			env.Setenv("SCENES", filepath.Join(root, "testdata", "scenes"))
			env.Setenv("FEATURES", filepath.Join(root, "pipeline", "testdata", "reference", "features"))
			env.Setenv("DESCBENCH_CACHE", sharedFeatures)
			env.Setenv("OWNCHILD", os.Getenv("OWNCHILD"))
			env.Setenv("HOME", env.WorkDir)
			// Where a BLAS library other than the system's may lie.
			env.Setenv("LD_LIBRARY_PATH", os.Getenv("LD_LIBRARY_PATH"))
			return nil
		},
		Condition: scriptCondition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":  cmdStatus,
			"picture": cmdPicture,
			"npz":     cmdNPZ,
			"fault":   faults.command,
		},
	})
}

// scriptCondition tells scripts which instructions the processor has.
// OpenBLAS runs the kernels that OPENBLAS_CORETYPE names without a check:
// Sandybridge needs avx, Haswell avx2, SkylakeX avx512.
func scriptCondition(condition string) (bool, error) {
	switch x86 := cpu.X86; condition {
	case "avx":
		return x86.HasAVX, nil
	case "avx2":
		return x86.HasAVX2 && x86.HasFMA, nil
	case "avx512":
		return x86.HasAVX512F && x86.HasAVX512CD && x86.HasAVX512BW && x86.HasAVX512DQ && x86.HasAVX512VL, nil
	}
	return false, fmt.Errorf("condition %q, want avx, avx2 or avx512", condition)
}

// cmdStatus runs a command and checks its exit status:
//
//	status 2 descbench run x.yaml
func cmdStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [arg...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// cmdPicture writes a flat or a chequered PNG or JPEG:
//
//	picture WIDTH HEIGHT flat|chequered to.png|to.jpg
func cmdPicture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: picture WIDTH HEIGHT flat|chequered to.png|to.jpg")
	}
	width, err := strconv.Atoi(args[0])
	ts.Check(err)
	height, err := strconv.Atoi(args[1])
	ts.Check(err)
	img := image.NewGray(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		if x, y := i%width/9, i/width/9; args[2] == "chequered" && (x+y)%2 == 0 {
			img.Pix[i] = uint8(100 + (7*x+11*y)%150)
		}
	}
	var b bytes.Buffer
	if filepath.Ext(args[3]) == ".jpg" {
		ts.Check(jpeg.Encode(&b, img, nil))
	} else {
		ts.Check(png.Encode(&b, img))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[3]), b.Bytes(), 0o666))
}

// cmdNPZ writes the .npz of each table of matches, with the columns row0, row1 or x0, y0, x1, y1, and score:
//
//	npz folder/*.csv
func cmdNPZ(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: npz PATTERN")
	}
	tables, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, table := range tables {
		in, err := os.ReadFile(table)
		ts.Check(err)
		lines, err := csv.NewReader(bytes.NewReader(in)).ReadAll()
		ts.Check(err)
		array := func(name string, columns ...string) npz.Member {
			values := []float32{}
			for _, line := range lines[1:] {
				for _, column := range columns {
					v, err := strconv.ParseFloat(line[slices.Index(lines[0], column)], 32)
					ts.Check(err)
					values = append(values, float32(v))
				}
			}
			shape := []int{len(lines) - 1, len(columns)}[:min(len(columns), 2)]
			return npz.Of(values, shape...).Member(name)
		}
		var members []npz.Member
		if slices.Contains(lines[0], "row0") {
			members = append(members, array("matches", "row0", "row1"))
		} else {
			members = append(members, array("keypoints0", "x0", "y0"), array("keypoints1", "x1", "y1"))
		}
		if slices.Contains(lines[0], "score") {
			members = append(members, array("scores", "score"))
		}
		var out bytes.Buffer
		ts.Check(npz.WriteArchive(&out, members, ""))
		ts.Check(os.WriteFile(strings.TrimSuffix(table, ".csv")+".npz", out.Bytes(), 0o666))
	}
}
