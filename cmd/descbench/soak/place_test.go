package soak

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"descbench/eval/must"
)

// A place is an environment in which descbench cannot finish, and how it is
// mended. The scripts run in a folder with soak.yaml, scenes, and in want/soak
// the results of an undisturbed run. placeScript defines their commands.
type place struct {
	name   string
	mounts bool // the script mounts file systems
	nobody bool // the script must not run as root, who may read and write everything
	root   bool // the script runs as several users
	script string
}

// fault MESSAGE ARGS: under $limit, descbench ARGS ends with status 3 and one line on stderr
// that contains MESSAGE. either MESSAGE ARGS: that, or success.
// disk DIR OPTIONS: mounts an empty file system in memory.
// whole RUN: the results of RUN are those of the undisturbed run.
// until_units RUN: waits for the first eval unit.
const placeScript = `
limited() { sh -c "$limit"' exec descbench "$@" --quiet' sh "$@" >stdout 2>stderr; }
either() {
	message=$1; shift; status=0
	limited "$@" || status=$?
	[ $status = 0 ] || expect "$message" "$@"
}
fault() {
	message=$1; shift; status=0
	limited "$@" || status=$?
	expect "$message" "$@"
}
expect() {
	message=$1; shift
	if [ $status != 3 ] || [ "$(wc -l <stderr)" != 1 ] || ! grep -q "$message" stderr; then
		echo "descbench $*: status $status, want 3 and one line with: $message"; tail -n 20 stderr; exit 1
	fi >&2
	cat stderr >>told
}
disk() { mkdir -p $1; mount -t tmpfs -o $2 none $1; }
whole() { for f in units queries.parquet pairs.parquet metrics.csv summary.json; do diff -r -x '.*.tmp-*' want/soak/$f $1/$f >&2; done; }
rows() { python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM results").fetchone()[0])' $1; }
until_units() { until ls $1/units/1/*.zip >/dev/null 2>&1; do :; done; }
`

var allPlaces = []place{{
	name: "disk full during a run", mounts: true,
	script: `for size in 4k 100k; do
		disk runs size=$size
		fault 'no space left on device' run soak.yaml
		mount -o remount,size=64m runs
		descbench run soak.yaml --quiet
		whole runs/soak
		umount runs
	done`,
}, {
	name: "disk of the cache full", mounts: true,
	script: `disk cache size=40k
		fault 'no space left on device' run soak.yaml
		mount -o remount,size=64m cache
		descbench run soak.yaml --quiet
		whole runs/soak
		rm -r runs
		descbench run soak.yaml --quiet 2>stderr # without a word about cache entries
		[ ! -s stderr ]`,
}, {
	name: "disk full during fold", mounts: true,
	script: `disk runs size=4m
		descbench run soak.yaml --quiet
		rm runs/soak/*.parquet runs/soak/summary.json
		cat /dev/zero >runs/filler 2>/dev/null || true
		fault 'no space left on device' fold runs/soak
		fault 'compute the results: descbench fold' results runs/soak
		rm runs/filler
		descbench fold runs/soak --quiet
		whole runs/soak`,
}, {
	name: "disk of the database full", mounts: true,
	script: `disk databases size=60k
		fault 'full' run soak.yaml --set output.database=databases/all.sqlite
		mount -o remount,size=64m databases
		descbench run soak.yaml --quiet --set output.database=databases/all.sqlite
		[ "$(rows databases/all.sqlite)" = 2 ]
		whole runs/soak`,
}, {
	name: "no inode left", mounts: true,
	script: `for n in 4 25; do
		disk runs nr_inodes=$n
		fault 'no space left on device' run soak.yaml
		mount -o remount,nr_inodes=10000 runs
		descbench run soak.yaml --quiet
		whole runs/soak
		umount runs
	done`,
}, {
	name: "read-only folders", mounts: true,
	script: `disk runs size=64m
		mount -o remount,ro runs
		fault 'read-only file system' run soak.yaml
		mount -o remount,rw runs
		descbench run soak.yaml --quiet
		mount -o remount,ro runs
		fault 'read-only file system' fold runs/soak
		descbench results runs/soak >/dev/null
		descbench eval runs/soak --quiet >/dev/null
		descbench compare runs/soak --baseline sift >/dev/null
		whole runs/soak
		mount --bind -o ro cache cache
		mount -o remount,bind,ro cache
		descbench run soak.yaml --quiet --out again
		whole again/soak
		fault 'read-only file system' run soak.yaml --out more --set 'keypoint_sets[some].border=30'`,
}, {
	name: "no permission", nobody: true,
	script: `mkdir runs cache; chmod 500 runs
		fault 'permission denied' run soak.yaml
		chmod 700 runs; chmod 500 cache
		fault 'permission denied' run soak.yaml
		chmod 700 cache; chmod 000 scenes
		fault 'permission denied' run soak.yaml
		chmod 700 scenes
		descbench run soak.yaml --quiet
		whole runs/soak
		chmod 000 runs/soak/units/2/v_synth_001.zip
		fault 'permission denied' eval runs/soak
		fault 'permission denied' fold runs/soak
		chmod 600 runs/soak/units/2/v_synth_001.zip
		descbench fold runs/soak --quiet
		whole runs/soak`,
}, {
	name: "files of another user", root: true,
	script: `descbench run soak.yaml --quiet
		all=$(find cache -name '*.npz' | wc -l)
		chown -R nobody cache/features runs
		limit='setpriv --reuid=nobody --clear-groups descbench "$@" --quiet; exit #'
		fault 'files could not be removed: .*permission denied; choose another place' cache prune --cache cache --size 0
		left=$(find cache -name '*.npz' | wc -l)
		[ 0 -lt $left ] && [ $left -lt $all ]
		limit=
		descbench cache prune --cache cache --size 0
		[ -z "$(find cache -name '*.npz')" ]`,
}, {
	name: "the run folder vanishes",
	script: `descbench run soak.yaml --quiet >stdout 2>stderr & pid=$!
		until_units runs/soak
		mv runs gone
		status=0; wait $pid || status=$?
		[ $status = 0 ] || expect 'runs/soak' run soak.yaml # 0 if it was too late
		rm -rf runs; mv gone runs
		descbench run soak.yaml --quiet
		whole runs/soak`,
}, {
	name: "the cache vanishes",
	script: `descbench run soak.yaml --quiet --jobs 1 & pid=$!
		until_units runs/soak
		mv cache gone
		wait $pid
		whole runs/soak
		descbench run soak.yaml --quiet --out again
		whole again/soak`,
}, {
	name: "few open files",
	script: `for n in 12 18 32; do
		limit="ulimit -n $n;"
		either 'too many open files' run soak.yaml --jobs 8
		limit=
		descbench run soak.yaml --quiet
		whole runs/soak
		rm -r runs cache
	done`,
}, {
	name: "a limit on the size of files",
	script: `for n in 1 12; do
		limit="ulimit -f $n;"
		fault 'file too large' run soak.yaml
		limit=
		descbench run soak.yaml --quiet
		whole runs/soak
		rm -r runs cache
	done`,
}}

func TestFaultsOfThePlaceEndWithStatus3AndAreResumedFrom(t *testing.T) {
	scenes := workFolder(t)
	makeScenes(t, scenes, 2)
	mustRun(t, scenes, "run soak.yaml --quiet --out want")
	must.Do(t, os.RemoveAll(filepath.Join(scenes, "cache")))
	t.Cleanup(func() { survived.add("full disks, missing permissions and the like", "%d", len(allPlaces)) })
	for _, p := range allPlaces {
		t.Run(strings.ReplaceAll(p.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			dir := workFolder(t)
			replace(t, scenes, dir)
			cmd := command(dir, "")
			cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-e", "-c", placeScript + p.script}
			if p.root && os.Geteuid() != 0 {
				t.Skip("only root can run commands as another user")
			}
			if p.mounts {
				inOwnMounts(t, cmd)
			} else if p.nobody && os.Geteuid() == 0 {
				asNobody(t, cmd)
			}
			if _, stderr, status := finish(t, cmd); status != 0 {
				t.Fatalf("%s\nends with status %d:\n%s", p.script, status, stderr)
			}
			if told, err := os.ReadFile(filepath.Join(dir, "told")); err == nil {
				t.Logf("%s", told)
			}
		})
	}
}

// inOwnMounts lets a command mount file systems that nobody else sees. It skips
// the test where that is not allowed.
func inOwnMounts(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		t.Skipf("no unshare, which gives a command a full disk of its own: %v", err)
	}
	options := []string{"--mount"}
	if os.Geteuid() != 0 {
		options = append(options, "--map-root-user")
	}
	if out, err := exec.Command(unshare, append(options, "mount", "-t", "tmpfs", "none", t.TempDir())...).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a file system in a namespace of its own: %v: %s", err, out)
	}
	cmd.Path, cmd.Args = unshare, append(append([]string{"unshare"}, options...), cmd.Args...)
}

// asNobody lets a command of root run as an ordinary user who owns its folder.
func asNobody(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	const nobody = 65534
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	err := filepath.WalkDir(cmd.Dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(path, nobody, nobody)
	})
	if err != nil {
		t.Skipf("cannot give files to another user: %v", err)
	}
}

// Four times as many processes as cores share a cache and a database. Half of
// them work on the same run.
func TestManyProcessesLoseAndDoubleNothing(t *testing.T) {
	dir := workFolder(t)
	makeScenes(t, dir, 2)
	mustRun(t, dir, "run soak.yaml --quiet --out want --cache other")
	n := max(4, min(4*runtime.NumCPU(), 16))
	script := placeScript + `
		for i in $(seq ` + strconv.Itoa(n) + `); do
			name=soak; [ $((i % 2)) = 0 ] || name=soak$i
			descbench run soak.yaml --quiet --set output.database=all.sqlite --set experiment.name=$name >stdout$i 2>stderr$i & pids="$pids $!"
		done
		i=0
		for pid in $pids; do
			i=$((i + 1)); status=0
			wait $pid || status=$?
			[ $status = 0 ] || { echo "process $i: status $status"; cat stderr$i; exit 1; } >&2
		done
		whole runs/soak
		for r in runs/*; do sed "s/,$(basename $r),/,soak,/" $r/metrics.csv | cmp - runs/soak/metrics.csv >&2; done
		rows all.sqlite >results`
	shell(t, dir, script)
	checkCache(t, filepath.Join(dir, "cache"))
	rows := must.Get(os.ReadFile(filepath.Join(dir, "results")))(t)
	if found, want := strings.TrimSpace(string(rows)), strconv.Itoa(2*(1+n/2)); found != want {
		t.Errorf("the database has %s results, want %s", found, want)
	}
	survived.add("processes at once", "%d, half of them on one run, all on one cache and one database", n)
}
